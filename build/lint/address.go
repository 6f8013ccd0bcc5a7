package lint

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/assay-register/assay/build/harvest/openapidoc"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/lint"
)

var (
	scheme   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)
	hostPath = regexp.MustCompile(`^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+(:\d+)?(/\S*)?$`)
	fileName = regexp.MustCompile(`(?i)^[^/:@\s]+\.(jpe?g|png|gif|svg|webp|html?|pdf|css|js|json|ya?ml|xml|csv)$`)
	secondAt = regexp.MustCompile(`(?i)https?:/{1,2}`)
	unfit    = regexp.MustCompile("[ \\t\\n\"<>\\\\^`{|}]")
)

// archives hold the address of what they keep in their own.
var archives = []string{"web.archive.org", "webarchive.nationalarchives.gov.uk", "archive.today", "purl.org", "n2t.net"}

// address looks at an address of the web. v is the value without white space.
func (l *linter) address(at lint.Record, m *member, v string) {
	lower := strings.ToLower(v)
	switch mails := source.Mails(v); {
	case strings.HasPrefix(lower, "mailto:"), strings.HasPrefix(lower, "urn:"), strings.HasPrefix(lower, "doi:"), strings.HasPrefix(lower, "data:"):
	case strings.HasPrefix(lower, "http://"), strings.HasPrefix(lower, "https://"):
		l.web(at, m, v)
	case len(mails) == 1 && mails[0] == v:
		l.found("url.mail", at, m, "", "mailto:"+v)
	case len(mails) > 0 && !strings.Contains(v, "/"):
		l.found("url.mail", at, m, fmt.Sprintf("%d e-mail addresses stand where an address of the web belongs", len(mails)), "mailto:"+mails[0])
	case fileName.MatchString(v), strings.HasPrefix(v, "/") && !strings.HasPrefix(v, "//"), strings.HasPrefix(v, "./"), strings.HasPrefix(v, "../"):
		l.found("url.relative", at, m, "", "")
	case strings.HasPrefix(v, "{"):
		l.template(at, m)
	case strings.HasPrefix(v, "#"), v == "None", v == "N/A":
		l.drop("url.unusable", at, m, "")
	case scheme.MatchString(v) && !hostPath.MatchString(v):
		l.otherScheme(at, m, v)
	case strings.HasPrefix(v, "//"):
		l.found("url.scheme", at, m, "", "https:"+v)
		l.web(at, m, "https:"+v)
	case hostPath.MatchString(v) && known(hostOf("https://"+v)):
		l.found("url.scheme", at, m, "", "https://"+v)
		l.web(at, m, "https://"+v)
	default:
		l.drop("url.unusable", at, m, "")
	}
}

func (l *linter) template(at lint.Record, m *member) {
	if l.kind == openapidoc.Kind {
		l.found("openapi.server-template", at, m, "", "")
		return
	}
	l.found("url.unusable", at, m, "the address is a template", "")
}

func (l *linter) otherScheme(at lint.Record, m *member, v string) {
	if u, err := url.Parse(v); err == nil && u.User != nil {
		u.User = nil
		l.found("url.credentials", at, m, "", u.String())
	}
	name, _, _ := strings.Cut(v, ":")
	l.found("url.not-http", at, m, "the address is one of "+name, "")
}

// web looks at an http or https address.
func (l *linter) web(at lint.Record, m *member, v string) {
	host := hostOf(v)
	if second := doubled(v, host); second != "" {
		mended := ""
		if _, _, err := (source.URLRules{}).Repair("", second); err == nil && doubled(second, hostOf(second)) == "" {
			mended = second
		}
		l.found("url.doubled", at, m, "", mended)
		return
	}
	switch u, err := url.Parse(v); {
	case strings.Contains(host, "{"):
		l.template(at, m)
		return
	case err == nil && u.User != nil:
		u.User = nil
		l.found("url.credentials", at, m, "", u.String())
		l.web(at, m, u.String())
		return
	case host == "" || host != "localhost" && !strings.ContainsAny(host, ".:"):
		l.found("url.host", at, m, fmt.Sprintf("%q is no host of the public internet", host), "")
		return
	case !source.PublicHost(host):
		l.found("url.not-public", at, m, "", "")
		return
	case !known(host):
		l.found("url.host", at, m, fmt.Sprintf("the host %q ends in no domain that exists", host), "")
		return
	}
	if unfit.MatchString(v) {
		fixed, _, err := (source.URLRules{}).Repair("", v)
		if err != nil {
			l.found("url.unusable", at, m, "", "")
			return
		}
		l.found("url.characters", at, m, "", fixed)
	}
}

// usable tells that readers can follow an address of a file, mended where they mend it; sound that it needs no mending.
func usable(address string) bool {
	_, _, err := (source.URLRules{}).RepairFile("access_url", address)
	return err == nil
}

func sound(address string) bool {
	fixed, note, err := (source.URLRules{}).RepairFile("access_url", address)
	return err == nil && note == "" && fixed == address
}

// doubled is the second address within one, "" without.
func doubled(v, host string) string {
	for _, a := range archives {
		if host == a || strings.HasSuffix(host, "."+a) {
			return ""
		}
	}
	path, _, _ := strings.Cut(v, "?")
	path, _, _ = strings.Cut(path, "#")
	all := secondAt.FindAllStringIndex(path, -1)
	if len(all) < 2 {
		return ""
	}
	second := v[all[len(all)-1][0]:]
	if at := all[len(all)-1]; !strings.HasSuffix(path[at[0]:at[1]], "//") {
		second = strings.Replace(second, ":/", "://", 1)
	}
	return second
}

// hostOf is the host of an address in lower case, without its port.
func hostOf(v string) string {
	_, rest, _ := strings.Cut(v, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	if i := strings.LastIndexByte(rest, ':'); i >= 0 && !strings.HasSuffix(rest, "]") {
		rest = rest[:i]
	}
	return strings.Trim(strings.ToLower(rest), "[]")
}

// known tells that the last label of a host is a top-level domain of the root zone,
// as the public suffix list has it, or the host an address of numbers.
func known(host string) bool {
	host = strings.TrimSuffix(host, ".")
	if strings.Trim(host, "0123456789.:abcdef") == "" && strings.ContainsAny(host, ":0123456789") {
		return true
	}
	top := host[strings.LastIndexByte(host, '.')+1:]
	_, icann := publicsuffix.PublicSuffix("a." + top)
	return icann || !ascii(top)
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// mail looks at an address of mail.
func (l *linter) mail(at lint.Record, m *member, v string) {
	plain := strings.TrimPrefix(v, "mailto:")
	tidy := strings.ReplaceAll(strings.Join(strings.Fields(plain), ""), "%20", "")
	prefix := v[:len(v)-len(plain)]
	mails := source.Mails(tidy)
	switch {
	case strings.HasPrefix(v, "http"), strings.Contains(plain, ";"), strings.Contains(plain, ","):
		if len(mails) == 0 && !strings.HasPrefix(v, "http") {
			l.found("mail.unusable", at, m, "", "")
		}
	case len(mails) == 0:
		l.drop("mail.unusable", at, m, "")
	case tidy != plain && mails[0] == tidy:
		l.found("mail.characters", at, m, "", prefix+tidy)
	}
}
