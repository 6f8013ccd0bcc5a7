package okf

import (
	"github.com/assay-register/assay/render/catalog"

	"strings"

	"github.com/assay-register/assay/render/oneline"
)

// The frontmatter is a YAML block in which every text is a double-quoted
// scalar.

// plain writes a value that is safe as it is: our own words and numbers.
func (m *markdown) plain(key, value string) { m.raw(key, ": ", value, "\n") }

// text writes a text; an empty one is left out.
func (m *markdown) text(key, value string) {
	if value != "" {
		m.raw(key, ": ").quote(value).raw("\n")
	}
}

// list writes a list of one-line texts, an empty one too.
func (m *markdown) list(key string, values []string) {
	m.raw(key, ": [")
	separator := ""
	for _, v := range values {
		if v = oneLine(v); v != "" {
			m.raw(separator).quote(v)
			separator = ", "
		}
	}
	m.raw("]\n")
}

// quoted are the characters that have a backslash inside double quotes, folded
// those of a text of several lines (YAML 1.2, 7.3.1). Line and paragraph
// separators, which YAML 1.1 folds, are escaped too.
var (
	quoted = setOf(`\"`)
	folded = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\u2028", `\u2028`, "\u2029", `\u2029`)
)

// quote writes a double-quoted scalar that YAML 1.1 and 1.2 read the same.
func (m *markdown) quote(s string) *markdown {
	m.raw(`"`)
	if oneline.Is(s) {
		m.escape(s, &quoted)
	} else {
		m.raw(folded.Replace(clean(s)))
	}
	return m.raw(`"`)
}

// texts writes a map of texts by language, if there is more than the one that
// is shown anyway.
func (m *markdown) texts(key string, all catalog.Texts) {
	if len(all) < 2 {
		return
	}
	m.raw(key, ":\n")
	for _, tag := range all.Tags() {
		m.raw("  ").quote(tag).raw(": ").quote(oneLine(all[tag])).raw("\n")
	}
}
