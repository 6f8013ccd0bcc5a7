package okf

import (
	"fmt"
	"strings"
)

// matter writes a YAML frontmatter block. Every text is a double-quoted scalar.
type matter struct{ b strings.Builder }

// plain writes a value that is safe as it is: our own words and numbers.
func (m *matter) plain(key, value string) {
	m.b.WriteString(key + ": " + value + "\n")
}

// text writes a text; an empty one is left out.
func (m *matter) text(key, value string) {
	if value != "" {
		m.plain(key, quote(value))
	}
}

// list writes a list of one-line texts, an empty one too.
func (m *matter) list(key string, values []string) {
	var quoted []string
	for _, v := range values {
		if v = oneLine(v); v != "" {
			quoted = append(quoted, quote(v))
		}
	}
	m.plain(key, "["+strings.Join(quoted, ", ")+"]")
}

// block is the finished frontmatter with its two fences.
func (m *matter) block() string { return "---\n" + m.b.String() + "---\n" }

// quote writes a double-quoted scalar (YAML 1.2, 7.3.1) that YAML 1.1 reads the
// same: line and paragraph separators, which 1.1 folds, are escaped too.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range clean(s) {
		switch r {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\t':
			b.WriteString(`\t`)
		case 0x2028, 0x2029:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
