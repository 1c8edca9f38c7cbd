package schema

import (
	"fmt"

	"github.com/Masterminds/semver/v3"
)

// Requires returns the constraint of the shared file's `requires:` line (">=1.4"), empty without one.
func (c *Config) Requires() string {
	a, _ := c.shared.get("requires")
	return title(a.value)
}

// CheckRequires compares the version of this program with the project's requires: line. It returns a sentence with the way
// out when the program does not meet it or the constraint cannot be read, else nothing. A build without a release number
// ("dev") meets every constraint; one made after a release counts as that release.
func (c *Config) CheckRequires(version string) string {
	constraint := c.Requires()
	if constraint == "" {
		return ""
	}
	allowed, err := semver.NewConstraint(constraint)
	if err != nil {
		return fmt.Sprintf("%s: requires: %q is no version constraint; write one like \">=1.4\"", shown, constraint)
	}
	v, err := semver.NewVersion(version)
	if err != nil {
		return ""
	}
	release, err := v.SetPrerelease("")
	if err != nil || allowed.Check(&release) {
		return ""
	}
	return fmt.Sprintf("this project needs viber %s, this is %s: run 'viber upgrade'", constraint, version)
}
