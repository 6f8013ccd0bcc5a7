package feed

import (
	"html"
	"regexp"
	"strings"
	"unicode"
)

// clean makes text valid UTF-8 without the characters that XML 1.0 cannot hold
// (2.2) and without other controls, so that the forms say the same.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), r == 0xfffe, r == 0xffff, r == 0xfeff:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// oneLine is cleaned text with every run of white space made one space.
func oneLine(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

var bcp47 = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`)

// language is a language tag where it has the shape of one (RFC 5646, 2.1).
func language(tag string) string {
	if bcp47.MatchString(tag) {
		return tag
	}
	return ""
}

// web is an address of the web as a feed can carry it, else "".
func web(address string) string {
	if !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") ||
		strings.ContainsFunc(address, func(r rune) bool {
			return r <= ' ' || strings.ContainsRune("\"<>\\^`{|}\uFFFD", r) || !unicode.IsPrint(r)
		}) {
		return ""
	}
	return address
}

// page writes the HTML of an item.
type page struct{ b strings.Builder }

// text writes the paragraphs of a text in a language.
func (p *page) text(s, lang string) {
	for part := range strings.SplitSeq(clean(s), "\n\n") {
		if part = oneLine(part); part == "" {
			continue
		}
		p.b.WriteString("<p")
		if lang != "" {
			p.b.WriteString(` lang="` + lang + `"`)
		}
		p.b.WriteString(">" + html.EscapeString(part) + "</p>")
	}
}

// link writes a paragraph with a link.
func (p *page) link(label, address string) {
	if address != "" {
		p.b.WriteString(`<p><a href="` + html.EscapeString(address) + `">` + html.EscapeString(label) + "</a></p>")
	}
}
