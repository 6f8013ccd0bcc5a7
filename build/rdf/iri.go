package rdf

import (
	"strings"
	"unicode/utf8"
)

// schemeEnd is the place of the colon behind the scheme, -1 without a scheme
// (RFC 3986, section 3.1).
func schemeEnd[T string | []byte](s T) int {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case isAlpha(c):
		case c == ':' && i > 0:
			return i
		case i > 0 && (isDigit(c) || c == '+' || c == '-' || c == '.'):
		default:
			return -1
		}
	}
	return -1
}

// reference is an IRI reference in its parts; the flags tell an empty part from
// none.
type reference struct {
	scheme, authority, path, query, fragment string
	hasAuthority, hasQuery, hasFragment      bool
}

func split(s string) reference {
	var r reference
	if i := schemeEnd(s); i > 0 {
		r.scheme, s = s[:i], s[i+1:]
	}
	s, r.fragment, r.hasFragment = strings.Cut(s, "#")
	s, r.query, r.hasQuery = strings.Cut(s, "?")
	if rest, ok := strings.CutPrefix(s, "//"); ok {
		r.hasAuthority = true
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			i = len(rest)
		}
		r.authority, s = rest[:i], rest[i:]
	}
	r.path = s
	return r
}

func (r *reference) String() string {
	var b strings.Builder
	if r.scheme != "" {
		b.WriteString(r.scheme + ":")
	}
	if r.hasAuthority {
		b.WriteString("//" + r.authority)
	}
	b.WriteString(r.path)
	if r.hasQuery {
		b.WriteString("?" + r.query)
	}
	if r.hasFragment {
		b.WriteString("#" + r.fragment)
	}
	return b.String()
}

// resolve makes a reference absolute (RFC 3986, section 5.2.2).
func resolve(base, ref string) string {
	if base == "" {
		return ref
	}
	r, b := split(ref), split(base)
	if r.scheme != "" {
		return ref
	}
	r.scheme = b.scheme
	switch {
	case r.hasAuthority:
		r.path = removeDots(r.path)
		return r.String()
	case r.path == "":
		r.path = b.path
		if !r.hasQuery {
			r.query, r.hasQuery = b.query, b.hasQuery
		}
	case r.path[0] == '/':
		r.path = removeDots(r.path)
	default:
		r.path = removeDots(merge(&b, r.path))
	}
	r.authority, r.hasAuthority = b.authority, b.hasAuthority
	return r.String()
}

func merge(b *reference, path string) string {
	if b.hasAuthority && b.path == "" {
		return "/" + path
	}
	return b.path[:strings.LastIndexByte(b.path, '/')+1] + path
}

// removeDots is remove_dot_segments of RFC 3986, section 5.2.4.
func removeDots(path string) string {
	if !strings.Contains(path, ".") {
		return path
	}
	var out []string
	parts := strings.Split(path, "/")
	for i, p := range parts {
		last := i == len(parts)-1
		switch {
		case p == "..":
			if len(out) > 1 {
				out = out[:len(out)-1]
			}
		case p != ".":
			out = append(out, p)
			continue
		}
		if last {
			out = append(out, "")
		}
	}
	return strings.Join(out, "/")
}

// repairIRI percent-encodes what no IRI has, spaces and brackets say.
func repairIRI(s string) string {
	s = strings.TrimSpace(strings.ToValidUTF8(s, "\ufffd"))
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c := s[i]; badIRI[c] {
			const hex = "0123456789ABCDEF"
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// cleanIRI tells that all characters of s are such as an IRI has.
func cleanIRI(s string) bool {
	for i := 0; i < len(s); i++ {
		if badIRI[s[i]] {
			return false
		}
	}
	return utf8.ValidString(s)
}
