package lint

import (
	"path"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

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

// datasetMembers and distributionMembers are those of DCAT-US 1.1 that readers look for, and addresses those of them
// by which a distribution is reached; DCAT-US 3.0 has services, too.
var (
	datasetMembers = []string{"title", "description", "keyword", "modified", "publisher", "contactPoint", "identifier", "accessLevel", "bureauCode", "programCode", "license", "rights", "spatial", "temporal",
		"distribution", "accrualPeriodicity", "conformsTo", "dataQuality", "describedBy", "describedByType", "isPartOf", "issued", "language", "landingPage", "primaryITInvestmentUII", "references", "systemOfRecords", "theme"}
	distributionMembers = []string{"accessURL", "conformsTo", "describedBy", "describedByType", "description", "downloadURL", "format", "mediaType", "title"}
	addresses           = []string{"accessURL", "downloadURL", "accessService"}
)

// members tells of those of a dataset and of its distributions that no reader knows, where the one that is meant is
// not there, and of distributions without an address that can be used.
func (l *linter) members(at lint.Record, list []member) {
	have, reached := map[string]bool{}, map[string]bool{}
	for i := range list {
		m := &list[i]
		have[m.pointer] = true
		if slices.Contains(addresses, m.name) && (m.kind == "string" && usable(m.value) || m.kind == "object" || m.kind == "array") {
			reached[objectOf(m)] = true
		}
	}
	for i := range list {
		m := &list[i]
		if m.kind == "object" && path.Dir(m.pointer) == at.Pointer+"/distribution" && !reached[m.pointer] {
			l.add(lint.New("distribution.no-address", at, m.pointer, "", "a distribution has neither accessURL nor downloadURL that can be used"))
		}
		switch object := objectOf(m); {
		case object == at.Pointer:
			l.meant(at, m, datasetMembers, have)
		case path.Dir(object) == at.Pointer+"/distribution":
			l.meant(at, m, distributionMembers, have)
		}
	}
}

// objectOf is the pointer of the object around a member.
func objectOf(m *member) string { return strings.TrimSuffix(m.pointer, "/"+escape(m.name)) }

// meant tells that a member is misspelt; have are the pointers of all that are there.
func (l *linter) meant(at lint.Record, m *member, known []string, have map[string]bool) {
	if len(m.name) < 6 || slices.Contains(known, m.name) {
		return
	}
	object := objectOf(m) + "/"
	for _, right := range known {
		if levenshtein.ComputeDistance(strings.ToLower(m.name), strings.ToLower(right)) <= 2 && !have[object+right] {
			l.misspelt(at, m, right)
			have[object+right] = true
			return
		}
	}
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
