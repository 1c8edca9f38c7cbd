package install

import (
	"slices"
	"strings"

	"viber/internal/exit"
	"viber/schema"
)

// ForgeHostsOptions say which registered hosts to add to or to take out of the user's own viber.yml. Hosts are as
// forge.CheckHost returns them.
type ForgeHostsOptions struct {
	Env         Env
	Consent     Consent
	Dir         string
	Add, Remove string
}

// ForgeHosts changes the list of registered hosts (`viber forge add|remove`). A token may go to such a host, so it needs
// consent like a setup.
func ForgeHosts(o ForgeHostsOptions) error {
	command := "forge add"
	if o.Add == "" {
		command = "forge remove"
	}
	return changeConfig(configChange{
		env: o.Env, consent: o.Consent, dir: o.Dir, target: schema.UserFile, command: command,
		text: func(before string) (string, error) {
			hosts := HostList(schema.UserValue(before, "forge.hosts"))
			if o.Add == "" && !slices.Contains(hosts, o.Remove) || slices.Contains(hosts, o.Add) {
				return before, nil
			}
			hosts = slices.DeleteFunc(hosts, func(h string) bool { return h == o.Remove })
			if o.Add != "" {
				hosts = append(hosts, o.Add)
			}
			after, err := schema.PlanSet(before, "forge.hosts", strings.Join(hosts, ", "), schema.UserFile)
			if err != nil {
				return "", exit.With(exit.Refused, err)
			}
			return after, nil
		},
	})
}

// HostList splits the value of a list.
func HostList(value string) []string {
	return strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
}
