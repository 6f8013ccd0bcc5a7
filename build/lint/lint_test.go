package lint_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/lint"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/catalog"
	rules "github.com/assay-register/assay/render/lint"
)

// run lints a document that lies in memory.
func run(t testing.TB, name, kind string, data []byte) ([]rules.Finding, rules.Summary) {
	t.Helper()
	in := source.Input{Name: name, Now: time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC), Size: int64(len(data)),
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
	return runInput(t, in, kind)
}

func runInput(t testing.TB, in source.Input, kind string) (list []rules.Finding, sum rules.Summary) {
	t.Helper()
	sum, err := lint.Run(t.Context(), lint.Options{Input: in, Kind: kind, Connectors: harvest.Connectors(), Found: func(f *rules.Finding) error {
		list = append(list, *f)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return list, sum
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// fixtures are documents with one fault after the other.
var fixtures = []string{"data.json", "packages.jsonl", "api.json", "catalogue.ttl", "catalogue.csv", "metas.json", "socrata.jsonl", "udata.json"}

// TestFixtures: each rule that a fixture breaks is told at the member that breaks it.
func TestFixtures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, rule, record, member string }{
		{"data.json", "text.space-around", "a", "/dataset/0/landingPage"}, {"data.json", "date.interval", "a", "/dataset/0/modified"},
		{"data.json", "licence.link", "a", "/dataset/0/license"}, {"data.json", "url.host", "a", "/dataset/0/distribution/0/accessURL"},
		{"data.json", "identifier.repeated", "a", ""}, {"data.json", "title.repeated", "a", ""}, {"data.json", "missing.description", "b", "/dataset/2/description"},
		{"data.json", "date.precision", "b", "/dataset/2/modified"}, {"data.json", "licence.unknown", "b", "/dataset/2/license"}, {"data.json", "datajson.access-level", "b", "/dataset/2/accessLevel"},
		{"data.json", "url.unusable", "b", "/dataset/2/distribution/0/accessURL"}, {"data.json", "frequency.form", "b", "/dataset/2/accrualPeriodicity"}, {"data.json", "record.no-title", "c", "/dataset/3/title"},
		{"packages.jsonl", "text.invisible", "p", "/title"}, {"packages.jsonl", "value.empty", "p", "/resources/0/url"}, {"packages.jsonl", "format.spelling", "p", "/resources/1/format"},
		{"packages.jsonl", "licence.unspecified", "p", "/license_id"}, {"packages.jsonl", "ckan.resource-count", "p", "/num_resources"}, {"packages.jsonl", "date.order", "p", "/metadata_modified"},
		{"packages.jsonl", "text.control", "q", "/notes"}, {"packages.jsonl", "text.line-separator", "q", "/title"}, {"packages.jsonl", "url.credentials", "q", "/resources/0/url"}, {"packages.jsonl", "date.form", "q", "/metadata_modified"},
		{"api.json", "url.not-public", "", "/servers/0/url"}, {"api.json", "value.empty", "", "/info/license/name"}, {"api.json", "text.literal-escape", "", "/info/description"},
		{"catalogue.ttl", "language.tag", "", "dct:title"}, {"catalogue.ttl", "text.mojibake", "", "dct:description"}, {"catalogue.ttl", "date.implausible", "", "dct:modified"},
		{"catalogue.ttl", "mail.scheme", "", "vcard:hasEmail"}, {"catalogue.ttl", "mail.characters", "", "vcard:hasEmail"}, {"catalogue.ttl", "url.credentials", "", "dcat:accessURL"},
		{"catalogue.ttl", "url.doubled", "", "dcat:accessURL"}, {"catalogue.ttl", "distribution.no-address", "", "dcat:accessURL"}, {"catalogue.ttl", "date.repeated", "", "dct:issued"}, {"catalogue.ttl", "record.no-title", "", "dct:title"},
		{"catalogue.ttl", "language.machine", "", "dct:title"}, {"catalogue.ttl", "date.types", "", "dct:modified, dct:issued"}, {"catalogue.ttl", "text.placeholder", "", "dct:description"},
		{"catalogue.csv", "date.unreadable", "", "startDate"}, {"catalogue.csv", "licence.software", "", "license"}, {"catalogue.csv", "value.empty", "", "url"}, {"catalogue.csv", "date.order", "", "dateUpdated"},
		{"metas.json", "catalogue.incomplete", "", "/total_count"}, {"socrata.jsonl", "record.hidden", "", ""}, {"socrata.jsonl", "record.community", "", "/resource/provenance"}, {"udata.json", "missing.license", "", "/data/0/license"},
	} {
		list, _ := run(t, c.file, "", fixture(t, c.file))
		ok := false
		for i := range list {
			f := &list[i]
			ok = ok || f.Rule == c.rule && (c.record == "" || f.Record.ID == c.record) && (c.member == "" || f.Member == c.member)
			if f.Why == "" || f.Remedy == "" || f.Source.URL == "" || f.Message == "" || f.Record.Document == "" {
				t.Errorf("%s: a finding says too little: %+v", c.file, f)
			}
		}
		if !ok {
			var told []string
			for i := range list {
				told = append(told, fmt.Sprint(list[i].Rule, " ", list[i].Record.ID, " ", list[i].Member))
			}
			t.Errorf("%s: %s of %q at %q is not told, but\n%s", c.file, c.rule, c.record, c.member, strings.Join(told, "\n"))
		}
	}
}

// TestPatches: a patch applied makes its finding vanish, for every finding that has
// one, of all fixtures and of captured catalogues where they are.
func TestPatches(t *testing.T) {
	t.Parallel()
	total := 0
	for _, name := range fixtures {
		total += patches(t, name, fixture(t, name), 1_000)
	}
	if total < 60 {
		t.Errorf("only %d patches were applied", total)
	}
	for _, name := range []string{"datajson/us-federal/fda.data.json", "dcat/semic__hvd-ms_catalogue.ttl", "dcat/udata__sig.oreme.rdf"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", name))
		if err != nil {
			continue
		}
		patches(t, name, data, 12)
	}
}

// patches applies at most so many patches of each rule, and counts them.
func patches(t *testing.T, name string, data []byte, of int) (n int) {
	t.Helper()
	list, _ := run(t, name, "", data)
	done := map[string]int{}
	for i := range list {
		f := &list[i]
		if f.Patch == nil || done[f.Rule] >= max(1, of/12) {
			continue
		}
		done[f.Rule]++
		n++
		var mended []byte
		if f.Patch.Form == rules.Turtle {
			mended = applyTurtle(t, name, data, f.Patch)
		} else {
			mended = applyJSON(t, name, data, f)
		}
		after := name
		if f.Patch.Form == rules.Turtle {
			after += ".nt"
		}
		again, _ := run(t, after, "", mended)
		for j := range again {
			g := &again[j]
			if g.Rule == f.Rule && g.Member == f.Member && g.Record.Subject == f.Record.Subject && g.Record.Pointer == f.Record.Pointer && (g.Record.Line == f.Record.Line || f.Record.Pointer != "") && g.Value == f.Value {
				t.Errorf("%s: %s at %s %s is still told after its patch %+v", name, f.Rule, rules.Place(&f.Record), f.Member, *f.Patch)
			}
		}
	}
	return n
}

// applyJSON applies a JSON patch to a document or, of JSON lines, to its line.
func applyJSON(t *testing.T, name string, data []byte, f *rules.Finding) []byte {
	t.Helper()
	if !strings.HasSuffix(name, ".jsonl") {
		return patchDocument(t, data, f.Patch.Operations)
	}
	lines := bytes.Split(data, []byte("\n"))
	lines[f.Record.Line-1] = patchDocument(t, lines[f.Record.Line-1], f.Patch.Operations)
	return bytes.Join(lines, []byte("\n"))
}

func patchDocument(t *testing.T, data []byte, ops []rules.Operation) []byte {
	t.Helper()
	var doc any
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	for _, op := range ops {
		parts := strings.Split(op.Path, "/")[1:]
		for i := range parts {
			parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(parts[i])
		}
		doc = operate(t, doc, parts, op)
	}
	out, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// operate does one operation of RFC 6902.
func operate(t *testing.T, at any, path []string, op rules.Operation) any {
	t.Helper()
	key := path[0]
	switch at := at.(type) {
	case map[string]any:
		_, there := at[key]
		switch {
		case len(path) > 1:
			at[key] = operate(t, at[key], path[1:], op)
		case op.Op == "test":
			if !there || fmt.Sprint(at[key]) != fmt.Sprint(op.Value) {
				t.Errorf("test of %s: %v is %v", op.Path, at[key], op.Value)
			}
		case op.Op == "remove" && there:
			delete(at, key)
		case op.Op == "add", op.Op == "replace" && there:
			at[key] = op.Value
		default:
			t.Errorf("%s %s: nothing is there", op.Op, op.Path)
		}
		return at
	case []any:
		i, err := strconv.Atoi(key)
		if err != nil || i >= len(at) {
			t.Fatalf("%s: no element %s", op.Path, key)
		}
		switch {
		case len(path) > 1:
			at[i] = operate(t, at[i], path[1:], op)
		case op.Op == "remove":
			return append(at[:i], at[i+1:]...)
		case op.Op == "replace":
			at[i] = op.Value
		}
		return at
	}
	t.Fatalf("%s: nothing is there", op.Path)
	return nil
}

// applyTurtle takes statements out of a document and puts others in.
func applyTurtle(t *testing.T, name string, data []byte, p *rules.Patch) []byte {
	t.Helper()
	read := func(text []byte, syntax rdf.Syntax) (out []string) {
		o := rdf.Options{Base: "https://example.org/", Lenient: func(rdf.Problem) error { return nil }}
		if err := rdf.Read(bytes.NewReader(text), syntax, o, func(x rdf.Triple) error {
			out = append(out, lint.StatementText(x.Subject, x.Predicate, x.Object))
			return nil
		}); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		return out
	}
	syntax, _ := rdf.Detect(data, "", name)
	statements := read(data, syntax)
	for _, gone := range read([]byte(p.Remove), rdf.Turtle) {
		before := len(statements)
		for i := range statements {
			if statements[i] == gone {
				statements = append(statements[:i], statements[i+1:]...)
				break
			}
		}
		if len(statements) == before {
			t.Errorf("%s: %s is not in the document", name, gone)
		}
	}
	for _, s := range read([]byte(p.Add), rdf.Turtle) {
		statements = append(statements, strings.ReplaceAll(s, "_:#", "_:added"))
	}
	return []byte(strings.ReplaceAll(strings.Join(statements, "\n"), "_:#", "_:own") + "\n")
}

// TestClean: a catalogue without faults has no finding that must be mended.
func TestClean(t *testing.T) {
	t.Parallel()
	list, sum := run(t, "clean.json", "", fixture(t, "clean.json"))
	if sum.Must != 0 || sum.Should != 0 || sum.Records != 1 {
		t.Errorf("%+v %+v", sum, list)
	}
}

// FuzzDocuments: whatever lies in a document, a run ends without a panic.
func FuzzDocuments(f *testing.F) {
	for _, name := range fixtures {
		f.Add(name, fixture(f, name))
	}
	f.Add("x.md", []byte("---\na: [\n---\n"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		if strings.ContainsAny(name, "/\\") || len(data) > 1<<16 {
			return
		}
		in := source.Input{Name: name, Source: catalog.Source{}, Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
		_, _ = lint.Run(t.Context(), lint.Options{Input: in, Connectors: harvest.Connectors(), Found: func(*rules.Finding) error { return nil }})
	})
}
