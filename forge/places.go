package forge

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"viber/internal/gitx"
)

// Places are the hosts one user may reach from one project.
type Places struct {
	Dir     string   // working directory
	Home    string   // a directory outside of projects, where git is asked for logins
	Environ []string // KEY=value
	// Hosts are the registered Bitbucket Servers (`viber forge add`): name, port and folder, as "git.example.com:8443/bitbucket".
	Hosts []string
	// Repositories are those whose pull requests are listed: HOST/PROJECT/REPO.
	Repositories []string
	Keys         Keys
	// Client replaces the transport; nil is the system's.
	Client *http.Client
	// Timeout bounds one call of a Bitbucket Server; 0 is a minute.
	Timeout time.Duration
}

// Pulls returns every host there is: GitHub when gh is installed, and each registered Bitbucket Server. absent names those
// that cannot be asked, each with the reason.
func (p Places) Pulls() (hosts []Pulls, absent []error) {
	if gh, ok := FindGitHub(p.Dir, p.Environ); ok {
		hosts = append(hosts, gh)
	} else {
		absent = append(absent, &Failure{Call: "GitHub", Text: noGH})
	}
	for _, h := range p.Hosts {
		host, err := CheckHost(h)
		if err != nil {
			absent = append(absent, err)
			continue
		}
		hosts = append(hosts, p.bitbucket(host))
	}
	for _, text := range p.Repositories {
		r, ok := p.repository(text)
		if !ok {
			absent = append(absent, &Failure{Call: Printable(text), Text: "forge.repositories names repositories as HOST/PROJECT/REPO"})
		} else if !p.isRegistered(r.Host + r.Base) {
			absent = append(absent, &Failure{Call: Printable(text), Text: r.Host + r.Base + " is not a registered host", Hint: "viber forge add " + r.Host + r.Base})
		}
	}
	return hosts, absent
}

func (p Places) isRegistered(host string) bool {
	return slices.ContainsFunc(p.Hosts, func(h string) bool { return sameHost(h, host) })
}

// For returns the host of a reference: only one the user has registered, or one gh knows.
func (p Places) For(ref Reference) (Pulls, error) {
	switch ref.Service {
	case ServiceGitHub:
		gh, ok := FindGitHub(p.Dir, p.Environ)
		if !ok {
			return nil, &Failure{Call: "GitHub", Text: noGH}
		}
		return gh, nil
	case ServiceBitbucket:
		host := ref.Host + ref.Base
		if p.isRegistered(host) {
			return p.bitbucket(host), nil
		}
		return nil, fmt.Errorf("%s is not a registered host, so nothing is asked there; register it with 'viber forge add %s'", host, host)
	}
	return nil, fmt.Errorf("%s is no pull request", ref.Text)
}

// Host is For, with a short reference filled in: `#12` and `repo#12` belong to the repository one stands in.
func (p Places) Host(ctx context.Context, ref Reference) (Pulls, Reference, error) {
	host, err := p.For(ref)
	gh, isGitHub := host.(*GitHub)
	if isGitHub && !p.knowsGitHub(ctx, ref.Host) {
		gh.keepTokens()
	}
	if err != nil || !isGitHub || ref.Owner != "" && ref.Repo != "" {
		return host, ref, err
	}
	here, err := gh.Here(ctx)
	if err != nil {
		return nil, ref, err
	}
	ref.Host, ref.Owner = here.Host, here.Owner
	if ref.Repo == "" {
		ref.Repo = here.Repo
	}
	return host, ref, nil
}

// knowsGitHub reports whether the user works with the GitHub host: it is that of a remote here, or GH_HOST. gh would send an
// Enterprise token of the environment to any other host as well.
func (p Places) knowsGitHub(ctx context.Context, host string) bool {
	if host == "" || host == "github.com" || slices.ContainsFunc(p.Environ, func(kv string) bool { return strings.EqualFold(kv, "GH_HOST="+host) }) {
		return true
	}
	git := gitx.Git{Dir: p.Dir, Env: gitx.Env(p.Environ, p.Dir)}
	text, err := git.Out(ctx, "config", "--get-regexp", `^remote\..*\.url$`)
	for line := range strings.SplitSeq(text, "\n") {
		if _, address, _ := strings.Cut(line, " "); err == nil && p.remote(address).Host == host {
			return true
		}
	}
	return false
}

// Toward keeps the Enterprise tokens of the environment from the host of ref when ref is the address of an issue or pull request on a
// host the user does not work with: an address somebody pasted must not choose where a token goes (decisions 1.10).
func (g *GitHub) Toward(ctx context.Context, ref string) {
	link, ok := ParseLink(ref, "issues")
	if !ok {
		link, ok = PullLink(ref)
	}
	if ok && !(Places{Dir: g.Dir, Environ: g.Env}).knowsGitHub(ctx, strings.ToLower(link.Host)) {
		g.keepTokens()
	}
}

func (g *GitHub) keepTokens() { g.Env = slices.DeleteFunc(g.Env, isEnterpriseToken) }

func isEnterpriseToken(kv string) bool {
	key, _, _ := strings.Cut(kv, "=")
	return strings.EqualFold(key, "GH_ENTERPRISE_TOKEN") || strings.EqualFold(key, "GITHUB_ENTERPRISE_TOKEN")
}

func sameHost(registered, host string) bool {
	own, err := CheckHost(registered)
	return err == nil && own == host
}

func (p Places) bitbucket(host string) *Bitbucket {
	name, base, nested := strings.Cut(host, "/")
	if nested {
		base = "/" + base
	}
	b := &Bitbucket{rest: rest{host: name, base: base, client: p.Client, timeout: p.Timeout, wait: pause}}
	if b.client == nil {
		b.client = newClient()
	}
	if b.timeout == 0 {
		b.timeout = time.Minute
	}
	b.token = p.tokenOf(name)
	for _, text := range p.Repositories {
		if r, ok := p.repository(text); ok && r.Host+r.Base == host {
			b.Repos = append(b.Repos, r)
		}
	}
	return b
}

// tokenOf looks the token up once, when it is first needed.
func (p Places) tokenOf(host string) func(context.Context) (Token, error) {
	look := make(chan struct{}, 1)
	var token Token
	var err error
	known := false
	return func(ctx context.Context) (Token, error) {
		look <- struct{}{}
		defer func() { <-look }()
		if !known {
			git := gitx.Git{Dir: p.Home, Env: gitx.UserEnv(p.Environ)}
			token, err = findToken(ctx, p.Keys, git, host)
			known = true
		}
		return token, err
	}
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// repository reads HOST/PROJECT/REPO; only the last two parts are not the host's.
func (p Places) repository(text string) (Repo, bool) {
	parts := strings.Split(text, "/")
	n := len(parts)
	if n < 3 || !isOwnerName(parts[n-2]) || !isName(parts[n-1]) {
		return Repo{}, false
	}
	host, base, nested := strings.Cut(strings.Join(parts[:n-2], "/"), "/")
	if nested {
		base = "/" + base
	}
	return Repo{Service: ServiceBitbucket, Host: strings.ToLower(host), Base: base, Owner: parts[n-2], Repo: parts[n-1]}, true
}

// CheckHost reads a host as a person types it (git.example.com, https://git.example.com:8443/bitbucket) and returns it
// without scheme and without the port of https. It refuses http, logins, queries, and what is no host.
func CheckHost(text string) (string, error) {
	text = strings.TrimSuffix(strings.TrimSpace(text), "/")
	scheme, rest, has := strings.Cut(text, "://")
	if !has {
		scheme, rest = "https", text
	}
	if scheme != "https" {
		return "", fmt.Errorf("%q: only https hosts can be registered; a token would be readable on the way", Printable(text))
	}
	u, err := url.Parse("https://" + rest)
	if err != nil || !isHostAddress(u, rest) {
		return "", fmt.Errorf("%q is no host; write it as git.example.com, or git.example.com:8443/bitbucket", Printable(text))
	}
	host := strings.ToLower(u.Hostname())
	if host == "github.com" || strings.HasSuffix(host, ".github.com") {
		return "", fmt.Errorf("%s needs no registration: viber asks it through gh, with gh's login", host)
	}
	if port := u.Port(); port != "" && port != "443" {
		host += ":" + port
	}
	return host + u.Path, nil
}

// isHostAddress reports whether u, written as rest, is a host with its port and folder and nothing else.
func isHostAddress(u *url.URL, rest string) bool {
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(rest, " \t\r\n,\\@?#\"'") {
		return false
	}
	for label := range strings.SplitSeq(u.Hostname(), ".") {
		if !isName(label) {
			return false
		}
	}
	if _, port, has := strings.Cut(u.Host, ":"); has {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return false
		}
	}
	return u.Path == "" || allNames(strings.Split(u.Path[1:], "/"))
}

// Printable is a wrongly typed host or address in one line, without what may be a login in it.
func Printable(text string) string {
	if i := strings.LastIndex(text, "@"); i >= 0 {
		text = "...@" + text[i+1:]
	}
	return Line(text)
}

// Surroundings are what text is read by here. The remotes are only looked at for a text with a number in it that needs them.
func (p Places) Surroundings(ctx context.Context, text string) Surroundings {
	git := gitx.Git{Dir: p.Dir, Env: gitx.Env(p.Environ, p.Dir)}
	s := Surroundings{IsBranch: func(name string) bool {
		if l, ok := gitx.Find(p.Dir); ok && l.KeepsBranch(name) {
			return true
		}
		res, err := git.Read(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
		return err == nil && res.Code == 0
	}}
	for _, text := range p.Repositories {
		if r, ok := p.repository(text); ok {
			s.Others = append(s.Others, r)
		}
	}
	if strings.Contains(text, "#") || digits(strings.TrimSpace(text)) {
		s.Here = p.Here(ctx)
	}
	return s
}

// Here reads the repository of the working directory from its remotes, without asking a host.
func (p Places) Here(ctx context.Context) Repo {
	git := gitx.Git{Dir: p.Dir, Env: gitx.Env(p.Environ, p.Dir)}
	text, err := git.Out(ctx, "config", "--get-regexp", `^remote\..*\.(url|gh-resolved)$`)
	if err != nil {
		return Repo{}
	}
	base := baseRemote(readRemotes(text))
	for line := range strings.SplitSeq(text, "\n") {
		key, value, _ := strings.Cut(line, " ")
		if key == "remote."+base+".url" {
			return p.remote(value)
		}
	}
	return Repo{}
}

// remote reads the address of a remote: https://host/owner/repo.git, https://host/scm/key/repo.git, git@host:owner/repo,
// ssh://git@host:7999/key/repo.git.
func (p Places) remote(address string) Repo {
	host, path := "", ""
	if _, after, ok := strings.Cut(address, "://"); ok {
		host, path, _ = strings.Cut(after, "/")
	} else if before, after, ok := strings.Cut(address, ":"); ok && !strings.Contains(before, "/") && !filepath.IsAbs(address) {
		host, path = before, after
	}
	if i := strings.LastIndex(host, "@"); i >= 0 {
		host = host[i+1:]
	}
	name, _, _ := strings.Cut(strings.ToLower(host), ":")
	parts := strings.Split(strings.TrimSuffix(strings.Trim(path, "/"), ".git"), "/")
	n := len(parts)
	if name == "" || n < 2 || !isOwnerName(parts[n-2]) || !isName(parts[n-1]) {
		return Repo{}
	}
	for _, h := range p.Hosts {
		registered, err := CheckHost(h)
		full, base, nested := strings.Cut(registered, "/")
		own, _, _ := strings.Cut(full, ":")
		if err != nil || own != name {
			continue
		}
		r := Repo{Service: ServiceBitbucket, Host: full, Owner: parts[n-2], Repo: parts[n-1]}
		if !strings.HasPrefix(r.Owner, "~") {
			r.Owner = strings.ToUpper(r.Owner)
		}
		if nested {
			r.Base = "/" + base
		}
		return r
	}
	if n != 2 || !strings.Contains(name, ".") && !strings.HasPrefix(address, "https://") {
		return Repo{} // a host of ssh without a dot is an alias of the user's own, which gh can look up
	}
	return Repo{Service: ServiceGitHub, Host: name, Owner: parts[0], Repo: parts[1]}
}
