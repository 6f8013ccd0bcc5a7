package lint

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/datajson"
	"github.com/assay-register/assay/render/lint"
)

// optionals are members of a dataset of DCAT-US that may be left out: an empty one states nothing.
var optionals = []string{"conformsTo", "describedByType", "isPartOf", "language", "primaryITInvestmentUII", "rights", "spatial", "systemOfRecords", "temporal", "theme"}

func (l *linter) optional(at lint.Record, m *member) bool {
	name, own := strings.CutPrefix(m.pointer, at.Pointer+"/")
	return own && l.kind == datajson.Kind && strings.HasPrefix(at.Pointer, "/dataset/") && slices.Contains(optionals, name)
}

// memberTypes are those that DCAT-US 1.1 and 3.0 both give to members of a dataset.
var memberTypes = []struct{ name, kind, is string }{
	{"title", "string", "text"}, {"description", "string", "text"}, {"keyword", "array", "a list"}, {"distribution", "array", "a list"},
}

// types tells of members of a dataset of another type. DCAT-US 3.0 has identifiers that are objects, too.
func (l *linter) types(at lint.Record, of func(string) *member) {
	if m := of("identifier"); m != nil && (m.kind == "number" || m.kind == "boolean" || m.kind == "array") {
		l.found("member.type", at, m, "identifier is not text", "")
	}
	for _, t := range memberTypes {
		if m := of(t.name); m != nil && m.kind != t.kind && m.kind != "null" {
			l.found("member.type", at, m, t.name+" is not "+t.is, "")
		}
	}
}
