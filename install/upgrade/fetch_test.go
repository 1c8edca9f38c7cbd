package upgrade

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// releaseServer serves a release page of owner/viber; handle answers what a test overrides.
func releaseServer(t *testing.T, handle map[string]http.HandlerFunc) (Source, *httptest.Server) {
	t.Helper()
	mux := http.NewServeMux()
	for pattern, h := range handle {
		mux.HandleFunc(pattern, h)
	}
	server := httptest.NewTLSServer(mux)
	t.Cleanup(server.Close)
	source := server.URL + "/owner/viber"
	client := NewClient(source)
	client.Transport = server.Client().Transport
	return Source{URL: source, Client: client}, server
}

func text(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

func TestTagsComeFromTheAPIOrTheRedirect(t *testing.T) {
	limited := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-RateLimit-Remaining", "0")
		w.WriteHeader(http.StatusForbidden)
	}
	redirect := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/owner/viber/releases/tag/v1.4.0", http.StatusFound)
	}
	tests := map[string]struct {
		api, page http.HandlerFunc
		want      []string
		err       string
	}{
		"list":            {api: text(200, `[{"tag_name":"v1.3.0"},{"tag_name":"v1.4.0"},{"tag_name":"v9.0.0","draft":true}]`), want: []string{"v1.3.0", "v1.4.0"}},
		"limit":           {api: limited, page: redirect, want: []string{"v1.4.0"}},
		"too many":        {api: text(429, ""), page: redirect, want: []string{"v1.4.0"}},
		"limit, no page":  {api: limited, page: text(200, "x"), err: "viber upgrade --from FILE"},
		"not found":       {api: text(404, "{}"), err: "404"},
		"server error":    {api: text(500, "x"), err: "500"},
		"html":            {api: text(200, "<html>"), err: "not a list of releases"},
		"forbidden":       {api: text(403, ""), err: "403"},
		"redirect astray": {api: limited, page: func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/login", http.StatusFound) }, err: "which is no release"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if tt.page == nil {
				tt.page = text(404, "")
			}
			source, _ := releaseServer(t, map[string]http.HandlerFunc{
				"/api/v3/repos/owner/viber/releases": tt.api, "/owner/viber/releases/latest": tt.page,
			})
			got, _, err := source.Tags(context.Background())
			if !slices.Equal(got, tt.want) || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%v, %v; want %v, %q", got, err, tt.want, tt.err)
			}
		})
	}
}

func TestNewestSaysWhatIsNotThere(t *testing.T) {
	page := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/owner/viber/releases/tag/v1.4.0", http.StatusFound)
	}
	many := func(w http.ResponseWriter, r *http.Request) {
		var list []string
		for i := range 100 {
			list = append(list, fmt.Sprintf(`{"tag_name":"v3.%s.%d"}`, r.URL.Query().Get("page"), i))
		}
		if r.URL.Query().Get("page") == "3" {
			list = []string{`{"tag_name":"v1.0.0"}`}
		}
		_, _ = w.Write([]byte("[" + strings.Join(list, ",") + "]"))
	}
	tests := map[string]struct {
		api        http.HandlerFunc
		constraint string
		want       string // the version, or after "error: " a part of the message
	}{
		"nothing published":    {text(200, `[]`), "", "error: no release is published there yet"},
		"prereleases only":     {text(200, `[{"tag_name":"v1.0.0-rc.1"}]`), "", "error: no release is published there yet"},
		"none fits":            {text(200, `[{"tag_name":"v1.0.0"}]`), "~2", `error: no release fits "~2"`},
		"limit, and none fits": {text(429, ""), "~1.3", "error: only the newest release, v1.4.0, is known"},
		"limit, and it fits":   {text(429, ""), "~1.4", "1.4.0"},
		"no constraint":        {text(200, `[]`), "abc", `error: --version "abc"`},
		"on a later page":      {many, "~1.0", "1.0.0"},
		"newest of all pages":  {many, "", "3.2.99"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			source, _ := releaseServer(t, map[string]http.HandlerFunc{"/api/v3/repos/owner/viber/releases": tt.api, "/owner/viber/releases/latest": page})
			got, err := source.Newest(context.Background(), tt.constraint)
			if part, isError := strings.CutPrefix(tt.want, "error: "); isError {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("%v, %v; want %q", got, err, part)
				}
			} else if err != nil || got.String() != tt.want {
				t.Errorf("%v, %v; want %s", got, err, tt.want)
			}
		})
	}
}

func TestGetKeepsToItsBounds(t *testing.T) {
	other := httptest.NewTLSServer(text(200, "elsewhere"))
	defer other.Close()
	source, server := releaseServer(t, map[string]http.HandlerFunc{
		"/good":    text(200, "twelve bytes"),
		"/missing": text(404, "no"),
		"/astray":  func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL+"/x", http.StatusFound) },
		"/plain": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/x", http.StatusFound)
		},
		"/loop":      func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) },
		"/moved":     func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/good", http.StatusFound) },
		"/terraform": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-Terraform-Get", "/good") },
	})
	tests := map[string]struct {
		address string
		limit   int64
		want    string // content, or after "error: " a part of the message
	}{
		"whole":                  {server.URL + "/good", 12, "twelve bytes"},
		"redirect to known host": {server.URL + "/moved", 12, "twelve bytes"},
		"one byte too many":      {server.URL + "/good", 11, "error: larger than"},
		"missing":                {server.URL + "/missing", 12, "error: 404"},
		"to another host":        {server.URL + "/astray", 12, "error: not a host of the release source"},
		"to http":                {server.URL + "/plain", 12, "error: not https"},
		"endless":                {server.URL + "/loop", 12, "error: more than 5 redirects"},
		"http":                   {"http://127.0.0.1:1/x", 12, "error: not an https address"},
		"a forced getter":        {"git::" + server.URL + "/good", 12, "error: not an https address"},
		"terraform header":       {server.URL + "/terraform", 12, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dst := filepath.Join(t.TempDir(), "f")
			err := Fetcher{Client: source.Client}.Get(context.Background(), tt.address, dst, tt.limit)
			if part, isError := strings.CutPrefix(tt.want, "error: "); isError {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("%v, want %q", err, part)
				}
				return
			}
			if got, rerr := os.ReadFile(dst); err != nil || rerr != nil || string(got) != tt.want {
				t.Errorf("%q, %v, %v; want %q", got, err, rerr, tt.want)
			}
		})
	}
}

func TestErrorsNameTheWayOut(t *testing.T) {
	source, server := releaseServer(t, map[string]http.HandlerFunc{"/x": text(200, "x")})
	dst := filepath.Join(t.TempDir(), "f")
	untrusted := Fetcher{Client: NewClient(source.URL)}
	if err := untrusted.Get(context.Background(), server.URL+"/x", dst, 10); err == nil || !strings.Contains(err.Error(), trust(runtime.GOOS)) {
		t.Errorf("private CA: %v", err)
	}
	server.Close()
	if err := (Fetcher{Client: source.Client}).Get(context.Background(), server.URL+"/x", dst, 10); err == nil || !strings.Contains(err.Error(), "--from FILE") {
		t.Errorf("offline: %v", err)
	}
}

func TestNamesAreExact(t *testing.T) {
	if got := Name("1.2.3", "windows", "arm64"); got != "viber_1.2.3_windows_arm64.zip" {
		t.Error(got)
	}
	if got := (Source{URL: "https://github.com/o/viber"}).AssetURL("1.2.3", Name("1.2.3", "linux", "amd64")); got != "https://github.com/o/viber/releases/download/v1.2.3/viber_1.2.3_linux_amd64.tar.gz" {
		t.Error(got)
	}
}

// A proxy is used, and one that refuses is named without its password.
func TestAProxyIsUsedAndNamed(t *testing.T) {
	source, server := releaseServer(t, map[string]http.HandlerFunc{"/x": text(200, "x")})
	get := func(proxy http.HandlerFunc) (string, error) {
		p := httptest.NewServer(proxy)
		defer p.Close()
		client := NewClient(source.URL)
		transport := client.Transport.(*http.Transport)
		transport.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig
		transport.Proxy = func(*http.Request) (*url.URL, error) {
			return url.Parse(strings.Replace(p.URL, "http://", "http://me:secret@", 1))
		}
		dst := filepath.Join(t.TempDir(), "f")
		err := Fetcher{Client: client}.Get(context.Background(), server.URL+"/x", dst, 10)
		data, _ := os.ReadFile(dst)
		return string(data), err
	}
	tunnels := 0
	data, err := get(func(w http.ResponseWriter, r *http.Request) {
		tunnels++
		to, err := net.Dial("tcp", r.Host)
		if err != nil {
			t.Error(err)
			return
		}
		defer to.Close()
		w.WriteHeader(http.StatusOK)
		from, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer from.Close()
		go func() { _, _ = io.Copy(to, from) }()
		_, _ = io.Copy(from, to)
	})
	if data != "x" || err != nil || tunnels != 1 {
		t.Errorf("through the proxy: %q, %v, %d tunnels", data, err, tunnels)
	}
	for _, status := range []int{http.StatusProxyAuthRequired, http.StatusForbidden, http.StatusBadGateway} {
		_, err := get(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		if err == nil || !strings.Contains(err.Error(), http.StatusText(status)) || !strings.Contains(err.Error(), "HTTPS_PROXY") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%d: %v", status, err)
		}
	}
}
