package schema

import (
	"slices"
	"strconv"
	"strings"
)

// guard resolves a key a project may only tighten: the user's value (or the default) and the project's, the tighter wins.
// viber.local.yml does not take part.
func (c *Config) guard(k Key) Setting {
	base := Setting{Value: k.Default, Source: FromDefault}
	if user, ok := c.user.setting(k, FromUser); ok && !user.Bad {
		base = user
	}
	project, ok := c.shared.setting(k, FromShared)
	if !ok || project.Bad {
		return base
	}
	switch value := k.tighter(base.Value, project.Value); value {
	case base.Value:
		return base
	default:
		project.Value = value
		return project
	}
}

// personal resolves a key that counts in the user's own file only: what a project says about it is not heard.
func (c *Config) personal(k Key) Setting {
	if user, ok := c.user.setting(k, FromUser); ok && !user.Bad {
		return user
	}
	return Setting{Value: k.Default, Source: FromDefault}
}

// tighter returns the stricter of two values of a guard: the later choice, the smaller number, all words of both lists.
func (k Key) tighter(user, project string) string {
	switch k.Kind {
	case Amount:
		u, _ := strconv.Atoi(user)
		if p, err := strconv.Atoi(project); err == nil && p < u {
			return project
		}
		return user
	case List:
		words := listWords(user)
		for _, w := range listWords(project) {
			if !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
		return strings.Join(words, ", ")
	}
	order := k.Choices()
	if slices.Index(order, project) > slices.Index(order, user) {
		return project
	}
	return user
}

// loosens reports whether a project that writes value for the guard k asks for less than the default.
func (k Key) loosens(value string) bool {
	return k.Guard && k.Kind == Choice && k.tighter(k.Default, value) != value
}

func listWords(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ", ")
}
