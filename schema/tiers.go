package schema

import "slices"

// tierRange resolves tiers.min and tiers.max together: a minimum above the maximum resets both.
func (c *Config) tierRange() (low, high string) {
	kmin, _ := Lookup("tiers.min")
	kmax, _ := Lookup("tiers.max")
	low, high = c.resolve(kmin).Value, c.resolve(kmax).Value
	if slices.Index(kmin.Values, low) > slices.Index(kmin.Values, high) {
		return kmin.Default, kmax.Default
	}
	return low, high
}
