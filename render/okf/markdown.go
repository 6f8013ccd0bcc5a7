package okf

import (
	"slices"
	"strconv"
	"strings"
)

// markdown is a document in the making. Its methods append to it and return
// it, so that the parts of a line stand in a row.
type markdown []byte

// raw writes text as it is.
func (m *markdown) raw(parts ...string) *markdown {
	for _, p := range parts {
		*m = append(*m, p...)
	}
	return m
}

func (m *markdown) number(n int) *markdown {
	*m = strconv.AppendInt(*m, int64(n), 10)
	return m
}

// set is a set of bytes.
type set [256]bool

func setOf(bytes string) (s set) {
	for i := range len(bytes) {
		s[bytes[i]] = true
	}
	return s
}

// marks are the characters that could begin markup inside a line.
var marks = setOf("\\`*[]<>|#~&")

// escape writes text with a backslash before each of some characters, before
// an ampersand only where it begins an entity.
func (m *markdown) escape(s string, special *set) *markdown {
	from := 0
	for i := 0; i < len(s); i++ {
		if special[s[i]] && (s[i] != '&' || isEntity(s[i+1:])) {
			*m = append(append(*m, s[from:i]...), '\\')
			from = i
		}
	}
	*m = append(*m, s[from:]...)
	return m
}

// isEntity tells whether a text goes on as a named entity does.
func isEntity(s string) bool {
	n := 0
	for n < len(s) && (isDigit(s[n]) || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') {
		n++
	}
	return n > 0 && n < len(s) && s[n] == ';'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// inline writes text so that markdown shows it and takes none of it for
// markup.
func (m *markdown) inline(s string) *markdown { return m.escape(oneLine(s), &marks) }

// paragraph writes text that begins a line.
func (m *markdown) paragraph(s string) *markdown {
	at := len(*m)
	m.inline(s)
	if n := leading((*m)[at:]); n > 0 {
		*m = slices.Insert(*m, at+n-1, '\\')
	}
	return m
}

// leading is the length of what makes a list or a heading of the line that it
// begins.
func leading(line []byte) int {
	if len(line) > 0 && strings.IndexByte("-+=", line[0]) >= 0 {
		return 1
	}
	n := 0
	for n < len(line) && n < 9 && isDigit(line[n]) {
		n++
	}
	if n > 0 && n < len(line) && (line[n] == '.' || line[n] == ')') {
		return n + 1
	}
	return 0
}

// code writes a code span on one line, which holds in a table cell too.
func (m *markdown) code(s string) *markdown {
	s = strings.ReplaceAll(oneLine(s), "|", `\|`)
	if s == "" {
		return m
	}
	n := longestRun(s)
	if n == 0 {
		return m.raw("`", s, "`")
	}
	ticks := strings.Repeat("`", n+1)
	return m.raw(ticks, " ", s, " ", ticks)
}

// fence writes a code block in a language.
func (m *markdown) fence(lang, s string) *markdown {
	s = strings.TrimRight(clean(s), "\n ")
	ticks := "```"
	if n := longestRun(s); n >= len(ticks) {
		ticks = strings.Repeat("`", n+1)
	}
	return m.raw(ticks, lang, "\n", s, "\n", ticks, "\n")
}

func longestRun(s string) int {
	best, run := 0, 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		best = max(best, run)
	}
	return best
}

// link writes a markdown link to an http address; any other address is shown
// and not linked.
func (m *markdown) link(text, address string) *markdown {
	if text = oneLine(text); text == "" {
		text = address
	}
	if !isWeb(address) {
		return m.inline(text).raw(" (").code(address).raw(")")
	}
	return m.raw("[").inline(text).raw("](").target(address).raw(")")
}

func isWeb(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

// outside are the bytes that would end a link destination.
var outside = func() set {
	s := setOf("()<>\"\\^`{|} \x7f")
	for c := range s {
		s[c] = s[c] || c < ' ' || c > 0x7f
	}
	return s
}()

// target writes the destination of a link, percent-encoded.
func (m *markdown) target(address string) *markdown {
	const digits = "0123456789ABCDEF"
	from := 0
	for i := range len(address) {
		if c := address[i]; outside[c] {
			*m = append(append(*m, address[from:i]...), '%', digits[c>>4], digits[c&15])
			from = i + 1
		}
	}
	*m = append(*m, address[from:]...)
	return m
}

// row writes a table row of finished cells.
func (m *markdown) row(cells ...string) {
	for _, c := range cells {
		m.raw("| ", c, " ")
	}
	m.raw("|\n")
}

// table writes the head of a table.
func (m *markdown) table(heads ...string) {
	m.row(heads...)
	for range heads {
		m.raw("| --- ")
	}
	m.raw("|\n")
}

// shell quotes a word for a POSIX shell.
func shell(s string) string {
	return "'" + strings.ReplaceAll(oneLine(s), "'", `'\''`) + "'"
}
