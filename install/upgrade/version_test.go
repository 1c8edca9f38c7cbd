package upgrade

import (
	"testing"

	"github.com/Masterminds/semver/v3"
)

func TestNoBuildGoesDownByAccident(t *testing.T) {
	tests := map[string]struct {
		current, release string
		want             int
	}{
		"older":                           {"1.2.2", "1.2.3", 1},
		"same":                            {"1.2.3", "1.2.3", 0},
		"same with a v":                   {"v1.2.3", "1.2.3", 0},
		"line end":                        {"1.2.3\n", "1.2.3", 0},
		"newer":                           {"1.3.0", "1.2.3", -1},
		"dev":                             {"dev", "1.2.3", -1},
		"devel":                           {"(devel)", "1.2.3", -1},
		"nothing":                         {"", "1.2.3", -1},
		"describe of the release":         {"1.2.3-5-gabc1234", "1.2.3", -1},
		"describe below the release":      {"1.2.2-5-gabc1234", "1.2.3", 1},
		"describe with a v":               {"v1.3.0-5-gabc1234-dirty", "1.2.0", -1},
		"dirty tag":                       {"1.2.3-dirty", "1.2.3", -1},
		"prerelease of a later one":       {"v1.3.0-rc.1", "1.2.0", -1},
		"prerelease before its release":   {"1.3.0-rc.1", "1.3.0", 1},
		"pseudo-version after a tag":      {"v1.2.4-0.20260101000000-abcdefabcdef", "1.2.3", -1},
		"pseudo-version before its tag":   {"v1.2.4-0.20260101000000-abcdefabcdef", "1.2.4", 1},
		"pseudo-version without a tag":    {"v0.0.0-20260101000000-abcdefabcdef", "1.2.3", -1},
		"build metadata is no difference": {"1.2.3+linux", "1.2.3", 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := ParseVersion(tt.current).Order(semver.MustParse(tt.release))
			if sign(got) != tt.want {
				t.Errorf("order %d, want %d", got, tt.want)
			}
		})
	}
}

func TestNewestReleaseAConstraintAllows(t *testing.T) {
	tags := []string{"v1.4.0", "v1.4.9", "v1.4.10", "v1.5.0", "v2.0.0-rc.10", "v2.0.0-rc.9", "nightly", "v1.5.0-beta.1"}
	for constraint, want := range map[string]string{
		"": "1.5.0", "latest": "1.5.0", "~1.4": "1.4.10", "^1.4": "1.5.0", "1.4.9": "1.4.9", "v1.4.0": "1.4.0", "2.0.0-rc.9": "2.0.0-rc.9", ">=2.0.0-rc.1": "2.0.0-rc.10", "<1.5": "1.4.10",
	} {
		got, err := Newest(tags, constraint)
		if err != nil || got.String() != want {
			t.Errorf("%q: %v, %v; want %s", constraint, got, err, want)
		}
	}
	for _, bad := range []string{">=3", "one", "1.4.8"} {
		if got, err := Newest(tags, bad); err == nil {
			t.Errorf("%q: got %s", bad, got)
		}
	}
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}
