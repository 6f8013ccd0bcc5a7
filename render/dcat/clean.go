package dcat

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// webURL is an http or https address with nothing in it that an IRI may not
// have: what is not allowed is percent-encoded (RFC 3986, 2.1), a host in
// another script is written in ASCII (RFC 5891), credentials are dropped. It
// is "" when the address leads to no host.
func webURL(raw string) string {
	raw = strings.TrimSpace(raw)
	given, rest, ok := strings.Cut(raw, "://")
	scheme := strings.ToLower(given)
	if !ok || scheme != "http" && scheme != "https" {
		return ""
	}
	path := ""
	if i := strings.IndexAny(rest, `/?#\`); i >= 0 {
		rest, path = rest[:i], rest[i:]
	}
	host := hostPort(rest[strings.LastIndexByte(rest, '@')+1:])
	if host == "" {
		return ""
	}
	out := raw
	if clean := escape(path); scheme != given || host != rest || clean != path {
		out = scheme + "://" + host + clean
	}
	if isName(host) && !strings.HasPrefix(path, `\`) {
		return out
	}
	if u, err := url.Parse(out); err != nil || u.Hostname() == "" {
		return ""
	}
	return out
}

// hostPort is the host in ASCII and lower case, with its port.
func hostPort(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			name, port, _ := strings.Cut(s, ":")
			ascii, err := idna.Lookup.ToASCII(name)
			if err != nil {
				return ""
			}
			if s = ascii; port != "" {
				s += ":" + port
			}
			break
		}
	}
	s = strings.ToLower(s)
	for i := 0; i < len(s); i++ {
		if !inName[s[i]] && s[i] != ':' && s[i] != '[' && s[i] != ']' {
			return ""
		}
	}
	return s
}

// isName tells whether a host is no more than a name, without a port, so that
// nothing about it is left to be checked.
func isName(host string) bool {
	return strings.IndexByte(host, ':') < 0 && !strings.ContainsAny(host, "[]")
}

// inName are the characters of the name of a host.
var inName = setOf("abcdefghijklmnopqrstuvwxyz0123456789-._~")

func setOf(chars string) (set [256]bool) {
	for i := range len(chars) {
		set[chars[i]] = true
	}
	return set
}

// allowed are the characters of a path, a query and a fragment (RFC 3986, 3.3).
var allowed = setOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/?")

const hexDigits = "0123456789ABCDEF"

// escape percent-encodes what may not stand behind a host. The first hash is
// that of the fragment; a percent sign stays where two hex digits follow.
func escape(s string) string {
	clean := 0
	for clean < len(s) && allowed[s[clean]] {
		clean++
	}
	if clean == len(s) {
		return s
	}
	b, hash := append(make([]byte, 0, len(s)+16), s[:clean]...), false
	for i := clean; i < len(s); i++ {
		c := s[i]
		switch {
		case allowed[c], c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			b = append(b, c)
		case c == '#' && !hash:
			hash = true
			b = append(b, c)
		default:
			b = append(b, '%', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return string(b)
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// cleanText is valid UTF-8 without control characters other than line feeds
// and tabs, without noncharacters, and without space around it. Marks of
// direction and joiners stay: they are part of words.
func cleanText(s string) string {
	if !isClean(s) {
		s = strings.Map(keep, normalLines(s))
	}
	return strings.TrimSpace(s)
}

// isClean tells whether all of a text may stay.
func isClean(s string) bool {
	for _, r := range s {
		if r == utf8.RuneError || keep(r) != r {
			return false
		}
	}
	return true
}

func normalLines(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// keep is the mapping of cleanText; -1 drops a character. Bytes that are no
// UTF-8 come as U+FFFD and are written so.
func keep(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case unicode.IsControl(r), r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef:
		return -1
	}
	return r
}
