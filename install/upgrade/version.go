package upgrade

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/Masterminds/semver/v3"

	"viber/internal/exit"
)

// Version is what a build calls itself, read so that no build goes down by accident.
type Version struct {
	text string
	// tag is the release the build is, or stands on; nil for a build without one.
	tag *semver.Version
	// beyond says that the build has commits the tag does not have.
	beyond bool
}

// ParseVersion reads a version as builds write it: "1.2.3", "v1.2.3", a `git describe` text ("1.2.3-5-gabc1234", with
// "-dirty"), a pseudo-version, "dev", "(devel)", or nothing. Anything that names no release counts as newer than all.
func ParseVersion(text string) Version {
	text = strings.TrimSpace(text)
	v := Version{text: text, beyond: true}
	bare := strings.TrimPrefix(text, "v")
	if base, ok := describeBase(bare); ok {
		v.tag, _ = semver.NewVersion(base)
		return v
	}
	tag, err := semver.NewVersion(bare)
	if err != nil || untagged(bare) {
		return v
	}
	v.tag, v.beyond = tag, false
	return v
}

// describeBase returns the tag inside a `git describe` text, which sorts below the tag it stands on though it is newer.
func describeBase(bare string) (string, bool) {
	clean := strings.TrimSuffix(bare, "-dirty")
	if m := regexp.MustCompile(`^(.+)-\d+-g[0-9a-f]{4,40}$`).FindStringSubmatch(clean); m != nil {
		return m[1], true
	}
	return clean, clean != bare
}

// untagged reports whether a pseudo-version stands on no tag at all; those with one sort right by themselves.
func untagged(bare string) bool {
	return regexp.MustCompile(`^\d+\.0\.0-\d{14}-[0-9a-f]{12}$`).MatchString(bare)
}

// String returns the version as the build wrote it.
func (v Version) String() string {
	if v.text == "" {
		return "(unknown)"
	}
	return v.text
}

// Order says how release stands to the running build v: a positive number when release is newer, 0 when it is the same,
// a negative number when the build is newer or cannot be compared.
func (v Version) Order(release *semver.Version) int {
	if v.tag == nil {
		return -1
	}
	order := release.Compare(v.tag)
	if order == 0 && v.beyond {
		return -1
	}
	return order
}

// Newest returns the newest of the releases that constraint allows ("" allows every release that is no prerelease). Tags
// that are no semantic version are passed over.
func Newest(tags []string, constraint string) (*semver.Version, error) {
	allowed, err := parseConstraint(constraint)
	if err != nil {
		return nil, err
	}
	var newest *semver.Version
	for _, tag := range tags {
		v, err := semver.NewVersion(strings.TrimSpace(tag))
		if err != nil || !allowed(v) {
			continue
		}
		if newest == nil || v.GreaterThan(newest) {
			newest = v
		}
	}
	if newest == nil {
		return nil, fmt.Errorf("%w %q; `viber upgrade --check` names the newest one", errNoneFits, constraint)
	}
	return newest, nil
}

var errNoneFits = errors.New("no release fits")

func parseConstraint(text string) (func(*semver.Version) bool, error) {
	text = strings.TrimSpace(text)
	if text == "" || text == "latest" {
		return func(v *semver.Version) bool { return v.Prerelease() == "" }, nil
	}
	if exact, err := semver.NewVersion(text); err == nil && strings.Count(text, ".") >= 2 {
		return exact.Equal, nil
	}
	c, err := semver.NewConstraint(text)
	if err != nil {
		return nil, exit.With(exit.Usage, fmt.Errorf("--version %q: %w; write a version (1.4.2) or a range (~1.4, >=1.2 <2)", text, err))
	}
	return c.Check, nil
}
