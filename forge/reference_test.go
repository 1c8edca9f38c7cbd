package forge

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestReferences reads testdata/references.json: what a person types, and what it means in a project on GitHub and in one
// on a Bitbucket Server.
func TestReferences(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/references.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct{ In, Place, Want string }
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	places := map[string]Surroundings{
		"": {},
		"github": {Here: Repo{Service: ServiceGitHub, Host: "github.com", Owner: "acme", Repo: "shop"},
			Others:   []Repo{{Service: ServiceBitbucket, Host: "git.example.com", Base: "/bb", Owner: "OPS", Repo: "infra"}},
			IsBranch: func(n string) bool { return n == "main" || n == "PROJ-12" || n == "12" }},
		"bitbucket": {Here: Repo{Service: ServiceBitbucket, Host: "git.example.com:8443", Owner: "SHOP", Repo: "cart"}},
	}
	for _, r := range rows {
		if got := brief(Parse(r.In, places[r.Place])); got != r.Want {
			t.Errorf("%q at %q: %s, want %s", r.In, r.Place, got, r.Want)
		}
	}
	if len(rows) < 50 {
		t.Errorf("only %d rows", len(rows))
	}
}

func brief(r Reference) string {
	parts := []string{string(r.Kind)}
	for _, p := range []string{r.URL, r.Key, r.Branch, r.Text} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	for _, c := range r.Candidates {
		parts = append(parts, "("+brief(c)+")")
	}
	return strings.Join(parts, " ")
}

func TestCheckHost(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"git.example.com": "git.example.com", "https://Git.Example.com/": "git.example.com", "git.example.com:8443/bitbucket": "git.example.com:8443/bitbucket",
		"http://git.example.com": "", "https://me:pw@git.example.com": "", "git.example.com?x=1": "", "": "", "a b": "", "github.com": "",
		"api.github.com": "", "../x": "", "git.example.com/../x": "", "ssh://git.example.com": "", "-x": "", "127.0.0.1:7999": "127.0.0.1:7999", "a,b": "",
		"git.example.com:443": "git.example.com", "git.example.com:443/bb": "git.example.com/bb", "git.example.com:99999": "", "git.example.com:0": "",
		"git.example.com:": "", "git..example.com": "", "git.example.com.": "", ".example.com": "", "git.example.com//bb": "", "localhost": "localhost",
	} {
		got, err := CheckHost(in)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q %v, want %q", in, got, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "pw") {
			t.Errorf("%q: the error tells the password: %v", in, err)
		}
	}
}

func TestRemotes(t *testing.T) {
	t.Parallel()
	p := Places{Hosts: []string{"git.example.com:8443/bb"}}
	for in, want := range map[string]string{
		"https://github.com/acme/shop.git":                   "https://github.com/acme/shop/issues/1",
		"git@github.com:acme/shop.git":                       "https://github.com/acme/shop/issues/1",
		"ssh://git@git.example.com:7999/shop/cart.git":       "https://git.example.com:8443/bb/projects/SHOP/repos/cart/pull-requests/1",
		"https://me@git.example.com:8443/bb/scm/shop/cart":   "https://git.example.com:8443/bb/projects/SHOP/repos/cart/pull-requests/1",
		"ssh://git@git.example.com:7999/~ann/cart.git":       "https://git.example.com:8443/bb/users/ann/repos/cart/pull-requests/1",
		"https://gitlab.example.com/group/subgroup/shop.git": "", "/srv/git/shop.git": "",
		"git@work:acme/shop.git": "", "ssh://git@work/acme/shop.git": "", "https://github/acme/shop.git": "https://github/acme/shop/issues/1", "../shop": "",
	} {
		got := ""
		if r := p.remote(in); r.Service != "" {
			got = r.reference(1).URL
		}
		if got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"#12", "a/b#3", "PROJ-1", "https://x.y/projects/A/repos/b/pull-requests/1", "https://github.com/a/b/pull/1", "12", "x/y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := Parse(text, Surroundings{Here: Repo{Service: ServiceGitHub, Host: "github.com", Owner: "o", Repo: "r"}})
		for _, part := range []string{r.Owner, r.Repo, r.Host} {
			if strings.ContainsAny(part, " \n/@?#%") || strings.HasPrefix(part, "-") || part == ".." {
				t.Errorf("%q: the part %q is unsafe in an address", text, part)
			}
		}
		if r.Kind == KindBranch && strings.HasPrefix(r.Branch, "-") {
			t.Errorf("%q: a branch that is an option", text)
		}
	})
}
