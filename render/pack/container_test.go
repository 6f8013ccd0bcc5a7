package pack

import (
	"bytes"
	"database/sql"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/assay-register/assay/render/artifact"
)

// BenchmarkContainer compares the form with a table of SQLite that holds the same
// frames: writing, reading at random, and copying all groups but each hundredth
// into a new file. ASSAY_SITE names a built site whose entries are taken instead
// of generated ones.
//
//	go test ./render/pack -run '^$' -bench Container
func BenchmarkContainer(b *testing.B) {
	list := corpus(b)
	routes, documents := []string{}, 0
	var raw int64
	for _, g := range list {
		for _, d := range g.Documents {
			routes, documents, raw = append(routes, d.Route), documents+1, raw+d.Size
		}
	}
	dir := b.TempDir()
	own, other := filepath.Join(dir, "a.pack"), filepath.Join(dir, "a.sqlite")
	for _, c := range []struct {
		name, path string
		write      func(testing.TB, string, func(func(*Group) error) error)
	}{{"pack", own, writePack}, {"sqlite", other, writeSQLite}} {
		b.Run("write/"+c.name, func(b *testing.B) {
			for b.Loop() {
				c.write(b, c.path, func(add func(*Group) error) error { return each(list, add) })
			}
			info, err := os.Stat(c.path)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(info.Size())/float64(len(list)), "B/entry")
			b.ReportMetric(float64(raw)/float64(len(list)), "raw-B/entry")
		})
	}
	b.Run("read/pack", func(b *testing.B) { readPack(b, own, routes) })
	b.Run("read/sqlite", func(b *testing.B) { readSQLite(b, other, routes) })
	b.Run("copy/pack", func(b *testing.B) { copyPack(b, own, filepath.Join(dir, "b.pack"), list) })
	b.Run("copy/sqlite", func(b *testing.B) { copySQLite(b, other, filepath.Join(dir, "b.sqlite"), list) })
}

func each(list []*Group, add func(*Group) error) error {
	for _, g := range list {
		if err := add(g); err != nil {
			return err
		}
	}
	return nil
}

// corpus compresses the entries of a site, or generated ones.
func corpus(b *testing.B) []*Group {
	site := os.Getenv("ASSAY_SITE")
	if site == "" {
		return groups(b, 2000)
	}
	byEntry, keys := map[string][]artifact.File{}, []string{}
	err := fs.WalkDir(os.DirFS(site), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		// Compressed forms are no documents of their own.
		if ext := filepath.Ext(path); ext == ".gz" || ext == ".zst" || ext == ".br" {
			return nil
		}
		parts := strings.Split(path, "/")
		at := 0
		for i, p := range parts {
			if id, _, _ := strings.Cut(p, "."); len(id) == 36 && strings.Count(id, "-") == 4 {
				at, parts[i] = i, id
				break
			}
		}
		if at == 0 || parts[at-1] == "institution" || parts[at-1] == "institutions" || parts[at-1] == "source" || parts[at-1] == "sources" {
			return nil
		}
		body, err := os.ReadFile(filepath.Join(site, path))
		if err != nil {
			return err
		}
		id := parts[at]
		if byEntry[id] == nil {
			keys = append(keys, id)
		}
		route := "/" + strings.TrimSuffix(path, "/"+d.Name())
		if !strings.HasPrefix(d.Name(), "index.") {
			route = "/" + path
		}
		byEntry[id] = append(byEntry[id], artifact.File{Route: route, Type: artifact.TypeOf(path), Class: artifact.ClassEntry, Body: body})
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	var out []*Group
	for _, k := range keys {
		g, err := Compress(k, byEntry[k])
		if err != nil {
			b.Fatal(err)
		}
		delete(byEntry, k)
		out = append(out, g)
	}
	return out
}

func writePack(tb testing.TB, path string, fill func(func(*Group) error) error) {
	tb.Helper()
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	w := NewWriter(f)
	if err := fill(w.Append); err != nil {
		tb.Fatal(err)
	}
	if _, err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	if err := f.Sync(); err != nil {
		tb.Fatal(err)
	}
}

const schema = `PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA page_size=8192;
CREATE TABLE groups (id INTEGER PRIMARY KEY, key TEXT UNIQUE, meta BLOB, data BLOB);
CREATE TABLE routes (route TEXT PRIMARY KEY, grp INTEGER, document INTEGER) WITHOUT ROWID;
CREATE TABLE hashes (sum BLOB, grp INTEGER, document INTEGER, PRIMARY KEY (sum, grp, document)) WITHOUT ROWID;`

func writeSQLite(tb testing.TB, path string, fill func(func(*Group) error) error) {
	tb.Helper()
	if err := os.RemoveAll(path); err != nil {
		tb.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(schema); err != nil {
		tb.Fatal(err)
	}
	tx, err := db.Begin()
	if err != nil {
		tb.Fatal(err)
	}
	if err := fill(insert(tb, tx)); err != nil {
		tb.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		tb.Fatal(err)
	}
}

// prepare makes a statement that is closed when the test ends.
func prepare(tb testing.TB, tx *sql.Tx, text string) *sql.Stmt {
	tb.Helper()
	stmt, err := tx.Prepare(text)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { stmt.Close() })
	return stmt
}

func insert(tb testing.TB, tx *sql.Tx) func(*Group) error {
	group, route := prepare(tb, tx, "INSERT INTO groups VALUES (?, ?, ?, ?)"), prepare(tb, tx, "INSERT INTO routes VALUES (?, ?, ?)")
	hash := prepare(tb, tx, "INSERT INTO hashes VALUES (?, ?, ?)")
	number := 0
	return func(g *Group) error {
		if _, err := group.Exec(number, g.Key, g.packed, g.data); err != nil {
			return err
		}
		for i := range g.Documents {
			if _, err := route.Exec(g.Documents[i].Route, number, i); err != nil {
				return err
			}
			if _, err := hash.Exec(g.Documents[i].Sum[:keySize], number, i); err != nil {
				return err
			}
		}
		number++
		return nil
	}
}

func readPack(b *testing.B, path string, routes []string) {
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	r, err := Open(f, info.Size())
	if err != nil {
		b.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		found, err := r.Route(routes[random.IntN(len(routes))])
		if err != nil || found == nil {
			b.Fatal(found, err)
		}
		if err := r.Write(io.Discard, found, 0, found.Document.Size); err != nil {
			b.Fatal(err)
		}
	}
}

func immutable(b *testing.B, path string) *sql.DB {
	db, err := sql.Open("sqlite", "file:"+path+"?immutable=1&mode=ro")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	return db
}

func readSQLite(b *testing.B, path string, routes []string) {
	query, err := immutable(b, path).Prepare("SELECT g.meta, g.data, r.document FROM routes r JOIN groups g ON g.id = r.grp WHERE r.route = ?")
	if err != nil {
		b.Fatal(err)
	}
	defer query.Close()
	random := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		var meta, data []byte
		var document int
		if err := query.QueryRow(routes[random.IntN(len(routes))]).Scan(&meta, &data, &document); err != nil {
			b.Fatal(err)
		}
		g, err := unseal(meta, int64(len(data)))
		if err != nil {
			b.Fatal(err)
		}
		r, d := &Reader{r: bytes.NewReader(data)}, &g.Documents[document]
		if err := r.Write(io.Discard, &Found{d, g, 0}, 0, d.Size); err != nil {
			b.Fatal(err)
		}
	}
}

func copyPack(b *testing.B, from, to string, list []*Group) {
	f, err := os.Open(from)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	r, err := Open(f, info.Size())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		writePack(b, to, func(add func(*Group) error) error {
			for i, g := range list {
				if i%100 != 0 {
					if g, err = r.Group(g.Key); err != nil {
						return err
					}
				}
				if err := add(g); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// copySQLite copies the rows inside of the database, which is the fastest way that
// it has for rows of a file that stays as it is.
func copySQLite(b *testing.B, from, to string, list []*Group) {
	for b.Loop() {
		if err := os.RemoveAll(to); err != nil {
			b.Fatal(err)
		}
		db, err := sql.Open("sqlite", to)
		if err != nil {
			b.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		const unchanged = " WHERE grp % 100 <> 0;"
		if _, err := db.Exec(schema + fmt.Sprintf("ATTACH 'file:%s?immutable=1' AS old; BEGIN;", from) +
			"INSERT INTO groups SELECT * FROM old.groups WHERE id % 100 <> 0;" +
			"INSERT INTO routes SELECT * FROM old.routes" + unchanged +
			"INSERT INTO hashes SELECT * FROM old.hashes" + unchanged + "COMMIT;"); err != nil {
			b.Fatal(err)
		}
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
