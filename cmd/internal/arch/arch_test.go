package arch

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const module = "github.com/assay-register/assay/"

// file is one Go file with its imports.
type file struct {
	path, dir string
	test      bool
	imports   []string
	text      string
}

// dumps is the one place besides the stores that may open a database.
const dumps = "build/dump"

// rooms are the only folders that hold Go.
var rooms = []string{"cmd", "build", "render", "dynamic", "templates", "site", "migrations"}

// fence forbids the production files below in, but for those in except, to
// import what no says.
type fence struct {
	in     string
	no     func(path string) bool
	why    string
	except string
}

func below(prefixes ...string) func(string) bool {
	return func(path string) bool {
		for _, p := range prefixes {
			if path == p || strings.HasPrefix(path, p+"/") {
				return true
			}
		}
		return false
	}
}

func own(prefixes ...string) func(string) bool {
	full := make([]string, len(prefixes))
	for i, p := range prefixes {
		full[i] = module + p
	}
	return below(full...)
}

func either(a, b func(string) bool) func(string) bool {
	return func(p string) bool { return a(p) || b(p) }
}

var databases = below("database/sql", "github.com/jackc/pgx/v5", "modernc.org/sqlite", "github.com/pressly/goose/v3")

var fences = []fence{
	{"templates", own("build", "cmd", "dynamic", "migrations", "render", "site"), "templates are handed what they show", ""},
	{"render", either(own("build", "dynamic", "cmd", "migrations"), either(below("net/http", "os"), databases)), "render is pure", ""},
	{"render/catalog", func(p string) bool { return strings.Contains(p, ".") }, "the domain imports the standard library only", ""},
	{"render/score", either(own("render/snapshot", "render/wire"), own("render/api", "render/discovery")), "score stands on catalog", ""},
	{"render/snapshot", own("render/wire", "render/api", "render/discovery"), "snapshot stands on score and catalog", ""},
	{"render/wire", own("render/api", "render/discovery"), "formats stand on wire", ""},
	{"build", own("dynamic", "cmd", "migrations"), "the wings do not know each other", ""},
	{"dynamic", own("build", "cmd"), "the wings do not know each other", ""},
	{"dynamic", own("render/api", "render/discovery", "render/dcat", "render/okf", "render/feed", "render/export"), "the service does not render formats", ""},
	{"build", databases, "the batch wing reaches data through the contracts; only its dumps are databases", dumps},
	{"build", below("github.com/minio/minio-go/v7"), "an object store is one kind of bucket", "build/publish/bucket"},
	{"dynamic/web", databases, "SQL stays in the stores", ""},
	{"dynamic/query", databases, "SQL stays in the stores", ""},
}

func TestFences(t *testing.T) {
	files := parse(t)
	for _, f := range files {
		if f.test || strings.HasSuffix(f.dir, "test") {
			continue
		}
		for _, rule := range fences {
			if f.dir != rule.in && !strings.HasPrefix(f.dir, rule.in+"/") || f.dir == rule.except {
				continue
			}
			for _, imp := range f.imports {
				if rule.no(imp) {
					t.Errorf("%s imports %s: %s", f.path, imp, rule.why)
				}
			}
		}
	}
}

// families are folders whose children must not import each other.
var families = []string{"build/harvest", "dynamic/store", "render"}

// shared are the leaves of families that siblings may use.
var shared = map[string]bool{
	"build/harvest/source": true, "build/harvest/identity": true,
	"render/recompute": true, "render/redact": true,
	"render/catalog": true, "render/score": true, "render/snapshot": true, "render/search": true,
	"render/translit": true, "render/artifact": true, "render/codelist": true, "render/wire": true, "render/jsonx": true,
	"render/schemaorg": true, "render/oneline": true, "render/rdfxml": true, "render/spreadsheet": true,
	"render/card": true, "render/chart": true, "render/lint": true, "render/translog": true, "render/usage": true,
}

func TestSiblingsDoNotKnowEachOther(t *testing.T) {
	for _, f := range parse(t) {
		for _, family := range families {
			if f.test || !strings.HasPrefix(f.dir, family+"/") || strings.HasSuffix(f.dir, "test") || shared[f.dir] {
				continue
			}
			for _, imp := range f.imports {
				sibling := strings.TrimPrefix(imp, module)
				if filepath.Dir(sibling) == family && sibling != f.dir && !strings.HasPrefix(f.dir, sibling+"/") && !shared[sibling] {
					t.Errorf("%s imports its sibling %s", f.path, sibling)
				}
			}
		}
	}
}

func TestPgxOnlyInItsStore(t *testing.T) {
	for _, f := range parse(t) {
		for _, imp := range f.imports {
			if below("github.com/jackc/pgx/v5")(imp) && !strings.HasPrefix(f.dir, "dynamic/store/postgres") && !f.test {
				t.Errorf("%s imports %s", f.path, imp)
			}
		}
	}
}

var (
	clock   = regexp.MustCompile(`\btime\.Now\(`)
	dialing = regexp.MustCompile(`\bhttp\.(Get|Post|Head|DefaultClient)\b|\bnet\.Dial`)
)

func TestNoHiddenClockOrConnection(t *testing.T) {
	for _, f := range parse(t) {
		if f.test || strings.HasSuffix(f.dir, "test") {
			continue
		}
		if strings.HasPrefix(f.dir, "render") && clock.MatchString(f.text) {
			t.Errorf("%s asks the clock", f.path)
		}
		if (strings.HasPrefix(f.dir, "build") || strings.HasPrefix(f.dir, "dynamic")) && dialing.MatchString(f.text) {
			t.Errorf("%s opens a connection of its own", f.path)
		}
	}
}

func TestHelpersOnlyInTests(t *testing.T) {
	for _, f := range parse(t) {
		for _, imp := range f.imports {
			if strings.HasPrefix(imp, module) && strings.HasSuffix(imp, "test") && !f.test && !strings.HasSuffix(f.dir, "test") {
				t.Errorf("%s imports the test helper %s", f.path, imp)
			}
		}
	}
}

func TestGoOnlyInItsRooms(t *testing.T) {
	for _, f := range parse(t) {
		top, _, _ := strings.Cut(f.dir, "/")
		found := false
		for _, r := range rooms {
			found = found || r == top
		}
		if !found {
			t.Errorf("%s: Go lives in %s", f.path, strings.Join(rooms, ", "))
		}
	}
}

// parse reads the imports of every Go file in-process, so that a change of any
// file makes the test run again.
func parse(t *testing.T) []file {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	var files []file
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "testdata" || name == "out" || name == "bin") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		tree, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		f := file{path: rel, dir: filepath.ToSlash(filepath.Dir(rel)), test: strings.HasSuffix(name, "_test.go"), text: string(text)}
		for _, i := range tree.Imports {
			f.imports = append(f.imports, strings.Trim(i.Path.Value, `"`))
		}
		files = append(files, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Fatalf("only %d Go files found", len(files))
	}
	return files
}
