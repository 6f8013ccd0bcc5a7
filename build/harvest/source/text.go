package source

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// CleanText is Clean without the account of what was repaired.
func CleanText(s string) string {
	s, _ = Clean(s)
	return s
}

// Clean makes foreign text fit for the register: valid UTF-8 in NFC, LF line
// breaks, no control, zero-width or bidirectional override characters, no
// white space around it. The second result names what had to be repaired and
// is empty when only white space, line breaks or composition changed.
func Clean(s string) (string, string) {
	if plain(s) || flawless(s) {
		return strings.TrimSpace(s), ""
	}
	repair := ""
	if !utf8.ValidString(s) {
		s, repair = decode(s)
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	// Dropping a character can bring two together that compose, and composing
	// can leave a joiner without its letter; both only shorten the text.
	for removed := false; ; {
		visible, dropped := dropInvisible(s)
		removed = removed || dropped
		if visible = norm.NFC.String(visible); visible != s {
			s = visible
			continue
		}
		if removed {
			repair = join(repair, "control and invisible characters removed")
		}
		return strings.TrimSpace(s), repair
	}
}

// plain tells that s is printable ASCII, tabs and line feeds.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// flawless tells that s is text of any script in which Clean has nothing to
// change.
func flawless(s string) bool {
	for _, r := range s {
		if r == utf8.RuneError || r == '\r' || r >= 0x85 && (r == 0x85 || r >= 0x2000 && r < 0x2070) || invisible(r) {
			return false
		}
	}
	return norm.NFC.IsNormalString(s)
}

// decode turns text that is not UTF-8 into UTF-8. Text without any valid
// multi-byte sequence is taken for Windows-1252, the usual culprit; in mixed
// text the invalid bytes become U+FFFD.
func decode(s string) (string, string) {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r != utf8.RuneError && size > 1 {
			return strings.ToValidUTF8(s, "\ufffd"), "invalid UTF-8 replaced"
		}
		i += size
	}
	out, err := charmap.Windows1252.NewDecoder().String(s)
	if err != nil {
		return strings.ToValidUTF8(s, "\ufffd"), "invalid UTF-8 replaced"
	}
	return out, "decoded as Windows-1252"
}

// dropInvisible removes what no reader sees; the second result tells whether
// there was any. Lone carriage returns and Unicode line separators become line
// feeds.
func dropInvisible(s string) (string, bool) {
	var out strings.Builder
	out.Grow(len(s))
	dropped := false
	var before rune
	for i, r := range s {
		switch {
		case r == '\r' || r == '\u2028' || r == '\u2029' || r == '\u0085':
			r = '\n'
		case r == '\u200c' || r == '\u200d':
			// Joiners carry meaning between letters of joining scripts and emoji.
			after, _ := utf8.DecodeRuneInString(s[i+3:])
			if !joins(before) || !joins(after) {
				dropped = true
				continue
			}
		case invisible(r):
			dropped = true
			continue
		}
		out.WriteRune(r)
		before = r
	}
	return out.String(), dropped
}

// joins tells whether a joiner beside the character can carry meaning. Latin
// letters stand below U+0300.
func joins(r rune) bool {
	return r >= 0x300 && r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsSymbol(r))
}

func invisible(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ', r >= 0x7f && r <= 0x9f, r == 0xad, r == 0x61c, r == 0x180e, r == 0xfeff:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
		return true
	case r >= 0xfff9 && r <= 0xfffb, r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}

// Line is clean text on one line, as names and titles have it: HTML is taken out.
func Line(s string) (string, string) {
	s, repair := Clean(s)
	if strings.ContainsAny(s, "<&") {
		plain, marked := unmarked(s)
		if marked {
			again := ""
			plain, again = Clean(plain) // what was escaped
			repair = join(join(repair, "HTML to plain text"), again)
		}
		s = plain
	}
	return folded(s), repair
}

// Token is clean text on one line that programs compare, such as an identifier or a path: what
// looks like HTML is a part of it.
func Token(s string) string { return folded(CleanText(s)) }

// folded has single spaces as its only white space.
func folded(s string) string {
	if oneSpaced(s) {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, unicode.IsSpace), " ")
}

// oneSpaced tells that the only white space in s are single spaces.
func oneSpaced(s string) bool {
	before := ' '
	for _, r := range s {
		if r == ' ' && before == ' ' || r != ' ' && unicode.IsSpace(r) {
			return false
		}
		before = r
	}
	return true
}

// LiteralBreaks turns the two characters backslash and n into a line break, as
// some exports write it (and likewise for \r\n and \t). The second result
// tells whether there were any.
func LiteralBreaks(s string) (string, bool) {
	if !strings.Contains(s, `\`) {
		return s, false
	}
	out := literals.Replace(s)
	return out, out != s
}

var literals = strings.NewReplacer(`\r\n`, "\n", `\n`, "\n", `\t`, "\t")

// Paragraphs trims every line and leaves at most one empty line in a row.
func Paragraphs(s string) string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimRightFunc(line, unicode.IsSpace)
		if line == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, line)
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// Cut shortens text to limit bytes at a word's end, with an ellipsis; the
// second result tells whether it had to.
func Cut(s string, limit int) (string, bool) {
	if len(s) <= limit {
		return s, false
	}
	const ellipsis = "…"
	end := limit - len(ellipsis)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	if space := strings.LastIndexAny(s[:end], " \n\t"); space > end/2 {
		end = space
	}
	return strings.TrimRightFunc(s[:end], unicode.IsSpace) + ellipsis, true
}

// join strings two notes together.
func join(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + "; " + b
}
