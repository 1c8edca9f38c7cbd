package forge

import (
	"net/url"
	"strconv"
	"strings"
)

// Kind says what a reference names.
type Kind string

// The kinds of references.
const (
	KindPull      Kind = "pull"      // a pull request
	KindIssue     Kind = "issue"     // an issue
	KindNumber    Kind = "number"    // an issue or a pull request of GitHub, which number both in one row
	KindJira      Kind = "jira"      // an issue of Jira, by its key
	KindBranch    Kind = "branch"    // a branch or a commit of this repository
	KindText      Kind = "text"      // anything else
	KindNone      Kind = "none"      // nothing was given
	KindAmbiguous Kind = "ambiguous" // more than one: see Candidates
)

// Service is the kind of a host.
type Service string

// The services viber knows pull requests of.
const (
	ServiceGitHub    Service = "github"
	ServiceBitbucket Service = "bitbucket-server"
)

// Reference is what an input means (gates contract, 5: `viber ref parse`).
type Reference struct {
	Kind    Kind    `json:"kind"`
	Service Service `json:"service,omitempty"`
	// Host is the host's name, with its port where it has one; Base the folder a server lives below ("/bitbucket").
	Host string `json:"host,omitempty"`
	Base string `json:"base,omitempty"`
	// Owner is the owner or the key of the project, Repo the repository.
	Owner  string `json:"owner,omitempty"`
	Repo   string `json:"repo,omitempty"`
	Number int    `json:"number,omitempty"`
	URL    string `json:"url,omitempty"`
	// Key is a Jira key, Branch a branch, Text what was typed.
	Key        string      `json:"key,omitempty"`
	Branch     string      `json:"branch,omitempty"`
	Text       string      `json:"text,omitempty"`
	Candidates []Reference `json:"candidates,omitempty"`
}

// Surroundings are what a short reference is read by: the repository one stands in, others that are known, and which
// branches there are. The zero value knows nothing.
type Surroundings struct {
	Here     Repo
	Others   []Repo
	IsBranch func(name string) bool
}

// Repo names a repository on a host.
type Repo struct {
	Service     Service
	Host, Base  string
	Owner, Repo string
}

// Parse reads text: an address, `#12`, `repo#12`, `owner/repo#12`, a Jira key, a branch, or free text. A number alone, and
// a name that is two things, are ambiguous and list what they may be.
func Parse(text string, s Surroundings) Reference {
	text = strings.TrimSpace(text)
	if text == "" {
		return Reference{Kind: KindNone}
	}
	if r, ok := parseAddress(text); ok {
		return r
	}
	if r, ok := parseNumbered(text, s); ok {
		return r
	}
	if n, ok := number(text); ok {
		return oneOf(text, s.numbered(n, text))
	}
	if isJiraKey(text) {
		jira := Reference{Kind: KindJira, Key: text}
		if s.has(text) {
			return oneOf(text, []Reference{jira, {Kind: KindBranch, Branch: text}})
		}
		return jira
	}
	if s.has(text) || strings.Contains(text, "/") && isRefName(text) {
		return Reference{Kind: KindBranch, Branch: text}
	}
	return Reference{Kind: KindText, Text: text}
}

func (s Surroundings) has(branch string) bool {
	return isRefName(branch) && s.IsBranch != nil && s.IsBranch(branch)
}

func oneOf(text string, candidates []Reference) Reference {
	return Reference{Kind: KindAmbiguous, Text: text, Candidates: candidates}
}

// numbered are the things a number alone may be.
func (s Surroundings) numbered(n int, text string) []Reference {
	var all []Reference
	for _, r := range append([]Repo{s.Here}, s.Others...) {
		if r.Service != "" && (len(all) == 0 || r != s.Here) {
			all = append(all, r.reference(n))
		}
	}
	if s.has(text) {
		all = append(all, Reference{Kind: KindBranch, Branch: text})
	}
	return all
}

// reference names number n of the repository.
func (r Repo) reference(n int) Reference {
	ref := Reference{Kind: KindNumber, Service: r.Service, Host: r.Host, Base: r.Base, Owner: r.Owner, Repo: r.Repo, Number: n}
	if r.Service == ServiceBitbucket {
		ref.Kind = KindPull
	}
	ref.URL = ref.address()
	return ref
}

// address is the https link of an issue or pull request.
func (r Reference) address() string {
	if r.Host == "" {
		return ""
	}
	n := strconv.Itoa(r.Number)
	if r.Service == ServiceBitbucket {
		if user, personal := strings.CutPrefix(r.Owner, "~"); personal {
			return "https://" + r.Host + r.Base + "/users/" + user + "/repos/" + r.Repo + "/pull-requests/" + n
		}
		return "https://" + r.Host + r.Base + "/projects/" + r.Owner + "/repos/" + r.Repo + "/pull-requests/" + n
	}
	segment := "pull"
	if r.Kind == KindIssue || r.Kind == KindNumber {
		segment = "issues" // GitHub leads from there to the pull request
	}
	return "https://" + r.Host + "/" + r.Owner + "/" + r.Repo + "/" + segment + "/" + n
}

// parseNumbered reads #12, repo#12 and owner/repo#12.
func parseNumbered(text string, s Surroundings) (Reference, bool) {
	name, digits, found := strings.Cut(text, "#")
	n, ok := number(digits)
	if !found || !ok {
		return Reference{}, false
	}
	repo := s.Here
	if repo.Service == "" {
		repo = Repo{Service: ServiceGitHub, Host: "github.com"}
	}
	owner, short, hasOwner := strings.Cut(name, "/")
	switch {
	case name == "":
	case hasOwner && isName(owner) && isName(short):
		repo.Owner, repo.Repo = owner, short
	case !hasOwner && isName(name):
		repo.Repo = name
	default:
		return Reference{}, false
	}
	ref := repo.reference(n)
	if ref.Owner == "" || ref.Repo == "" {
		ref.URL, ref.Text = "", text // only gh, from within a repository, knows more
	}
	return ref, true
}

// parseAddress reads the https address of an issue or pull request on GitHub, Bitbucket Server and Jira. An address with a
// login in it is none: what looks like a host there is a user's name.
func parseAddress(text string) (Reference, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || strings.ContainsAny(text, " \t\r\n\\") {
		return Reference{}, false
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	host := strings.TrimSuffix(strings.ToLower(u.Host), ":443")
	for _, read := range []func(string, []string) (Reference, bool){bitbucketAddress, jiraAddress, githubAddress} {
		if r, ok := read(host, parts); ok {
			return r, true
		}
	}
	if key := u.Query().Get("selectedIssue"); isJiraKey(key) {
		return Reference{Kind: KindJira, Host: host, Key: key, URL: "https://" + host + "/browse/" + key}, true
	}
	return Reference{}, false
}

// githubAddress reads owner/repo/(issues|pull)/N, whatever page of it follows.
func githubAddress(host string, parts []string) (Reference, bool) {
	if len(parts) < 4 || !isName(parts[0]) || !isName(parts[1]) {
		return Reference{}, false
	}
	n, ok := number(parts[3])
	ref := Reference{Service: ServiceGitHub, Host: host, Owner: parts[0], Repo: parts[1], Number: n}
	switch {
	case ok && parts[2] == "pull":
		ref.Kind = KindPull
	case ok && parts[2] == "issues" && len(parts) == 4:
		ref.Kind = KindIssue
	default:
		return Reference{}, false
	}
	ref.URL = ref.address()
	return ref, true
}

// bitbucketAddress reads [base/](projects/KEY|users/NAME)/repos/SLUG/pull-requests/N, whatever page of it follows.
func bitbucketAddress(host string, parts []string) (Reference, bool) {
	for i := 0; i+5 < len(parts); i++ {
		if parts[i] != "projects" && parts[i] != "users" || parts[i+2] != "repos" || parts[i+4] != "pull-requests" {
			continue
		}
		n, ok := number(parts[i+5])
		owner := parts[i+1]
		if parts[i] == "users" {
			owner = "~" + owner
		}
		if !ok || !isName(strings.TrimPrefix(owner, "~")) || !isName(parts[i+3]) || !allNames(parts[:i]) {
			return Reference{}, false
		}
		ref := Reference{Kind: KindPull, Service: ServiceBitbucket, Host: host, Owner: owner, Repo: parts[i+3], Number: n}
		if i > 0 {
			ref.Base = "/" + strings.Join(parts[:i], "/")
		}
		ref.URL = ref.address()
		return ref, true
	}
	return Reference{}, false
}

// jiraAddress reads [base/]browse/KEY-12 and the longer form of a project's list.
func jiraAddress(host string, parts []string) (Reference, bool) {
	n := len(parts) - 1
	key, top := parts[n], n-1
	if n >= 3 && parts[n-1] == "issues" && parts[n-3] == "projects" {
		top = n - 3 // projects/KEY/issues/KEY-12
	} else if n < 1 || parts[top] != "browse" {
		return Reference{}, false
	}
	if !isJiraKey(key) || !allNames(parts[:top]) {
		return Reference{}, false
	}
	base := strings.Join(append([]string{host}, parts[:top]...), "/")
	return Reference{Kind: KindJira, Host: host, Key: key, URL: "https://" + base + "/browse/" + key}, true
}

func allNames(parts []string) bool {
	for _, p := range parts {
		if !isName(p) {
			return false
		}
	}
	return true
}

// isName says that a text may be an owner, a project or a repository: nothing that would mean something else in a path.
func isName(s string) bool {
	if s == "" || s == "." || s == ".." || s[0] == '-' || len(s) > 200 {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !isLetterOrDigit(r) && r != '.' && r != '_' && r != '-'
	})
}

func isLetterOrDigit(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// number reads the number of an issue or pull request.
func number(s string) (int, bool) {
	if !digits(s) || len(s) > 9 {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n > 0
}

// isJiraKey says that s is a project's key, a dash and a number: PROJ-12.
func isJiraKey(s string) bool {
	project, n, found := strings.Cut(s, "-")
	if !found || len(project) < 2 || !digits(n) || len(n) > 9 || n[0] == '0' {
		return false
	}
	for i, r := range project {
		isLetter, isOther := r >= 'A' && r <= 'Z', r >= '0' && r <= '9' || r == '_'
		if !isLetter && (i == 0 || !isOther) {
			return false
		}
	}
	return true
}

// isRefName says that git could have a branch of that name; one that looks like an option is none.
func isRefName(s string) bool {
	if s == "" || s[0] == '-' || s[0] == '/' || strings.HasSuffix(s, "/") || strings.HasSuffix(s, ".") || strings.HasSuffix(s, ".lock") {
		return false
	}
	for _, bad := range []string{"..", "//", "@{", "/."} {
		if strings.Contains(s, bad) {
			return false
		}
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`~^:?*[\`, r) })
}
