package lint

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/assay-register/assay/build/harvest/apigouvfr"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/lint"
)

// longText is from how many characters on a text is long: ten pages.
const longText = 30_000

var (
	tag       = regexp.MustCompile(`</?[A-Za-z][A-Za-z0-9]*[^<>]*>`)
	component = regexp.MustCompile(`</?[A-Z][A-Za-z0-9]*[^<>]*>`)
	// garbled are two characters of Windows-1252 that UTF-8 makes of one letter.
	garbled = regexp.MustCompile("[\u00c2\u00c3][\u0080-\u00bf\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u017d\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u017e\u0178]|\u00e2\u20ac[\u0080-\u00ff\u0152\u0153\u02dc\u201c\u201d\u2122\u00a6]")
	holder  = regexp.MustCompile(`(?i)^(@?fixme\b|@?todo\b|placeholder$|lorem ipsum\b|tbd$|xxx+$)`)
	drive   = regexp.MustCompile(`\b[A-Za-z]:\\[A-Za-z]|\\\\\w`)
	trial   = regexp.MustCompile(`(?i)\b(test|draft|deprecated|obsolete)\b`)
)

// text looks at a value as text and gives it without white space around it.
func (l *linter) text(at lint.Record, m *member, c class) string {
	l.characters(at, m)
	v := strings.TrimSpace(m.value)
	switch {
	case v == "" && l.optional(at, m):
		l.drop("value.empty", at, m, "")
		return ""
	case v == "" && (c == address || c == licence || c == format || c == title || c == prose):
		l.drop("value.empty", at, m, "")
		return ""
	case v != m.value && c != other && c != prose && c != title:
		l.found("text.space-around", at, m, "", v)
	}
	if (c == prose || c == title) && holder.MatchString(v) {
		l.example("text.placeholder", at, m, "", exampleText(c))
		return v
	}
	switch {
	case c == prose && utf8.RuneCountInString(v) > longText:
		l.found("text.long", at, m, fmt.Sprintf("the text has %d characters", utf8.RuneCountInString(v)), "")
	case c == title && tag.MatchString(v) && source.HTMLText(v) != v: // <path> of a command is no markup
		l.found("text.markup", at, m, "", source.HTMLText(v))
	case l.kind == apigouvfr.Kind && component.MatchString(v):
		l.found("text.markup", at, m, "tags of a page's program stand in the text", "")
	}
	if c == title || c == prose {
		if out, ok := source.LiteralBreaks(m.value); ok && !drive.MatchString(m.value) {
			l.found("text.literal-escape", at, m, "", out)
		}
	}
	return v
}

func exampleText(c class) string {
	if c == title {
		return "Title of the record"
	}
	return "What the data is about, in two or three sentences."
}

// characters looks for characters that no text has.
func (l *linter) characters(at lint.Record, m *member) {
	rule := charactersRule(m.value)
	if rule == "" {
		return
	}
	mended := source.CleanText(m.value)
	if rule == "text.mojibake" {
		mended = undo(m.value)
		if charactersRule(garbled.ReplaceAllString(m.value, "")) == "text.control" {
			l.found("text.control", at, m, "", "") // the text is decoded anew first
		}
	}
	if mended == m.value || mended == "" {
		l.found(rule, at, m, "", "")
		return
	}
	l.found(rule, at, m, "", mended)
}

// charactersRule is the rule that the characters of a text break, the gravest.
func charactersRule(s string) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf || s[i] < ' ' && s[i] != '\n' && s[i] != '\t' {
			ascii = false
			break
		}
	}
	if ascii {
		return ""
	}
	invisible, control, separator, carriage := false, false, false, false
	for _, r := range s {
		switch {
		case r == '\u2028' || r == '\u2029':
			separator = true
		case r == '\r':
			carriage = true
		case r < ' ' && r != '\n' && r != '\t', r >= 0x7f && r <= 0x9f:
			control = true
		case r >= '\u200b' && r <= '\u200f' && r != '\u200c' && r != '\u200d', r == '\ufeff', r >= '\u202a' && r <= '\u202e', r >= '\u2060' && r <= '\u2064':
			invisible = true
		}
	}
	switch {
	case garbled.MatchString(s):
		return "text.mojibake"
	case control:
		return "text.control"
	case separator:
		return "text.line-separator"
	case invisible:
		return "text.invisible"
	case carriage:
		return "text.carriage-return"
	}
	return ""
}

// undo decodes a text again that was decoded in the wrong character set, "" where
// that does not come out even.
func undo(s string) string {
	raw, err := charmap.Windows1252.NewEncoder().String(s)
	if err != nil {
		raw, err = charmap.ISO8859_1.NewEncoder().String(s)
	}
	if err == nil && utf8.ValidString(raw) && !garbled.MatchString(raw) {
		return source.CleanText(raw)
	}
	out := garbled.ReplaceAllStringFunc(s, func(part string) string {
		raw, err := charmap.Windows1252.NewEncoder().String(part)
		if err == nil && utf8.ValidString(raw) {
			return raw
		}
		return part
	})
	if garbled.MatchString(out) {
		return ""
	}
	return out
}
