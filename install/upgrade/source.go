package upgrade

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// Source is where releases are published: a repository page such as https://github.com/owner/viber, with the release
// pages, downloads and API of GitHub or GitHub Enterprise.
type Source struct {
	URL    string
	Client *http.Client
}

const (
	listLimit     = 8 << 20  // bytes of a page of the release list
	listPage      = 100      // releases on a page
	listPages     = 10       // pages that are read
	redirectLimit = 5        // hops of one download
	archiveLimit  = 64 << 20 // bytes of an archive, and of the program in it
	textLimit     = 1 << 20  // bytes of a checksums or signature file
)

// errRateLimit says that the API answers no more questions for now.
var errRateLimit = errors.New("the API's request limit is used up")

// Tags returns the tags of the published releases. When the API's limit is used up it returns the one tag the release page
// redirects to, and partial is true.
func (s Source) Tags(ctx context.Context) (tags []string, partial bool, err error) {
	tags, err = s.listed(ctx)
	if !errors.Is(err, errRateLimit) {
		return tags, false, err
	}
	latest, lerr := s.latest(ctx)
	if lerr != nil {
		return nil, false, fmt.Errorf("%w; try again later, or download an archive and run `viber upgrade --from FILE`", errors.Join(err, lerr))
	}
	return []string{latest}, true, nil
}

// Newest returns the newest release that constraint allows.
func (s Source) Newest(ctx context.Context, constraint string) (*semver.Version, error) {
	tags, partial, err := s.Tags(ctx)
	if err != nil {
		return nil, err
	}
	version, err := Newest(tags, constraint)
	switch {
	case err != nil && partial:
		return nil, fmt.Errorf("%w (%w, so only the newest release, %s, is known; try again later)", err, errRateLimit, tags[0])
	case errors.Is(err, errNoneFits) && constraint == "":
		return nil, fmt.Errorf("%s: no release is published there yet", s.URL)
	}
	return version, err
}

// AssetURL returns the address of a file of the release tagged v<version>.
func (s Source) AssetURL(version, name string) string {
	return strings.TrimSuffix(s.URL, "/") + "/releases/download/v" + url.PathEscape(version) + "/" + url.PathEscape(name)
}

// listed reads the pages of the API's list, newest first.
func (s Source) listed(ctx context.Context) ([]string, error) {
	address, err := s.apiURL()
	if err != nil {
		return nil, err
	}
	var tags []string
	for page := 1; page <= listPages; page++ {
		releases, err := s.page(ctx, fmt.Sprintf("%s?per_page=%d&page=%d", address, listPage, page))
		if err != nil {
			return nil, err
		}
		for _, r := range releases {
			if !r.Draft {
				tags = append(tags, r.Tag)
			}
		}
		if len(releases) < listPage {
			break
		}
	}
	return tags, nil
}

type listedRelease struct {
	Tag   string `json:"tag_name"`
	Draft bool   `json:"draft"`
}

func (s Source) page(ctx context.Context, address string) ([]listedRelease, error) {
	resp, err := s.get(ctx, s.Client, address)
	if err != nil {
		return nil, explain(address, err)
	}
	defer resp.Body.Close()
	if err := apiStatus(resp, address); err != nil {
		return nil, err
	}
	var releases []listedRelease
	if err := json.NewDecoder(io.LimitReader(resp.Body, listLimit)).Decode(&releases); err != nil {
		return nil, fmt.Errorf("%s: not a list of releases: %w", address, err)
	}
	return releases, nil
}

func apiStatus(resp *http.Response, address string) error {
	switch resp.StatusCode {
	case http.StatusOK:
		return nil
	case http.StatusTooManyRequests:
		return errRateLimit
	case http.StatusForbidden:
		if resp.Header.Get("X-RateLimit-Remaining") == "0" || resp.Header.Get("Retry-After") != "" {
			return errRateLimit
		}
	case http.StatusNotFound:
		return fmt.Errorf("%s: no releases there (404)", address)
	}
	return fmt.Errorf("%s: the server answered %s", address, resp.Status)
}

// latest reads the tag from the release page's redirect, which is not counted against the API's limit.
func (s Source) latest(ctx context.Context) (string, error) {
	address := strings.TrimSuffix(s.URL, "/") + "/releases/latest"
	client := *s.Client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := s.get(ctx, &client, address)
	if err != nil {
		return "", explain(address, err)
	}
	defer resp.Body.Close()
	location, err := resp.Location()
	if err != nil {
		return "", fmt.Errorf("%s: no redirect to a release", address)
	}
	dir, tag := path.Split(location.Path)
	if !strings.HasSuffix(dir, "/releases/tag/") || tag == "" {
		return "", fmt.Errorf("%s: redirects to %s, which is no release", address, location.Path)
	}
	return tag, nil
}

func (s Source) get(ctx context.Context, client *http.Client, address string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "viber")
	return client.Do(req)
}

func (s Source) apiURL() (string, error) {
	u, err := url.Parse(s.URL)
	if err != nil || u.Scheme != "https" || u.Host == "" {
		return "", fmt.Errorf("release source %q: not an https address", s.URL)
	}
	repo := strings.Trim(u.Path, "/")
	if u.Host == "github.com" {
		return "https://api.github.com/repos/" + repo + "/releases", nil
	}
	return "https://" + u.Host + "/api/v3/repos/" + repo + "/releases", nil
}

// hosts are the hosts a download from the source may be sent to.
func (s Source) hosts() []string {
	u, err := url.Parse(s.URL)
	if err != nil {
		return nil
	}
	if u.Host == "github.com" {
		return []string{"github.com", "api.github.com", "objects.githubusercontent.com", "release-assets.githubusercontent.com"}
	}
	return []string{u.Host}
}

// Name is the exact name of the archive of version for a system; there is no guessing.
func Name(version, goos, goarch string) string {
	ext := ".tar.gz"
	if goos == "windows" {
		ext = ".zip"
	}
	return "viber_" + version + "_" + goos + "_" + goarch + ext
}

// ChecksumsName is the name of the release's list of sha256 sums.
func ChecksumsName(version string) string { return "viber_" + version + "_checksums.txt" }
