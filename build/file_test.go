package build_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/dump"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

func openPack(t *testing.T, folder string) (*pack.Reader, []byte) {
	t.Helper()
	id, err := os.ReadFile(filepath.Join(folder, snapshot.PresentFile))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(folder, snapshot.FileOf(strings.TrimSpace(string(id)))))
	if err != nil {
		t.Fatal(err)
	}
	x, err := pack.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return x, b
}

// TestGzipCopies: each export has a gzip copy, which a reader of its own unpacks to the
// bytes of the export, and which the checksums name.
func TestGzipCopies(t *testing.T) {
	t.Parallel()
	r := register(t, 30)
	path := tempDir(t)
	mustBuild(t, r.Store, options(path, r.Now))
	site := openSite(t, path)
	read := func(route string) []byte {
		t.Helper()
		in, err := site.Document(route)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(route, err)
		}
		return b
	}
	sums := string(read(dump.RouteChecksums))
	for _, route := range []string{export.RouteCSV, export.RouteSafe, export.RouteFull, export.RouteFullSafe, export.RouteJSON, export.RouteNDJSON, dump.RouteParquet, dump.RouteSQLite} {
		copied := read(route + ".gz")
		z, err := gzip.NewReader(bytes.NewReader(copied))
		if err != nil {
			t.Fatal(route, err)
		}
		if plain, err := io.ReadAll(z); err != nil || len(plain) == 0 || !bytes.Equal(plain, read(route)) {
			t.Errorf("%s.gz does not hold the export: %v", route, err)
		}
		if sum := fmt.Sprintf("%x", sha256.Sum256(copied)); !strings.Contains(sums, sum) {
			t.Errorf("the checksums do not name %s.gz", route)
		}
	}
}

// TestFileIsTheSame: the file does not depend on the number of workers, every document
// is listed, and nothing is left beside it.
func TestFileIsTheSame(t *testing.T) {
	t.Parallel()
	r := register(t, 140)
	folder := tempDir(t)
	path, again := filepath.Join(folder, "snapshots"), filepath.Join(folder, "again")
	report := mustBuild(t, r.Store, options(path, r.Now))
	x, first := openPack(t, path)
	want := map[string]bool{"/routes.ndjson": true, "/snapshot.json": true}
	err := output.EachRoute(t.Context(), openSite(t, path), func(l *wire.RouteLine) error {
		if want[l.Route] = true; l.SameAs == "" {
			_, err := x.Route(l.Route)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = x.Each(func(f *pack.Found) error {
		if route := f.Document.Route; strings.HasPrefix(route, "/") && !want[route] {
			t.Errorf("%s is in the file, and not listed", route)
		}
		return nil
	})
	if err != nil || report.Entries == 0 || report.Written == 0 {
		t.Errorf("%v, %+v", err, report)
	}
	o := options(again, r.Now)
	o.Workers = 3
	mustBuild(t, r.Store, o)
	if _, other := openPack(t, again); !bytes.Equal(first, other) {
		t.Error("another number of workers makes another file")
	}
	if left, _ := filepath.Glob(filepath.Join(again, ".assay", "tmp*")); len(left) > 0 {
		t.Errorf("left beside the file: %q", left)
	}
}

// TestFileKeepsPromises refuses a file from which an entry would vanish that the
// file before it showed, and leaves that one as it was.
func TestFileKeepsPromises(t *testing.T) {
	t.Parallel()
	r := register(t, 12)
	path := filepath.Join(tempDir(t), "snapshots")
	mustBuild(t, r.Store, options(path, r.Now))
	_, before := openPack(t, path)
	empty := register(t, 5)
	_, err := build.Build(context.Background(), empty.Store, options(path, r.Now), time.Now)
	if err == nil || !strings.Contains(err.Error(), "vanish without a tombstone") {
		t.Errorf("a file without entries that were public: %v", err)
	}
	if _, after := openPack(t, path); !bytes.Equal(before, after) {
		t.Error("the file was replaced")
	}
}

// TestFileKeepsGroups changes one entry: the file is the one that a build makes which
// makes all anew, to the byte, and little of it is made anew. Both carry on the stream of
// changes from the file before them.
func TestFileKeepsGroups(t *testing.T) {
	t.Parallel()
	r := register(t, 40)
	folder := tempDir(t)
	path := filepath.Join(folder, "snapshots")
	first := mustBuild(t, r.Store, options(path, r.Now))
	for _, kind := range []buildtest.Kind{buildtest.Edit, buildtest.Fail, buildtest.Remove} {
		mustChange(t, r, kind)
		full := options(filepath.Join(folder, string(kind)), r.Now)
		full.Full = true
		if err := os.CopyFS(full.Out, os.DirFS(path)); err != nil {
			t.Fatal(err)
		}
		report := mustBuild(t, r.Store, options(path, r.Now))
		_, got := openPack(t, path)
		whole := mustBuild(t, r.Store, full)
		if _, want := openPack(t, full.Out); !bytes.Equal(got, want) {
			t.Errorf("%s: the file is another one than from nothing", kind)
		}
		if report.Written == 0 || report.Written > first.Written/3 || report.Written+report.Unchanged != whole.Written+whole.Unchanged {
			t.Errorf("%s: %d documents were made anew, %d kept, of %d", kind, report.Written, report.Unchanged, whole.Written+whole.Unchanged)
		}
	}
	anew := options(path, r.Now.Add(24*time.Hour))
	anew.Full = true
	if report := mustBuild(t, r.Store, anew); report.Unchanged > streamed(t, path) {
		t.Errorf("%d documents were kept though all were to be made anew", report.Unchanged)
	}
}

// streamed counts the documents of the stream of changes, which never change and are
// carried on from one file to the next.
func streamed(t *testing.T, path string) (n int64) {
	t.Helper()
	x, _ := openPack(t, path)
	err := x.Each(func(f *pack.Found) error {
		if strings.HasPrefix(f.Document.Route, "/api/v1/ldes/") {
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestFileAgain builds once more what was built: nothing is rendered, and nothing
// written. Whatever changes, in the rows of an entry or beside them, is noticed.
func TestFileAgain(t *testing.T) {
	t.Parallel()
	r := register(t, 20)
	path := filepath.Join(tempDir(t), "snapshots")
	o := options(path, r.Now)
	o.Record, o.Program = true, "a"
	rendered := func(o build.Options) bool {
		t.Helper()
		_, before := openPack(t, path)
		report := mustBuild(t, r.Store, o)
		for _, s := range report.Stages {
			if s.Name == "entries" {
				return true
			}
		}
		if _, after := openPack(t, path); !bytes.Equal(before, after) {
			t.Error("another file")
		}
		if report.Written+report.Bytes+report.Unchanged == 0 || report.Entries == 0 || report.Snapshot == "" {
			t.Errorf("%+v", report)
		}
		return false
	}
	mustBuild(t, r.Store, o)
	if rendered(o) {
		t.Error("nothing changed, and all was rendered")
	}
	if o.Now = o.Now.Add(time.Hour); rendered(o) {
		t.Error("the clock of the retention counts as a change")
	}
	for _, kind := range buildtest.Kinds() {
		mustChange(t, r, kind)
		o.At = r.Now
		if !rendered(o) {
			t.Errorf("%s was not noticed", kind)
		}
		if rendered(o) {
			t.Errorf("%s: nothing changed since, and all was rendered", kind)
		}
	}
	beside := map[string]func(context.Context, catalog.Tx) error{
		"institution": func(ctx context.Context, tx catalog.Tx) error {
			list, err := tx.Institutions().All(ctx)
			if err != nil {
				return err
			}
			list[0].NameEn = "Another name"
			return tx.Institutions().Put(ctx, list[0])
		},
		"source": func(ctx context.Context, tx catalog.Tx) error {
			list, err := tx.Sources().All(ctx)
			if err != nil {
				return err
			}
			list[0].Title = "Another title"
			return tx.Sources().Put(ctx, list[0])
		},
		"event": func(ctx context.Context, tx catalog.Tx) error {
			return tx.Events().Append(ctx, catalog.Event{Type: catalog.EventUpdated, OccurredAt: r.Now})
		},
	}
	for name, change := range beside {
		if err := r.Store.Update(t.Context(), func(tx catalog.Tx) error { return change(t.Context(), tx) }); err != nil {
			t.Fatal(err)
		}
		if !rendered(o) {
			t.Errorf("%s was not noticed", name)
		}
	}
	for name, other := range map[string]func(*build.Options){
		"program":      func(o *build.Options) { o.Program = "b" },
		"none":         func(o *build.Options) { o.Program = "" },
		"site":         func(o *build.Options) { o.Site.Name = "Another register" },
		"all anew":     func(o *build.Options) { o.Full = true },
		"the next day": func(o *build.Options) { o.At = o.At.Add(24 * time.Hour) },
	} {
		changed := o
		other(&changed)
		if !rendered(changed) {
			t.Errorf("%s was not noticed", name)
		}
		mustBuild(t, r.Store, o)
	}
}
