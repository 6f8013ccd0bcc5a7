package wire

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// gapsFile lists what is not built yet; it may be empty.
const gapsFile = "gaps.txt"

// specLines reads a table of testdata without comments and empty lines.
func specLines(t *testing.T, name string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	if len(out) == 0 && name != gapsFile {
		t.Fatal(name, "is empty")
	}
	return out
}

// TestSpecifiedMembersExist walks every documented member through the types.
func TestSpecifiedMembersExist(t *testing.T) {
	item, entry, page := reflect.TypeFor[Item](), reflect.TypeFor[Entry](), reflect.TypeFor[EntriesPage]()
	roots := map[string][]reflect.Type{"item": {item}, "entry": {entry}, "both": {item, entry}, "page": {page}}
	seen := map[string]bool{}
	for _, line := range specLines(t, "spec_members.txt") {
		f := strings.Fields(line)
		if len(f) != 3 || roots[f[0]] == nil {
			t.Fatalf("%q is not: root path type", line)
		}
		if seen[f[0]+f[1]] {
			t.Errorf("%s %s stands twice", f[0], f[1])
		}
		seen[f[0]+f[1]] = true
		for _, root := range roots[f[0]] {
			found, ok := walk(root, f[1])
			if !ok {
				t.Errorf("%s has no member %s", root.Name(), f[1])
				continue
			}
			if got := shapeOf(found); !matches(got, f[2]) {
				t.Errorf("%s.%s is %s, specified is %s", root.Name(), f[1], got, f[2])
			}
		}
	}
}

// walk follows a path like maturity.rungs[].level from a struct type.
func walk(t reflect.Type, path string) (reflect.Type, bool) {
	for step := range strings.SplitSeq(path, ".") {
		name, element := strings.CutSuffix(step, "[]")
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		next, ok := memberOf(t, name)
		if !ok {
			return nil, false
		}
		if element {
			if next.Kind() != reflect.Slice {
				return nil, false
			}
			next = next.Elem()
		}
		t = next
	}
	return t, true
}

// memberOf finds the type of a JSON member. A sealed answer has a manifest
// besides its own members.
func memberOf(t reflect.Type, name string) (reflect.Type, bool) {
	if t == reflect.TypeFor[ProvenanceMap]() {
		return reflect.TypeFor[FieldProvenance](), name == "*"
	}
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	for _, f := range reflect.VisibleFields(t) {
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.Anonymous && tag == name {
			return f.Type, true
		}
	}
	sealed := slices.ContainsFunc(Operations(), func(op Operation) bool { return op.Response == t && op.Sealed })
	return reflect.TypeFor[Manifest](), sealed && name == "manifest"
}

func shapeOf(t reflect.Type) string {
	null := ""
	if t.Kind() == reflect.Pointer {
		t, null = t.Elem(), "?"
	}
	switch t.Kind() {
	case reflect.String:
		return "string" + null
	case reflect.Bool:
		return "boolean" + null
	case reflect.Int, reflect.Int64:
		return "integer" + null
	case reflect.Float64:
		return "number" + null
	case reflect.Slice:
		return "array" + null
	case reflect.Struct:
		return "object" + null
	}
	return t.String()
}

// matches compares a Go shape with a specified one. An integer is a number;
// "any" says nothing of the type, and nothing of null unless it has a "?".
func matches(got, want string) bool {
	bare, null := strings.CutSuffix(want, "?")
	gotBare, gotNull := strings.CutSuffix(got, "?")
	if bare == "any" {
		return !null || gotNull
	}
	return null == gotNull && (gotBare == bare || gotBare == "integer" && bare == "number")
}

// named matches the parameters of a path: the specification itself calls one
// parameter {idOrSlug}, {id-or-slug} and {slug}.
var named = regexp.MustCompile(`\{[^}]*\}`)

func plain(operation string) string { return named.ReplaceAllString(operation, "{}") }

// TestSpecifiedOperationsExist looks for every documented operation and query
// parameter in the table, except the listed gaps; a gap that was closed must
// leave the list.
func TestSpecifiedOperationsExist(t *testing.T) {
	built := map[string]bool{}
	for _, op := range Operations() {
		built[plain(op.Method+" "+op.Path)] = true
		for _, p := range op.Params {
			if p.In == "query" {
				built[plain(op.Method+" "+op.Path)+"?"+p.Name] = true
			}
		}
	}
	specified := specLines(t, "spec_operations.txt")
	gaps := map[string]bool{}
	for _, line := range specLines(t, gapsFile) {
		op, reason, ok := strings.Cut(line, " — ")
		switch {
		case !ok || reason == "":
			t.Errorf("gap %q gives no reason", line)
		case built[plain(op)]:
			t.Errorf("%s is built; take it out of testdata/gaps.txt", op)
		case !slices.Contains(specified, op):
			t.Errorf("gap %s is not in the specification", op)
		}
		gaps[op] = true
	}
	for _, op := range specified {
		base, _, _ := strings.Cut(op, "?")
		if !built[plain(op)] && !gaps[base] {
			t.Errorf("%s is specified and missing", op)
		}
	}
}

func TestOperationsAreWellFormed(t *testing.T) {
	ids, paths, tags := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, tag := range Tags() {
		tags[tag.ID] = true
	}
	for _, op := range Operations() {
		if ids[op.ID] || paths[op.Method+op.Path] {
			t.Errorf("%s stands twice", op.ID)
		}
		ids[op.ID], paths[op.Method+op.Path] = true, true
		if !tags[op.Tag] || op.Summary == "" || op.Description == "" || op.Media == "" || op.Cache == "" {
			t.Errorf("%s lacks a known tag, a summary, a description, a media type or a cache rule", op.ID)
		}
		given := map[string]bool{}
		for _, p := range op.Params {
			if given[p.In+p.Name] || p.Description == "" {
				t.Errorf("%s: parameter %s stands twice or has no description", op.ID, p.Name)
			}
			given[p.In+p.Name] = true
			if p.In == "path" != strings.Contains(op.Path, "{"+p.Name+"}") {
				t.Errorf("%s: parameter %s and path %s disagree", op.ID, p.Name, op.Path)
			}
		}
		if strings.Count(op.Path, "{") != pathCount(op.Params) {
			t.Errorf("%s: path %s has parameters that are not listed", op.ID, op.Path)
		}
	}
}

func pathCount(params []Param) int {
	n := 0
	for _, p := range params {
		if p.In == "path" {
			n++
		}
	}
	return n
}
