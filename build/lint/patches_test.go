package lint_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/assay-register/assay/build/lint"
	"github.com/assay-register/assay/build/rdf"
	rules "github.com/assay-register/assay/render/lint"
)

// TestPatches: a patch that is applied makes its finding vanish and no other appear, for every
// finding that has one, of all fixtures and of captured catalogues where they are.
func TestPatches(t *testing.T) {
	t.Parallel()
	told := map[string]int{}
	for _, name := range fixtures {
		patches(t, name, fixture(t, name), 1_000, told)
	}
	total := 0
	for _, n := range told {
		total += n
	}
	if total < 60 {
		t.Errorf("only %d patches were applied", total)
	}
}

// TestPatchesOfCaptures: the same of some patches of each rule in each captured catalogue.
func TestPatchesOfCaptures(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..", "shared", "data")
	told := map[string]int{}
	for _, pattern := range []string{"datajson/*/*", "ckan/*", "ckan/*/*.json", "dcat/*.*", "dcat/*/*", "dcat-large/*", "ods/*", "udata/*", "mcp-registry/*.json*", "apisguru/*.json*", "socrata/*", "openapi/*/*"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, ok := captureOf(t, file)
			if !ok {
				continue
			}
			of := 2
			if len(data) > large {
				of = 1
			}
			name := strings.TrimSuffix(filepath.ToSlash(strings.TrimPrefix(file, root+string(filepath.Separator))), ".gz")
			patches(t, name, data, of, told)
		}
	}
}

// large is the size of a capture, in bytes, of which one patch of each rule is applied.
const large = 1_000_000

// captureOf reads a capture, also a compressed one, if it is none that is too large to be read so often, nor one
// that describes others.
func captureOf(t *testing.T, file string) (data []byte, ok bool) {
	t.Helper()
	plain := strings.TrimSuffix(file, ".gz")
	info, err := os.Stat(file)
	if err != nil || info.IsDir() || strings.HasSuffix(plain, ".md") || strings.HasSuffix(plain, ".tsv") || info.Size() > captureMax() {
		return nil, false
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := io.Reader(f)
	if plain != file {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	data, err = io.ReadAll(io.LimitReader(r, captureMax()+1))
	if err != nil {
		t.Fatal(err)
	}
	return data, int64(len(data)) <= captureMax()
}

// captureMax is the largest capture whose patches are applied, in bytes as it is read: with ASSAY_SOAK=1 all but the
// whole of Belgium, whose part has the same quirks.
func captureMax() int64 {
	if os.Getenv("ASSAY_SOAK") != "" {
		return 12_000_000
	}
	return 40_000
}

// patches applies at most so many patches of each rule.
func patches(t *testing.T, name string, data []byte, of int, told map[string]int) {
	t.Helper()
	list, _ := run(t, name, "", data)
	done, plain, was := map[string]int{}, []byte(nil), census(list)
	var written map[string]int
	for i := range list {
		f := &list[i]
		if f.Patch == nil || done[f.Rule] >= of {
			continue
		}
		done[f.Rule]++
		told[f.Rule]++
		before, after, mended := was, name, []byte(nil)
		if f.Patch.Form == rules.Turtle {
			// Statements are taken out of and put into a list of them, which is linted as such before, too.
			after += ".nt"
			if plain == nil {
				plain = applyTurtle(t, name, data, &rules.Patch{})
				list, _ := run(t, after, "", plain)
				was = census(list)
				before = was
			}
			mended = applyTurtle(t, name, data, f.Patch)
		} else {
			mended = applyJSON(t, name, data, f)
			if !lines(name) {
				if written == nil {
					written = baseline(t, name, data)
				}
				before = written
			}
		}
		again, _ := run(t, after, "", mended)
		now := census(again)
		if key := keyOf(f); now[key] >= before[key] {
			t.Errorf("%s: %s at %s %s is still told after its patch %+v", name, f.Rule, rules.Place(&f.Record), f.Member, *f.Patch)
		}
		for key, n := range now {
			if n > before[key] && !(unlisted[f.Rule] && lacks(key)) {
				t.Errorf("%s: the patch of %s at %s %s made another finding appear: %s (%d, were %d)\n%+v", name, f.Rule, rules.Place(&f.Record), f.Member, key, n, before[key], *f.Patch)
			}
		}
	}
}

// baseline is what is told of a document that is written again without a change, for the tool that
// applies patches orders members.
func baseline(t *testing.T, name string, data []byte) map[string]int {
	t.Helper()
	list, _ := run(t, name, "", patchDocument(t, data, nil, false))
	return census(list)
}

// lines tells that each line of a document is one of JSON.
func lines(name string) bool { return strings.HasSuffix(name, ".jsonl") }

var numbers = regexp.MustCompile(`/\d+`)

// unlisted are rules that keep a record from being listed: what else it lacks is told once it is.
var unlisted = map[string]bool{"record.no-title": true, "openapi.no-host": true}

func lacks(key string) bool {
	return strings.HasPrefix(key, "missing.") || strings.HasPrefix(key, "licence.clarity")
}

// keyOf stands for a finding: elements of lists move when one is taken out.
func keyOf(f *rules.Finding) string {
	who := f.Record.ID
	if f.Record.Subject != "" {
		who = f.Record.Subject
	} else if who == "" {
		who = f.Record.Pointer
	}
	if strings.HasPrefix(who, "_:") {
		who = "_:"
	}
	return strings.Join([]string{f.Rule, who, numbers.ReplaceAllString(f.Member, "/#")}, " | ")
}

// census counts findings.
func census(list []rules.Finding) map[string]int {
	out := map[string]int{}
	for i := range list {
		out[keyOf(&list[i])] += max(1, list[i].Count)
	}
	return out
}

// applyJSON applies a JSON patch (RFC 6902) to a document or, of JSON lines, to its line.
func applyJSON(t *testing.T, name string, data []byte, f *rules.Finding) []byte {
	t.Helper()
	if !lines(name) {
		return patchDocument(t, data, f.Patch.Operations, false)
	}
	all := bytes.Split(data, []byte("\n"))
	all[f.Record.Line-1] = patchDocument(t, all[f.Record.Line-1], f.Patch.Operations, true)
	return bytes.Join(all, []byte("\n"))
}

func patchDocument(t *testing.T, data []byte, ops []rules.Operation, oneLine bool) []byte {
	t.Helper()
	var doc any
	if err := json.Unmarshal(data, &doc); err != nil {
		if err := yaml.Unmarshal(data, &doc); err != nil {
			t.Fatal(err)
		}
		doc = named(doc)
	}
	for _, op := range ops {
		if op.Op == "move" {
			doc = operate(t, doc, pointer(op.Path), rules.Operation{Op: "add", Path: op.Path, Value: at(doc, pointer(op.From))})
			op = rules.Operation{Op: "remove", Path: op.From}
		}
		doc = operate(t, doc, pointer(op.Path), op)
	}
	out, err := json.MarshalIndent(doc, "", " ") // records are told apart by their lines
	if oneLine {
		out, err = json.Marshal(doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// named gives the objects of YAML names that are texts, as those of JSON are: answers have numbers there.
func named(v any) any {
	switch v := v.(type) {
	case map[any]any:
		out := map[string]any{}
		for name, one := range v {
			out[fmt.Sprint(name)] = named(one)
		}
		return out
	case map[string]any:
		for name, one := range v {
			v[name] = named(one)
		}
	case []any:
		for i := range v {
			v[i] = named(v[i])
		}
	}
	return v
}

// pointer splits one of RFC 6901.
func pointer(text string) []string {
	parts := strings.Split(text, "/")[1:]
	for i := range parts {
		parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(parts[i])
	}
	return parts
}

// at is what lies at a pointer.
func at(doc any, path []string) any {
	for _, name := range path {
		if list, ok := doc.([]any); ok {
			n, _ := strconv.Atoi(name)
			doc = list[n]
			continue
		}
		object, _ := doc.(map[string]any)
		doc = object[name]
	}
	return doc
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
			if !there || !same(at[key], op.Value) {
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
		if key == "-" && op.Op == "add" {
			return append(at, op.Value)
		}
		i, err := strconv.Atoi(key)
		if err != nil || i >= len(at) {
			t.Fatalf("%s: no element %s", op.Path, key)
		}
		switch {
		case len(path) > 1:
			at[i] = operate(t, at[i], path[1:], op)
		case op.Op == "test":
			if !same(at[i], op.Value) {
				t.Errorf("test of %s: %v is %v", op.Path, at[i], op.Value)
			}
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

// same compares as RFC 6902 does: by the JSON value.
func same(there, wanted any) bool {
	raw, err := json.Marshal(wanted)
	var value any
	return err == nil && json.Unmarshal(raw, &value) == nil && reflect.DeepEqual(there, value)
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
