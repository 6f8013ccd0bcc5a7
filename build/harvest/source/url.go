package source

import (
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"github.com/assay-register/assay/render/catalog"
)

// URLRules say how the URLs of a source are repaired.
type URLRules struct {
	// Base resolves relative references; empty refuses them.
	Base string
	// AllowPrivate accepts loopback, private and intranet hosts.
	AllowPrivate bool
}

// intranet are suffixes of names that resolve only inside some network:
// RFC 6762, RFC 8375, RFC 6761, the names ICANN keeps out of the root, and the
// inter-ministerial network of the French State.
var intranet = []string{"local", "localhost", "internal", "intranet", "intra", "lan", "corp", "home", "home.arpa",
	"private", "localdomain", "test", "invalid", "onion", "rie.gouv.fr", "ader.gouv.fr"}

// Repair makes a URL that the register accepts of a raw one. The note names
// what was repaired; the error is a FieldError that names the field.
func (r URLRules) Repair(field, raw string) (fixed, note string, err error) {
	refuse := func(remedy string) (string, string, error) {
		return "", "", &catalog.FieldError{Field: field, Value: raw, Remedy: remedy}
	}
	s, note := Clean(raw)
	s = strings.Trim(s, "<>\"' ")
	if s == "" {
		return refuse("give a URL")
	}
	if s != strings.TrimSpace(raw) && note == "" {
		note = "quotes and brackets around the URL removed"
	}
	switch lower := strings.ToLower(s[:min(len(s), len("https://"))]); {
	case strings.HasPrefix(s, "//"):
		s, note = "https:"+s, join(note, "scheme added")
	case strings.HasPrefix(s, "/") || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../"):
		base, err := url.Parse(r.Base)
		if err != nil || base.Host == "" {
			return refuse("give an absolute URL")
		}
		ref, err := url.Parse(escapeURL(s))
		if err != nil {
			return refuse("percent-encode the URL")
		}
		s, note = base.ResolveReference(ref).String(), join(note, "resolved against "+r.Base)
	case !strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower, "https://"):
		if !hostLike(s) {
			return refuse("use an http or https URL")
		}
		s, note = "https://"+s, join(note, "scheme added")
	}
	if e := escapeURL(s); e != s {
		s, note = e, join(note, "percent-encoded")
	}
	return r.check(field, s, note, refuse)
}

// RepairFile is Repair for the address of a file, which may also be one of FTP.
func (r URLRules) RepairFile(field, raw string) (fixed, note string, err error) {
	s, _ := Clean(raw)
	s = strings.Trim(s, "<>\"' ")
	scheme, rest, ok := catalog.CutFTP(s)
	if !ok {
		return r.Repair(field, raw)
	}
	fixed, note, err = r.Repair(field, "https://"+rest)
	if err != nil {
		return "", "", err
	}
	return scheme + strings.TrimPrefix(fixed, "https://"), note, nil
}

func (r URLRules) check(field, s, note string, refuse func(string) (string, string, error)) (string, string, error) {
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" {
		return refuse("give the URL a host")
	}
	if u.User != nil {
		// Who reads the address brings credentials of their own, and these are a secret.
		u.User = nil
		s, note = u.String(), join(note, "credentials removed")
	}
	host := strings.ToLower(u.Hostname())
	if ascii, err := hostASCII(host); err == nil && ascii != host {
		u.Host = strings.Replace(strings.ToLower(u.Host), host, ascii, 1)
		s, note, host = u.String(), join(note, "host name in ASCII"), ascii
	}
	if !r.AllowPrivate && !PublicHost(host) {
		return refuse("give a URL that the public internet reaches")
	}
	// A short URL of printable ASCII has passed all that CheckURL asks for.
	if len(s) <= catalog.URLMax && plain(s) && (u.Scheme == "http" || u.Scheme == "https") {
		return s, note, nil
	}
	if err := catalog.CheckURL(field, s); err != nil {
		return "", "", err
	}
	return s, note, nil
}

// hostASCII is a host name in lower case as the DNS has it. One of letters,
// digits, hyphens and dots stays as it is.
func hostASCII(host string) (string, error) {
	for i := 0; i < len(host); i++ {
		if c := host[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' {
			return idna.Lookup.ToASCII(host)
		}
	}
	return host, nil
}

// PublicHost tells whether a host name or address can be reached from the
// public internet, as far as its name shows.
func PublicHost(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsGlobalUnicast() && !ip.IsPrivate()
	}
	if !strings.Contains(host, ".") || strings.Contains(host, "..") || strings.HasPrefix(host, ".") {
		return false
	}
	for _, suffix := range intranet {
		if host == suffix || strings.HasSuffix(host, "."+suffix) {
			return false
		}
	}
	// A top-level domain has a letter (RFC 3696, 2): "1.2.3" is no name.
	top := host[strings.LastIndexByte(host, '.')+1:]
	return strings.ContainsFunc(top, func(r rune) bool { return r > '9' })
}

// hostLike tells whether s begins like a host name: no other scheme, no
// spaces, a dot in the first segment, no e-mail address.
func hostLike(s string) bool {
	host, _, _ := strings.Cut(s, "/")
	name, port, hasPort := strings.Cut(host, ":")
	if hasPort && strings.Trim(port, "0123456789") != "" {
		return false
	}
	return strings.Contains(name, ".") && !strings.ContainsAny(host, " @?#=<>()[]{}\"'") &&
		!strings.HasPrefix(name, ".") && !strings.HasSuffix(name, ".")
}

// escapeURL percent-encodes the characters that no URL has.
func escapeURL(s string) string {
	if !strings.ContainsAny(s, " \t\n\"<>\\^`{|}") {
		return s
	}
	return urlEscapes.Replace(s)
}

var urlEscapes = strings.NewReplacer(" ", "%20", "\t", "%09", "\n", "", `"`, "%22", "<", "%3C", ">", "%3E",
	`\`, "%5C", "^", "%5E", "`", "%60", "{", "%7B", "|", "%7C", "}", "%7D")

// RepoURL is the repository that a GitHub address belongs to.
func RepoURL(raw string) (string, bool) {
	u, err := url.Parse(raw)
	if err != nil || catalog.Host(raw) != "github.com" && catalog.Host(raw) != "www.github.com" {
		return "", false
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	if len(parts) < 2 || parts[0] == "" || parts[1] == "" || parts[0] == "orgs" {
		return "", false
	}
	return "https://github.com/" + parts[0] + "/" + strings.TrimSuffix(parts[1], ".git"), true
}

// PagePattern makes the addresses of records of a pattern with {id} in it, the
// filter "page" of sources whose records do not say where the catalogue shows
// them. It is nil for an empty pattern.
func PagePattern(pattern string) func(id string) string {
	if !strings.Contains(pattern, "{id}") {
		return nil
	}
	return func(id string) string { return strings.ReplaceAll(pattern, "{id}", url.PathEscape(id)) }
}
