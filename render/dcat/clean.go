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
	scheme, rest, ok := strings.Cut(strings.TrimSpace(raw), "://")
	scheme = strings.ToLower(scheme)
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
	out := scheme + "://" + host + escape(path)
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
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && !strings.ContainsRune("-._~:[]", rune(c)) {
			return ""
		}
	}
	return s
}

// allowed are the characters of a path, a query and a fragment (RFC 3986, 3.3).
var allowed = func() (set [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/?") {
		set[c] = true
	}
	return set
}()

const hexDigits = "0123456789ABCDEF"

// escape percent-encodes what may not stand behind a host. The first hash is
// that of the fragment; a percent sign stays where two hex digits follow.
func escape(s string) string {
	clean, hash := true, false
	for i := 0; i < len(s) && clean; i++ {
		clean = allowed[s[i]]
	}
	if clean {
		return s
	}
	b := make([]byte, 0, len(s)+16)
	for i := 0; i < len(s); i++ {
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
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c >= 0x7f {
			return strings.TrimSpace(strings.Map(keep, normalLines(s)))
		}
	}
	return strings.TrimSpace(s)
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
