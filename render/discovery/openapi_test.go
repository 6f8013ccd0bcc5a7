package discovery

import (
	"bytes"
	"cmp"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

var site = snapshot.Site{BaseURL: "https://register.example", Name: "Assay", License: "CC0-1.0"}

func document(t *testing.T) []byte {
	t.Helper()
	b, err := OpenAPI(site, InterfaceVersion)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// .ci/lint-openapi.sh judges the golden file.
func TestDocumentIsGolden(t *testing.T) {
	rendertest.Golden(t, "openapi.json", document(t))
}

func TestEqualArgumentsGiveEqualBytes(t *testing.T) {
	want := document(t)
	for range 20 {
		if !bytes.Equal(want, document(t)) {
			t.Fatal("two documents of one site differ")
		}
	}
	if bytes.Contains(want, []byte(`\u00`)) {
		t.Error("the document holds escapes that JavaScript would not write")
	}
}

type parsed struct {
	Paths      map[string]map[string]parsedOperation
	Components struct {
		Schemas map[string]parsedSchema
	}
}

type parsedOperation struct {
	OperationID string `json:"operationId"`
	Parameters  []json.RawMessage
	Responses   map[string]json.RawMessage
}

type parsedSchema struct {
	Description          string
	Enum                 []string
	Required             []string
	Properties           map[string]struct{ Description string }
	AdditionalProperties *bool
}

func parse(t *testing.T) parsed {
	t.Helper()
	var p parsed
	if err := json.Unmarshal(document(t), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEveryOperationIsDescribed(t *testing.T) {
	doc := parse(t)
	n := 0
	for _, methods := range doc.Paths {
		n += len(methods)
	}
	ops := wire.Operations()
	if n != len(ops) {
		t.Errorf("%d operations in the document, %d in the table", n, len(ops))
	}
	for _, op := range ops {
		got := doc.Paths[op.Path][strings.ToLower(op.Method)]
		if got.OperationID != op.ID || len(got.Parameters) != len(op.Params) {
			t.Errorf("%s %s: operation %q with %d parameters, want %q with %d", op.Method, op.Path,
				got.OperationID, len(got.Parameters), op.ID, len(op.Params))
		}
		for _, status := range append(problemsOf(&op), cmp.Or(op.Status, 200)) {
			if got.Responses[strconv.Itoa(status)] == nil {
				t.Errorf("%s: no response %d", op.ID, status)
			}
		}
	}
}

func TestEveryComponentIsDescribed(t *testing.T) {
	used, bodies := map[string]bool{}, map[string]bool{}
	for _, op := range wire.Operations() {
		if op.Body != nil {
			bodies[op.Body.Name()] = true
			for _, f := range reflect.VisibleFields(op.Body) {
				if k := f.Type.Kind(); (k == reflect.Pointer || k == reflect.Slice) && f.Type.Elem().Kind() == reflect.Struct {
					bodies[f.Type.Elem().Name()] = true // what only a request holds
				}
			}
		}
	}
	for name, s := range parse(t).Components.Schemas {
		if s.Description == "" {
			t.Errorf("component %s has no description", name)
		}
		if closed := s.AdditionalProperties != nil; closed && !bodies[name] {
			t.Errorf("component %s is closed; answers may gain members", name)
		} else if !closed && bodies[name] {
			t.Errorf("component %s is open; an unknown member of a request is an error", name)
		}
		used[name] = true
		for m, p := range s.Properties {
			if p.Description == "" {
				t.Errorf("member %s.%s has no description", name, m)
			}
			used[m], used[name+"."+m] = true, true
		}
	}
	for name := range requestRules {
		if !used[name] {
			t.Errorf("rule for %q applies to nothing", name)
		}
	}
	for _, table := range []map[string]string{structDescriptions, memberDescriptions, references} {
		for name := range table {
			if !used[name] {
				t.Errorf("%q describes nothing", name)
			}
		}
	}
	for _, list := range [][]string{uuids, foreign, addresses, relative, instants, percents} {
		for _, name := range list {
			if !used[name] {
				t.Errorf("rule for %q applies to nothing", name)
			}
		}
	}
}

func TestSealedAnswersRequireTheirManifest(t *testing.T) {
	schemas := parse(t).Components.Schemas
	for _, op := range wire.Operations() {
		if op.Response == nil {
			continue
		}
		if got := slices.Contains(schemas[op.Response.Name()].Required, "manifest"); got != op.Sealed {
			t.Errorf("%s: manifest required is %v, want %v", op.ID, got, op.Sealed)
		}
	}
}

// TestVocabulariesAreComplete compares the enums with the constants that the
// packages declare.
func TestVocabulariesAreComplete(t *testing.T) {
	declared := map[string][]string{}
	for _, dir := range []string{"catalog", "score", "wire", "codelist"} {
		files, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal("no sources in ", dir, err)
		}
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				spec, ok := n.(*ast.ValueSpec)
				if !ok || len(spec.Values) == 0 {
					return true
				}
				id, named := spec.Type.(*ast.Ident)
				lit, text := spec.Values[0].(*ast.BasicLit)
				if named && text && lit.Kind == token.STRING {
					word, err := strconv.Unquote(lit.Value)
					if err != nil {
						t.Fatal(err)
					}
					declared[dir+"."+id.Name] = append(declared[dir+"."+id.Name], word)
				}
				return true
			})
		}
	}
	for _, v := range vocabularies() {
		var words []string
		for _, w := range v.words {
			words = append(words, w.(string))
		}
		want := slices.Sorted(slices.Values(declared[v.typ.String()]))
		if got := slices.Sorted(slices.Values(words)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, declared are %v", v.name, got, want)
		}
	}
}

func TestWholeRendersTheContract(t *testing.T) {
	got := map[string][]byte{}
	err := Aggregates(&snapshot.Catalog{Site: site}, func(f artifact.File) error {
		got[f.Route] = f.Body
		return nil
	})
	if err != nil || !bytes.Equal(got["/openapi.json"], document(t)) {
		t.Errorf("%d files, error %v", len(got), err)
	}
}
