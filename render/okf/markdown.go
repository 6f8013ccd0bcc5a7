package okf

import (
	"fmt"
	"regexp"
	"strings"
)

// marks are the characters that could begin markup inside a line.
var marks = strings.NewReplacer(`\`, `\\`, "`", "\\`", `*`, `\*`, `[`, `\[`, `]`, `\]`, `<`, `\<`, `>`, `\>`, `|`, `\|`, `#`, `\#`, `~`, `\~`)

var (
	entity  = regexp.MustCompile(`&(#?[0-9A-Za-z]+;)`)
	leading = regexp.MustCompile(`^([-+=]|\d{1,9}[.)])`)
)

// inline writes text so that markdown shows it and takes none of it for
// markup.
func inline(s string) string {
	return entity.ReplaceAllString(marks.Replace(oneLine(s)), `\&$1`)
}

// paragraph writes text that begins a line.
func paragraph(s string) string {
	return leading.ReplaceAllStringFunc(inline(s), func(m string) string {
		return m[:len(m)-1] + `\` + m[len(m)-1:]
	})
}

// code writes a code span on one line, which holds in a table cell too.
func code(s string) string {
	s = strings.ReplaceAll(oneLine(s), "|", `\|`)
	if s == "" {
		return ""
	}
	ticks := strings.Repeat("`", longestRun(s)+1)
	if len(ticks) > 1 {
		return ticks + " " + s + " " + ticks
	}
	return ticks + s + ticks
}

// fence writes a code block in a language.
func fence(lang, s string) string {
	s = strings.TrimRight(clean(s), "\n ")
	ticks := strings.Repeat("`", max(3, longestRun(s)+1))
	return ticks + lang + "\n" + s + "\n" + ticks + "\n"
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
func link(text, address string) string {
	if text = inline(text); text == "" {
		text = inline(address)
	}
	if !isWeb(address) {
		return text + " (" + code(address) + ")"
	}
	return "[" + text + "](" + target(address) + ")"
}

func isWeb(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

// target percent-encodes what would end a link destination.
func target(address string) string {
	var b strings.Builder
	for i := range len(address) {
		c := address[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte("()<>\"\\^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// row writes a table row of finished cells.
func row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

// table writes the head of a table.
func table(heads ...string) string {
	return row(heads...) + strings.Repeat("| --- ", len(heads)) + "|\n"
}

// shell quotes a word for a POSIX shell.
func shell(s string) string {
	return "'" + strings.ReplaceAll(oneLine(s), "'", `'\''`) + "'"
}
