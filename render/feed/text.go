package feed

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-register/assay/render/oneline"
)

// clean makes text valid UTF-8 without the characters that XML 1.0 cannot hold
// (2.2) and without other controls, so that the forms say the same.
func clean(s string) string {
	if oneline.Is(s) {
		return s
	}
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
func oneLine(s string) string {
	if oneline.Is(s) {
		return s
	}
	return strings.Join(strings.Fields(clean(s)), " ")
}

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
	if !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") || strings.ContainsFunc(address, isForeign) {
		return ""
	}
	return address
}

// isForeign tells which characters no address has.
func isForeign(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7f || strings.IndexByte("\"<>\\^`{|}", byte(r)) >= 0
	}
	return r == utf8.RuneError || !unicode.IsPrint(r)
}

// paragraphs writes the HTML of a text in a language.
func (d *document) paragraphs(s, lang string) {
	for part := range strings.SplitSeq(clean(s), "\n\n") {
		if part = oneLine(part); part == "" {
			continue
		}
		d.raw("<p")
		if lang != "" {
			d.raw(` lang="`, lang, `"`)
		}
		d.raw(">").text(part).raw("</p>")
	}
}

// link writes the HTML of a paragraph with a link.
func (d *document) link(label, address string) {
	if address != "" {
		d.raw(`<p><a href="`).text(address).raw(`">`).text(label).raw("</a></p>")
	}
}
