package lint

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/dcatap"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/udata"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/lint"
	"github.com/assay-register/assay/render/usage"
)

// mending makes the patch of something that nobody filled in: against the very record, beside
// what it states already.
type mending struct {
	l *linter
	f *lint.Finding
	d *source.Draft
}

// field adds the member and an example of what to write there.
func (m *mending) field(field string) {
	t := lint.TemplateOf(m.l.kind, m.d.Entry.Type, field)
	if t == nil {
		return
	}
	m.f.Member = t.Member
	switch {
	case m.l.kind == dcatap.Kind:
		m.turtle(field, t)
	case m.pace(t.Member):
		m.f.Member = m.f.Record.Pointer + t.Member // the finding about the interval has the patch
	case !m.l.nested(m.f.Record.Pointer):
		m.f.Member = m.f.Record.Pointer + t.Member
		m.f.Patch = &lint.Patch{Form: lint.JSONPatch, Choose: true, Operations: m.json(field, t)}
	}
}

// turtle states what is missing of a record that has an IRI. What is stated there and cannot be
// used has a finding of its own: a second value beside it would mend nothing.
func (m *mending) turtle(field string, t *lint.Template) {
	n := m.l.mapped
	if n == nil || n.Subject.Kind != rdf.IRI || !strings.Contains(n.Subject.Value, ":") || m.stated(field) {
		return // a patch cannot name a blank node, nor one whose name depends on where the document lies
	}
	add := "<" + lint.IRI(n.Subject.Value) + "> " + t.Turtle + " ."
	switch files := n.Values["dcat:distribution"]; {
	case field == "formats" && len(files) > 0 && m.files() > 0:
		if m.named() {
			return // nobody but the publisher knows the further file that is wanted, and under which licence
		}
		if add = unformatted(m.l.mappedFiles); add == "" {
			return // a patch cannot name the files
		}
	case field == "source_modified_at" && m.l.dates.days == 0 && m.l.dates.times > 0:
		add = strings.NewReplacer("XMLSchema#date>", "XMLSchema#dateTime>", `"^^`, `T00:00:00Z"^^`).Replace(add)
	}
	m.f.Patch = &lint.Patch{Form: lint.Turtle, Choose: true, Add: add}
}

// files is the number of files of the record that were taken in.
func (m *mending) files() int {
	if d := m.d.Entry.Dataset; d != nil {
		return len(d.Distributions)
	}
	return 0
}

// named tells that the addresses of files name their formats: another one would not be believed.
func (m *mending) named() bool {
	d := m.d.Entry.Dataset
	return d != nil && slices.ContainsFunc(d.Distributions, func(f catalog.Distribution) bool { return usage.Named(f.DownloadURL) != "" })
}

// unformatted states a format of each file that has an IRI and can be reached: others are not taken in.
func unformatted(files []described) string {
	var list []string
	for i := range files {
		if f := files[i].Subject; f.Kind == rdf.IRI && reached(&files[i]) {
			list = append(list, StatementText(f, rdf.Term{Kind: rdf.IRI, Value: lint.PropertyFormat}, rdf.Term{Kind: rdf.IRI, Value: lint.FileCSV}))
		}
	}
	return strings.Join(list, "\n")
}

// reached tells that a distribution states an address that can be used.
func reached(f *described) bool {
	return slices.ContainsFunc(slices.Concat(f.Values["dcat:downloadURL"], f.Values["dcat:accessURL"]), func(a rdf.Term) bool { return usable(a.Value) })
}

// stated tells that the publisher stated a field in a way that nobody can use.
func (m *mending) stated(field string) bool {
	for i := range m.d.Rows {
		if r := &m.d.Rows[i]; r.Basis == catalog.BasisNotDelivered && lint.SameField(r.Field, field) && r.UpstreamField != "" {
			return true
		}
	}
	return false
}

// pace tells that a member says how often the data changes: writing something else there would lose it.
func (m *mending) pace(member string) bool {
	return slices.ContainsFunc(m.d.Rows, func(r catalog.FieldRow) bool {
		return r.Field == "dataset.frequency" && r.Basis == catalog.BasisPublisher && "/"+r.UpstreamField == member && member != "/accrualPeriodicity"
	})
}

// json are the operations for a record in JSON.
func (m *mending) json(field string, t *lint.Template) []lint.Operation {
	var record any
	if m.d.RawMedia == "application/json" && json.Unmarshal(m.d.Raw, &record) != nil {
		record = nil
	}
	return t.On(m.f.Record.Pointer, lint.Mended(field, m.files()), record)
}

// nested tells of a record that lies in another one, so that the place of a draft is
// not its own.
func (l *linter) nested(pointer string) bool {
	return l.kind == udata.Kind && !strings.HasPrefix(pointer, "/data/") || strings.HasPrefix(pointer, "/catalog/") || strings.HasPrefix(pointer, "/datasetSeries/")
}

// untitled adds a title to be written.
func (l *linter) untitled(f *lint.Finding) {
	switch {
	case l.kind == dcatap.Kind && f.Record.Subject != "" && !strings.HasPrefix(f.Record.Subject, "_:") && strings.Contains(f.Record.Subject, ":"):
		f.Member = "dct:title"
		f.Patch = &lint.Patch{Form: lint.Turtle, Choose: true, Add: fmt.Sprintf("<%s> <http://purl.org/dc/terms/title> \"Title of the record\"@en .", lint.IRI(f.Record.Subject))}
	case l.bare[f.Record.Document+f.Record.Pointer]:
	case l.kind == "datajson" || l.kind == "ckan":
		f.Member = f.Record.Pointer + "/title"
		f.Patch = &lint.Patch{Form: lint.JSONPatch, Choose: true, Operations: []lint.Operation{{Op: "add", Path: f.Member, Value: "Title of the record"}}}
	}
}
