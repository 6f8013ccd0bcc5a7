package lint

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/usage"
)

// Identities are where records in JSON have their identifier, the best first.
var Identities = []string{"/identifier", "/id", "/@id", "/dataset_id", "/datasetid", "/resource/id", "/server/name", "/key", "/slug", "/fileIdentifier"}

// On are the operations that state a field in the record that lies at a pointer, beside what it
// states already; the record is nil where it is not known. First they test what it is known by, so
// that a patch of another version of the document changes no other record.
func (t *Template) On(at, field string, record any) []Operation {
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
		ops = append(ops, Operation{Op: op.Op, Path: at + op.Path, Value: op.Value})
	}
	return ops
}

// Mended is the field that the patch of a record is of, by how many of its files were taken in: the format of a file
// that nobody reaches is not read, so that a record without one lists a further file.
func Mended(field string, files int) string {
	if field == "formats" && files == 0 {
		return "dataset_details.distributions"
	}
	return field
}

// sameRecord tests that the record is the one that the finding is about.
func sameRecord(at string, record any) []Operation {
	for _, path := range Identities {
		if id, ok := value(record, path).(string); ok && id != "" {
			return []Operation{{Op: "test", Path: at + path, Value: id}}
		}
	}
	return nil
}

// beside lists an example after the files that are there and cannot be used.
func beside(at string, op Operation, list []any, record any) (ops []Operation) {
	examples, _ := op.Value.([]any)
	for _, one := range examples {
		ops = append(ops, Operation{Op: "add", Path: at + op.Path + "/-", Value: one})
	}
	if n, ok := value(record, "/num_resources").(float64); ok && int(n) == len(list) { // CKAN counts them
		ops = append(ops, Operation{Op: "replace", Path: at + "/num_resources", Value: len(list) + len(examples)})
	}
	return ops
}

// formats states one for each file that has none, and whose address names none either: another one
// than that would not be believed.
func formats(at string, files []any) (ops []Operation) {
	for i := range files {
		file, ok := files[i].(map[string]any)
		if said, _ := file["format"].(string); ok && strings.TrimSpace(said) == "" && !named(file) {
			ops = append(ops, Operation{Op: "add", Path: at + "/" + strconv.Itoa(i) + "/format", Value: "CSV"})
		}
	}
	return ops
}

// named tells that the address of a file names its format.
func named(file map[string]any) bool {
	for _, member := range []string{"downloadURL", "url", "accessURL"} {
		if address, _ := file[member].(string); usage.Named(address) != "" {
			return true
		}
	}
	return false
}

// parents makes the objects around a member that the record lacks.
func parents(at, path string, record any) (ops []Operation) {
	if record == nil {
		return nil
	}
	for i := 1; i < len(path); i++ {
		if path[i] == '/' && value(record, path[:i]) == nil {
			ops = append(ops, Operation{Op: "add", Path: at + path[:i], Value: map[string]any{}})
		}
	}
	return ops
}

// value is what lies at a pointer through objects, nil for nothing.
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

// What Turtle patches say of a file without a format.
const (
	PropertyFormat = dct + "format"
	FileCSV        = "http://publications.europa.eu/resource/authority/file-type/CSV"
)

// IRI escapes what no IRI holds (RDF 1.1 Turtle, section 2.4).
func IRI(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r <= ' ' || strings.ContainsRune("<>\"{}|^`\\", r) {
			fmt.Fprintf(&b, `\u%04X`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
