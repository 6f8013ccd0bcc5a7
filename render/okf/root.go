package okf

import (
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// root is the index of the bundle, the one index with frontmatter, which holds
// the version of the format only (SPEC §6, §11).
func (t *tree) root() ([]byte, error) {
	var b strings.Builder
	b.WriteString("---\nokf_version: " + quote(Version) + "\n---\n\n")
	b.WriteString("# Sources by type\n\n")
	for _, s := range sections {
		what := tallied(map[catalog.EntryType]int{s.kind: t.counts[s.kind]})
		if what == "" {
			what = "none yet"
		}
		b.WriteString(entryLine(s.title, s.dir+"/index.md", what))
	}
	section(&b, "Sources by place")
	b.WriteString(entryLine("Countries", "countries/index.md", strconv.Itoa(len(t.countries))+" countries"))
	b.WriteString(entryLine("Institutions", "institutions/index.md", strconv.Itoa(len(t.institutions))+" institutions"))
	section(&b, "About")
	b.WriteString(entryLine("Log", "log.md", "What came, changed and went, by day"))
	b.WriteString(entryLine(t.c.Site.Name, target(t.c.Site.BaseURL)+"/api/v1/catalog/summary",
		"The register that made this bundle; its data is licensed "+t.c.Site.License))
	return []byte(b.String()), nil
}
