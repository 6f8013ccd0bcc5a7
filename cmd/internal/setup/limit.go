package setup

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	gopath "path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/net/idna"

	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/catalog"
)

// limited is the value of a flag with a rule of its own, which an empty one
// keeps: it leaves the setting to its default.
type limited struct {
	pflag.Value
	standard string
	check    func(string) error
}

func (l limited) Set(s string) error {
	if s == "" && l.Type() == "string" {
		return l.Value.Set(l.standard)
	}
	if err := l.Value.Set(s); err != nil || s == "" {
		return err
	}
	return l.check(s)
}

// Limit gives the flag a rule for its values, however they are given.
func Limit(f *pflag.Flag, check func(string) error) {
	f.Value = limited{f.Value, f.DefValue, check}
	if f.DefValue == "[]" {
		f.DefValue = ""
	}
}

// Bounds of numbers and durations that have none of their own.
const (
	Any     = math.MaxInt32
	Forever = 100 * 365 * 24 * time.Hour
)

// Between takes whole numbers.
func Between(least, most int) func(string) error {
	return func(s string) error {
		if n, err := strconv.Atoi(s); err == nil && (n < least || n > most) {
			if most == Any {
				return remedy(fmt.Sprintf("use at least %d", least))
			}
			return remedy(fmt.Sprintf("use %d to %d", least, most))
		}
		return nil // what is no number, the flag refuses
	}
}

// Span takes durations.
func Span(least, most time.Duration) func(string) error {
	return func(s string) error {
		if d, err := time.ParseDuration(s); err == nil && (d < least || d > most) {
			if most == Forever {
				return remedy("use at least " + Short(least))
			}
			return remedy(fmt.Sprintf("use %s to %s", Short(least), Short(most)))
		}
		return nil // what is no duration, the flag refuses
	}
}

// SpanOrNever takes durations, and 0.
func SpanOrNever(least, most time.Duration) func(string) error {
	return func(s string) error {
		if d, err := time.ParseDuration(s); err == nil && d == 0 {
			return nil
		}
		if err := Span(least, most)(s); err != nil {
			return remedy(err.Error() + ", or 0s for never")
		}
		return nil
	}
}

// Short is a duration without its trailing zeros.
func Short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}

// Rate takes numbers above 0.
func Rate(most float64) func(string) error {
	return func(s string) error {
		if n, err := strconv.ParseFloat(s, 64); err == nil && !(n > 0 && n <= most) {
			return remedy(fmt.Sprintf("use more than 0 and at most %g", most))
		}
		return nil
	}
}

// OneOf takes the given words.
func OneOf(words ...string) func(string) error {
	return func(s string) error {
		if slices.Contains(words, s) {
			return nil
		}
		text := "use " + strings.Join(words, ", ")
		if n := len(words); n > 1 {
			text = "use " + strings.Join(words[:n-1], ", ") + " or " + words[n-1]
		}
		return remedy(text)
	}
}

// Each holds every value of a list to a rule.
func Each(check func(string) error) func(string) error {
	return func(s string) error {
		for _, v := range strings.Split(s, ",") {
			if err := check(v); err != nil {
				return remedy(fmt.Sprintf("%q: %s", v, err))
			}
		}
		return nil
	}
}

// License takes the SPDX ids of the licences that the register knows.
func License(s string) error {
	all, err := reference.Licences()
	if err != nil {
		return err
	}
	var ids []string
	for i := range all {
		if !strings.Contains(all[i].Source, "SPDX") {
			continue // an id of the register's own, which has no address at SPDX
		}
		if all[i].ID == s {
			return nil
		}
		ids = append(ids, all[i].ID)
	}
	if near := Nearest(s, ids); near != "" {
		return remedy("use the SPDX id of a licence, such as " + near)
	}
	return remedy("use the SPDX id of a licence for data, such as CC0-1.0 or CC-BY-4.0")
}

// Contact takes an address of mail or of the web.
func Contact(s string) error {
	if catalog.CheckMail("contact", strings.TrimPrefix(s, "mailto:")) == nil || web(s) {
		return nil
	}
	return remedy("use an address of mail or of the web, such as register@example.org or https://example.org/contact")
}

// BaseURL takes the address of a site, in the one spelling that every program
// writes (RFC 3986, section 6.2): links and documents begin with it letter by
// letter.
func BaseURL(s string) error {
	u, err := url.Parse(s)
	if err != nil || !web(s) || u.RawQuery != "" || u.ForceQuery || strings.Contains(s, "#") {
		return remedy("use an absolute address without query or fragment, such as https://register.example")
	}
	host, err := idna.Lookup.ToASCII(u.Hostname())
	if err != nil {
		return remedy("use a host name or an IPv4 address, such as https://register.example")
	}
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	if path != "" && (!plainPath.MatchString(path) || path != gopath.Clean(path)) {
		return remedy("use a path of letters, digits and - . _ ~, such as https://register.example/register")
	}
	if port := u.Port(); port != "" && port != map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return remedy("use a port from 1 to 65535")
		}
		host = net.JoinHostPort(host, port)
	}
	if one := u.Scheme + "://" + host + path; one != strings.TrimSuffix(s, "/") {
		return remedy("write " + one)
	}
	return nil
}

// Origin takes the address of a site without a path (RFC 6454, section 6.2).
func Origin(s string) error {
	if u, err := url.Parse(s); err == nil && u.Path != "" {
		return remedy("use scheme, host and port alone, such as https://agent.example or http://localhost:6274")
	}
	return BaseURL(s)
}

// plainPath are the paths that no program escapes: segments of unreserved
// characters (RFC 3986, section 2.3).
var plainPath = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`)

// URL takes addresses of the web, as the register keeps them.
func URL(s string) error {
	var bad *catalog.FieldError
	if err := catalog.CheckURL("url", s); errors.As(err, &bad) {
		return remedy(bad.Remedy + ", such as https://example.org/")
	}
	return nil
}

func web(s string) bool { return catalog.CheckURL("url", s) == nil }

// Line takes one line of text of so many bytes at most.
func Line(most int) func(string) error {
	return func(s string) error {
		if strings.ContainsAny(s, "\r\n\t") || strings.TrimSpace(s) == "" || catalog.CheckText("", s, most) != nil {
			return remedy(fmt.Sprintf("use one line of text of at most %d bytes, without control characters", most))
		}
		return nil
	}
}

// Address takes a host and a port; the host of what is served on may be empty.
func Address(s string) error {
	_, port, err := net.SplitHostPort(s)
	if n, e := strconv.ParseUint(port, 10, 16); err != nil || e != nil || n > 65535 {
		return remedy("use host:port, such as 127.0.0.1:8080")
	}
	return nil
}

// Store takes the address of a store.
func Store(s string) error {
	scheme, rest, ok := strings.Cut(s, ":")
	if ok && (scheme == "sqlite" && rest != "" || scheme == "postgres" || scheme == "postgresql") {
		return nil
	}
	return remedy("use sqlite:PATH or postgres://…")
}

// Mail takes an address of mail.
func Mail(s string) error {
	if catalog.CheckMail("mail", s) != nil {
		return remedy("use an address such as office@example.org")
	}
	return nil
}

// Mailbox takes an address of mail, with a name or without (RFC 5322, 3.4).
func Mailbox(s string) error {
	if _, err := mail.ParseAddress(s); err != nil {
		return remedy(`use an address such as "Register <register@example.org>"`)
	}
	return nil
}

// Country takes the shape of a country code.
func Country(s string) error {
	if !catalog.CountryShape(strings.ToUpper(s)) {
		return remedy("use two letters (ISO 3166-1 alpha-2)")
	}
	return nil
}

// Host takes names and addresses of hosts.
func Host(s string) error {
	u, err := url.Parse("http://" + s + "/")
	if err != nil || u.Hostname() != s && !(strings.Contains(s, ":") && u.Host == s) || strings.ContainsAny(s, "/ ") {
		return remedy("use a host such as example.org")
	}
	return nil
}

// Network takes addresses and networks.
func Network(s string) error {
	_, one := netip.ParseAddr(s)
	if _, err := netip.ParsePrefix(s); err != nil && one != nil {
		return remedy("use an address or a network such as 10.0.0.0/8")
	}
	return nil
}

// Instant takes points in time.
func Instant(s string) error {
	if _, err := time.Parse(time.RFC3339, s); err != nil {
		return remedy("use an instant such as 2026-11-21T06:00:00Z")
	}
	return nil
}

// Target takes where a site is published to.
func Target(s string) error {
	scheme, rest, _ := strings.Cut(s, "://")
	if rest == "" || scheme != "s3" && scheme != "file" {
		return remedy("use s3://BUCKET/PREFIX or file://DIR")
	}
	return nil
}

// Endpoint takes the host of an object store, with its scheme or without.
func Endpoint(s string) error {
	if !strings.Contains(s, "://") {
		s = "https://" + s
	}
	if u, err := url.Parse(s); err != nil || !web(s) || strings.Trim(u.Path, "/") != "" {
		return remedy("use a host such as s3.example.org, or http://127.0.0.1:9000 for one without TLS")
	}
	return nil
}
