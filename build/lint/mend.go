package lint

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/harvest/dcatap"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/udata"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/lint"
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
	add := "<" + iriText(n.Subject.Value) + "> " + t.Turtle + " ."
	switch files := n.Values["dcat:distribution"]; {
	case field == "formats" && len(files) > 0:
		if add = unformatted(files); add == "" {
			return
		}
	case field == "source_modified_at" && m.l.dates.days == 0 && m.l.dates.times > 0:
		add = strings.NewReplacer("XMLSchema#date>", "XMLSchema#dateTime>", `"^^`, `T00:00:00Z"^^`).Replace(add)
	}
	m.f.Patch = &lint.Patch{Form: lint.Turtle, Choose: true, Add: add}
}

// unformatted states a format of each file that has an IRI.
func unformatted(files []rdf.Term) string {
	var list []string
	for _, f := range files {
		if f.Kind == rdf.IRI {
			list = append(list, StatementText(f, rdf.Term{Kind: rdf.IRI, Value: dctFormat}, rdf.Term{Kind: rdf.IRI, Value: fileCSV}))
		}
	}
	return strings.Join(list, "\n")
}

const (
	dctFormat = "http://purl.org/dc/terms/format"
	fileCSV   = "http://publications.europa.eu/resource/authority/file-type/CSV"
)

// stated tells that the publisher stated a field in a way that nobody can use.
func (m *mending) stated(field string) bool {
	for i := range m.d.Rows {
		if r := &m.d.Rows[i]; r.Basis == catalog.BasisNotDelivered && lint.SameField(r.Field, field) && r.UpstreamField != "" {
			return true
		}
	}
	return false
}

// json are the operations for a record in JSON: first what it is known by, so that a patch of
// another version of the document changes no other record.
func (m *mending) json(field string, t *lint.Template) []lint.Operation {
	at := m.f.Record.Pointer
	var record any
	if m.d.RawMedia == "application/json" && json.Unmarshal(m.d.Raw, &record) != nil {
		record = nil
	}
	ops := sameRecord(at, record)
	for _, op := range t.Operations {
		list, _ := value(record, op.Path).([]any)
		if field == "formats" && len(list) > 0 {
			if unnamed := formats(at+op.Path, list); len(unnamed) > 0 {
				ops = append(ops, unnamed...)
				continue
			}
		}
		if (field == "formats" || field == "dataset_details.distributions") && len(list) > 0 {
			ops = append(ops, beside(at, op, list, record)...)
			continue
		}
		ops = append(ops, parents(at, op.Path, record)...)
		ops = append(ops, lint.Operation{Op: op.Op, Path: at + op.Path, Value: op.Value})
	}
	return ops
}

// sameRecord tests that the record is the one that the finding is about.
func sameRecord(at string, record any) []lint.Operation {
	for _, path := range identities {
		if id, ok := value(record, path).(string); ok && id != "" {
			return []lint.Operation{{Op: "test", Path: at + path, Value: id}}
		}
	}
	return nil
}

// beside lists an example after the files that are there and cannot be used.
func beside(at string, op lint.Operation, list []any, record any) (ops []lint.Operation) {
	examples, _ := op.Value.([]any)
	for _, one := range examples {
		ops = append(ops, lint.Operation{Op: "add", Path: at + op.Path + "/-", Value: one})
	}
	if n, ok := value(record, "/num_resources").(float64); ok && int(n) == len(list) { // CKAN counts them
		ops = append(ops, lint.Operation{Op: "replace", Path: at + "/num_resources", Value: len(list) + len(examples)})
	}
	return ops
}

// formats states one for each file that has none.
func formats(at string, files []any) (ops []lint.Operation) {
	for i := range files {
		file, ok := files[i].(map[string]any)
		if said, _ := file["format"].(string); ok && strings.TrimSpace(said) == "" {
			ops = append(ops, lint.Operation{Op: "add", Path: at + "/" + strconv.Itoa(i) + "/format", Value: "CSV"})
		}
	}
	return ops
}

// parents makes the objects around a member that the record lacks.
func parents(at, path string, record any) (ops []lint.Operation) {
	if record == nil {
		return nil
	}
	for i := 1; i < len(path); i++ {
		if path[i] == '/' && value(record, path[:i]) == nil {
			ops = append(ops, lint.Operation{Op: "add", Path: at + path[:i], Value: map[string]any{}})
		}
	}
	return ops
}

// value is what lies at a pointer, nil for nothing.
func value(at any, pointer string) any {
	for _, part := range strings.Split(pointer, "/")[1:] {
		object, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = object[part]
	}
	return at
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
		f.Patch = &lint.Patch{Form: lint.Turtle, Choose: true, Add: fmt.Sprintf("<%s> <http://purl.org/dc/terms/title> \"Title of the record\"@en .", iriText(f.Record.Subject))}
	case l.kind == "datajson" || l.kind == "ckan":
		f.Member = f.Record.Pointer + "/title"
		f.Patch = &lint.Patch{Form: lint.JSONPatch, Choose: true, Operations: []lint.Operation{{Op: "add", Path: f.Member, Value: "Title of the record"}}}
	}
}
