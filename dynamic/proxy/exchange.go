package proxy

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// exchange sends the request and reads the answer. Each redirect is checked
// like the request itself, and each connection by the client.
func (p *proxy) exchange(r *http.Request, t *target) (*wire.ProxyAnswer, error) {
	begin := p.Now()
	client := http.Client{Transport: p.Client.Transport, CheckRedirect: func(next *http.Request, via []*http.Request) error {
		next.Header.Del("Referer")
		if len(via) > redirectsMax {
			return problem(http.StatusBadGateway, "The publisher's server redirects too often.")
		}
		return t.allows(next.URL)
	}}
	resp, err := client.Do(r)
	if err != nil {
		return nil, failed(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, wire.ProxyBodyMax+1))
	if err != nil {
		return nil, failed(err)
	}
	a := &wire.ProxyAnswer{Status: resp.StatusCode, Headers: headersOf(resp.Header), URL: resp.Request.URL.String(), Curl: curl(r)}
	if a.Truncated = len(body) > wire.ProxyBodyMax; a.Truncated {
		body = body[:wire.ProxyBodyMax]
	}
	setBody(a, body)
	a.DurationMS = max(0, p.Now().Sub(begin).Milliseconds())
	return a, nil
}

// setBody gives text as it is, all else in base64. A cut through a character
// makes no text of another kind.
func setBody(a *wire.ProxyAnswer, body []byte) {
	text := body
	if a.Truncated {
		text = wholeRunes(body)
	}
	if utf8.Valid(text) && bytes.IndexByte(text, 0) < 0 {
		s := string(text)
		a.Body = &s
		return
	}
	s := base64.StdEncoding.EncodeToString(body)
	a.BodyBase64 = &s
}

// wholeRunes leaves out the beginning of a character at the end.
func wholeRunes(b []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if last := b[len(b)-n:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return b[:len(b)-n]
			}
			break
		}
	}
	return b
}

// headersOf are the headers that may travel back, several values of one name
// joined by commas (RFC 9110, section 5.3).
func headersOf(h http.Header) map[string]string {
	out := map[string]string{}
	for name, values := range h {
		if strings.Contains(strings.ToLower(name), "cookie") || hopByHop(name) {
			continue
		}
		out[name] = strings.ToValidUTF8(strings.Join(values, ", "), "\uFFFD")
	}
	return out
}

func hopByHop(name string) bool {
	return slices.Contains([]string{"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}, name)
}

// refusal is an error of the guarded client: the address is none that may be
// connected to.
type refusal interface {
	error
	Refused() bool
}

// failed tells why no answer came, and nothing about the network inside.
func failed(err error) error {
	var own *web.Error
	var r refusal
	var e *web.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &r) && r.Refused():
		e = problem(http.StatusForbidden, "The host leads to an address that may not be asked.")
	case errors.Is(err, context.DeadlineExceeded):
		e = problem(http.StatusGatewayTimeout, "The publisher's server did not answer within 10 seconds.")
	default:
		e = problem(http.StatusBadGateway, "The publisher's server could not be reached, or its answer could not be read.")
	}
	e.Cause = err
	return e
}

// curl is a command line that asks the same, quoted for a POSIX shell.
func curl(r *http.Request) string {
	parts := []string{"curl -sS -L --max-redirs 5 --max-time 10"}
	if r.Method == http.MethodHead {
		parts = append(parts, "-I")
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		parts = append(parts, "-H "+quote(name+": "+r.Header.Get(name)))
	}
	return strings.Join(append(parts, quote(r.URL.String())), " ")
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
