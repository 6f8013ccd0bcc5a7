package okf

import (
	"cmp"
	"strconv"

	"github.com/assay-register/assay/render/catalog"
)

// root is the index of the bundle, the one index with frontmatter, which holds
// the version of the format only (SPEC §6, §11).
func (t *tree) root(m *markdown) error {
	m.raw("---\nokf_version: ").quote(Version).raw("\n---\n")
	m.section("Sources by type")
	for _, s := range sections {
		what := tallied(map[catalog.EntryType]int{s.kind: t.counts[s.kind]})
		m.open(s.title).raw(s.dir, "/index.md").close(cmp.Or(what, "none yet"))
	}
	m.section("Sources by place")
	m.open("Countries").raw("countries/index.md").close(strconv.Itoa(len(t.countries)) + " countries")
	m.open("Institutions").raw("institutions/index.md").close(strconv.Itoa(len(t.institutions)) + " institutions")
	m.section("About")
	m.open("Log").raw("log.md").close("What came, changed and went, by day")
	m.open(t.c.Site.Name).target(t.c.Site.BaseURL).raw("/api/v1/catalog/summary").
		close("The register that made this bundle; its data is licensed " + t.c.Site.License)
	return nil
}
