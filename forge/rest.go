package forge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Bounds of what is read from a host.
const (
	maxAnswer = 16 << 20  // bytes of one JSON answer
	maxPatch  = 512 << 20 // bytes of one diff
	maxPages  = 40
	// maxRetryAfter is the longest a host that is busy is waited for.
	maxRetryAfter = 20 * time.Second
)

// rest speaks with one https server. The token goes to that server alone: a redirect to another host ends the call.
type rest struct {
	host    string // name and port
	base    string // folder of the server, without a slash at its end
	client  *http.Client
	token   func(ctx context.Context) (Token, error)
	timeout time.Duration
	wait    func(ctx context.Context, d time.Duration) error
}

// newClient bounds what Go's client would do by itself: no redirect to another host or away from https, no long silence.
// It honours HTTPS_PROXY and the system's certificates (SSL_CERT_FILE, SSL_CERT_DIR).
func newClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = 60 * time.Second
	return &http.Client{Transport: transport}
}

func (c *rest) bound(client *http.Client) *http.Client {
	own := *client
	own.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		switch {
		case len(via) > 3:
			return errors.New("it redirects in circles")
		case req.URL.Scheme != "https" || !strings.EqualFold(req.URL.Host, c.host):
			return fmt.Errorf("it redirects to %s; a token is only ever sent to the host it belongs to", req.URL.Host)
		}
		return nil
	}
	return &own
}

// call is one request: its path below the API's root, its query and its body.
type call struct {
	method, path string
	query        url.Values
	accept       string
	body         []byte
}

func (c call) name(host string) string { return c.method + " https://" + host + c.path }

// do sends one request; a host that is busy and says for how long is asked once more.
func (c *rest) do(ctx context.Context, what call) (*http.Response, error) {
	for again := false; ; again = true {
		resp, err := c.once(ctx, what)
		if err != nil {
			return nil, err
		}
		after := retryAfter(resp)
		if resp.StatusCode != http.StatusTooManyRequests || again || after > maxRetryAfter {
			return resp, nil
		}
		resp.Body.Close()
		if err := c.wait(ctx, after); err != nil {
			return nil, c.failure(what, err.Error(), "")
		}
	}
}

func (c *rest) once(ctx context.Context, what call) (*http.Response, error) {
	address := url.URL{Scheme: "https", Host: c.host, Path: c.base + what.path, RawQuery: what.query.Encode()}
	if decoded, err := url.PathUnescape(c.base + what.path); err == nil {
		address.Path, address.RawPath = decoded, c.base+what.path
	}
	req, err := http.NewRequestWithContext(ctx, what.method, address.String(), bytes.NewReader(what.body))
	if err != nil {
		return nil, c.failure(what, "the address cannot be used", "")
	}
	token, err := c.token(ctx)
	if err != nil {
		return nil, c.failure(what, err.Error(), "")
	}
	token.set(req)
	req.Header.Set("Accept", what.accept)
	req.Header.Set("User-Agent", "viber")
	req.Header.Set("X-Atlassian-Token", "no-check")
	if len(what.body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.bound(c.client).Do(req)
	if err != nil {
		return nil, c.failure(what, plain(err), unreachable(err))
	}
	return resp, nil
}

func (c *rest) failure(what call, text, hint string) *Failure {
	return &Failure{Call: what.name(c.host), Text: Line(text), Hint: hint}
}

// plain is the cause of a transport's error, without the address in front of it.
func plain(err error) string {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		if wrapped.Timeout() {
			return "no answer in time"
		}
		err = wrapped.Err
	}
	switch {
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was cut off"
	}
	return err.Error()
}

func unreachable(err error) string {
	text := err.Error()
	switch {
	case strings.Contains(text, "certificate"):
		return "the host's certificate is not trusted here: SSL_CERT_FILE names a file of certificates"
	case strings.Contains(text, "no such host"), strings.Contains(text, "refused"), strings.Contains(text, "unreachable"), strings.Contains(text, "proxyconnect"):
		return "the host cannot be reached: check its name, the network and HTTPS_PROXY"
	}
	return ""
}

// get reads a JSON answer.
func (c *rest) get(ctx context.Context, path string, query url.Values, into any) (http.Header, error) {
	return c.exchange(ctx, call{method: http.MethodGet, path: path, query: query, accept: "application/json"}, into)
}

// exchange sends a request and reads the JSON it is answered with; into may be nil.
func (c *rest) exchange(ctx context.Context, what call, into any) (http.Header, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	resp, err := c.do(ctx, what)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		return nil, c.refused(what, resp, body)
	case err != nil:
		return nil, c.failure(what, plain(err), "")
	case len(body) > maxAnswer:
		return nil, c.failure(what, fmt.Sprintf("the answer is larger than %d MB", maxAnswer>>20), "")
	case resp.StatusCode == http.StatusNoContent || into == nil:
		return resp.Header, nil
	case isPage(resp, body):
		return nil, c.failure(what, "it answers with a web page, not with JSON", "is this the address of a Bitbucket Server, and not of a login page or proxy?")
	}
	if err := json.Unmarshal(body, into); err != nil {
		return nil, c.failure(what, "the answer is no JSON as it is documented: "+err.Error(), "")
	}
	return resp.Header, nil
}

// stream copies an answer in plain text to w.
func (c *rest) stream(ctx context.Context, path string, query url.Values, w io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	what := call{method: http.MethodGet, path: path, query: query, accept: "text/plain"}
	resp, err := c.do(ctx, what)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
		return c.refused(what, resp, body)
	}
	if isPage(resp, nil) {
		return c.failure(what, "it answers with a web page, not with a diff", "is this the address of a Bitbucket Server, and not of a login page or proxy?")
	}
	n, err := io.Copy(w, io.LimitReader(resp.Body, maxPatch+1))
	if err == nil && n > maxPatch {
		err = fmt.Errorf("the diff is larger than %d MB", maxPatch>>20)
	}
	if err != nil {
		return c.failure(what, plain(err), "nothing was kept; try again")
	}
	return nil
}

func isPage(resp *http.Response, body []byte) bool {
	head := strings.ToLower(string(body[:min(len(body), 64)]))
	return strings.Contains(resp.Header.Get("Content-Type"), "text/html") || strings.HasPrefix(strings.TrimSpace(head), "<")
}

// refused is the one line about an answer that is not a success.
func (c *rest) refused(what call, resp *http.Response, body []byte) *Failure {
	text := strconv.Itoa(resp.StatusCode) + " " + http.StatusText(resp.StatusCode)
	if said := spoken(body); said != "" {
		text += ": " + said
	}
	hint := ""
	switch resp.StatusCode {
	case http.StatusUnauthorized:
		hint = "the token is missing, wrong or expired: store a new one with 'viber forge login " + c.host + "'"
	case http.StatusForbidden:
		hint = "the token may not do this: it needs read access to repositories, and write access to comment"
	case http.StatusNotFound:
		hint = "there is no such project, repository or pull request, or the token may not see it"
	case http.StatusConflict:
		hint = "it changed meanwhile, or is closed: look at it and start again"
	case http.StatusTooManyRequests:
		hint = "too many requests: try again later"
		if after := retryAfter(resp); after > 0 {
			hint = fmt.Sprintf("too many requests: try again in %s", after.Round(time.Second))
		}
	default:
		if resp.StatusCode >= 500 {
			hint = "the host has a fault: try again later"
		}
	}
	return &Failure{Call: what.name(c.host), Text: Line(text), Hint: hint, Status: resp.StatusCode}
}

// spoken is what a Bitbucket Server says about an error, in one short line.
func spoken(body []byte) string {
	var said struct{ Errors []struct{ Message string } }
	if json.Unmarshal(body, &said) != nil || len(said.Errors) == 0 {
		return ""
	}
	text := []rune(Line(said.Errors[0].Message))
	return string(text[:min(len(text), 300)])
}

func retryAfter(resp *http.Response) time.Duration {
	text := resp.Header.Get("Retry-After")
	if n, err := strconv.Atoi(text); err == nil && n >= 0 {
		return time.Duration(n) * time.Second
	}
	return time.Second
}
