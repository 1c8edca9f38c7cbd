package upgrade

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	getter "github.com/hashicorp/go-getter/v2"
)

// NewClient returns the only HTTP client of an upgrade: https, a bounded number of redirects, and only to the hosts of
// the source. It honours HTTPS_PROXY and the system's certificates (SSL_CERT_FILE, SSL_CERT_DIR).
func NewClient(source string) *http.Client {
	hosts := Source{URL: source}.hosts()
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = 30 * time.Second
	transport.OnProxyConnectResponse = func(_ context.Context, proxy *url.URL, _ *http.Request, resp *http.Response) error {
		if resp.StatusCode != http.StatusOK {
			return &proxyError{proxy.Host, resp.Status}
		}
		return nil
	}
	return &http.Client{
		Transport: transport,
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			switch {
			case len(via) > redirectLimit:
				return fmt.Errorf("more than %d redirects", redirectLimit)
			case req.URL.Scheme != "https":
				return fmt.Errorf("redirected to %s, which is not https", req.URL.Redacted())
			case !slices.Contains(hosts, req.URL.Host):
				return fmt.Errorf("redirected to %s, which is not a host of the release source", req.URL.Host)
			}
			return nil
		},
	}
}

// Fetcher downloads single files.
type Fetcher struct {
	Client *http.Client
	// Progress, when set, is told about each download's bytes.
	Progress func(name string, done, total int64)
}

// Get downloads address into the new file dst, at most limit bytes.
func (f Fetcher) Get(ctx context.Context, address, dst string, limit int64) error {
	if u, err := url.Parse(address); err != nil || u.Scheme != "https" {
		return fmt.Errorf("%s: not an https address", address)
	}
	client := &getter.Client{
		Getters: []getter.Getter{&getter.HttpGetter{
			Client: f.Client, MaxBytes: limit + 1, XTerraformGetDisabled: true, DoNotCheckHeadFirst: f.Progress == nil,
			HeadFirstTimeout: 30 * time.Second, ReadTimeout: 10 * time.Minute,
			Header: http.Header{"User-Agent": {"viber"}},
		}},
		Decompressors:   map[string]getter.Decompressor{},
		DisableSymlinks: true,
	}
	req := &getter.Request{Src: address, Dst: dst, GetMode: getter.ModeFile, Umask: 0o077}
	if f.Progress != nil {
		req.ProgressListener = tracker{f.Progress}
	}
	if _, err := client.Get(ctx, req); err != nil {
		return explain(address, err)
	}
	if info, err := os.Stat(dst); err != nil || info.Size() > limit {
		return fmt.Errorf("%s: larger than %d MB, which no release is", address, limit>>20)
	}
	return nil
}

// proxyError says that the proxy was reached and refused.
type proxyError struct{ host, status string }

func (e *proxyError) Error() string { return "the proxy " + e.host + " answered " + e.status }

// explain says in one line what went wrong on the way to address, and names the variables that lead there.
func explain(address string, err error) error {
	host := address
	if u, perr := url.Parse(address); perr == nil {
		host = u.Host
	}
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	var proxy *proxyError
	var op *net.OpError
	var dns *net.DNSError
	switch {
	case errors.As(err, &unknown), errors.As(err, &invalid), errors.As(err, &name):
		return fmt.Errorf("%s: its certificate is not trusted here; behind a proxy with its own CA %s: %w", host, trust(runtime.GOOS), cause(err))
	case errors.As(err, &proxy):
		return fmt.Errorf("%s: %w; check HTTPS_PROXY (http://USER:PASSWORD@HOST:PORT where it asks for a login) and NO_PROXY", host, proxy)
	case errors.As(err, &op) && op.Op == "proxyconnect":
		return fmt.Errorf("%s: the proxy does not answer; check HTTPS_PROXY and NO_PROXY: %w", host, cause(err))
	case errors.As(err, &dns), errors.As(err, &op):
		return fmt.Errorf("%s: not reachable; behind a proxy set HTTPS_PROXY, offline hand over a local copy (`viber upgrade --from FILE`, `viber plugin add FOLDER`): %w", host, cause(err))
	}
	return fmt.Errorf("%s: %w", address, cause(err))
}

// trust is how a system is told about a certificate authority.
func trust(goos string) string {
	if goos == "windows" || goos == "darwin" {
		return "add that CA to the system's certificates"
	}
	return "set SSL_CERT_FILE to that CA's file"
}

// cause cuts the chain of wrappers down to the last, plainest error.
func cause(err error) error {
	for {
		var urlErr *url.Error
		if errors.As(err, &urlErr) {
			err = urlErr.Err
			continue
		}
		return err
	}
}

type tracker struct {
	report func(name string, done, total int64)
}

// TrackProgress implements getter.ProgressTracker.
func (t tracker) TrackProgress(src string, done, total int64, stream io.ReadCloser) io.ReadCloser {
	name := src[strings.LastIndex(src, "/")+1:]
	return &counted{ReadCloser: stream, done: done, report: func(n int64) { t.report(name, n, total) }}
}

type counted struct {
	io.ReadCloser
	done   int64
	report func(done int64)
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.done += int64(n)
	c.report(c.done)
	return n, err
}
