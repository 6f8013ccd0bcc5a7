package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
)

// TestRestore rehearses what site/docs/operate.md says of backup and restore:
// from each kind of backup, in both stores, the same site is built again, byte
// for byte.
func TestRestore(t *testing.T) {
	t.Parallel()
	from, _ := smallSite(t)
	db := storeLike(t, from)
	want := routesOf(t, db)

	lines := filepath.Join(t.TempDir(), "register.ndjson")
	if err := os.WriteFile(lines, []byte("older"), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, "export", "--file", lines, "--db", db)
	for _, path := range []string{lines, from} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s is %v, %v: others can read it", filepath.Base(path), info.Mode(), err)
		}
	}
	t.Run("lines into sqlite", func(t *testing.T) {
		restored := "sqlite:" + filepath.Join(t.TempDir(), "new.db")
		must(t, "import", lines, "--strict", "--db", restored)
		sameRoutes(t, restored, want)
	})
	t.Run("a copy of the file", func(t *testing.T) {
		restored := filepath.Join(t.TempDir(), "new.db")
		tool(t, "copy", func() error {
			b, err := os.ReadFile(strings.TrimPrefix(db, "sqlite:"))
			if err != nil {
				return err
			}
			return os.WriteFile(restored, b, 0o600)
		})
		sameRoutes(t, "sqlite:"+restored, want)
	})
	t.Run("lines into postgres, then a dump of it", func(t *testing.T) {
		live, restored, dump := pgtest.NewURL(t), pgtest.NewURL(t), filepath.Join(t.TempDir(), "register.dump")
		must(t, "import", lines, "--strict", "--db", live)
		sameRoutes(t, live, want)
		before := exported(t, live)
		for _, args := range [][]string{
			{"pg_dump", "--format=custom", "--file=" + dump, "--dbname=" + live},
			{"pg_restore", "--no-owner", "--exit-on-error", "--dbname=" + restored, dump},
		} {
			tool(t, args[0], func() error { return exec.Command(program(t, args[0]), args[1:]...).Run() })
		}
		if after := exported(t, restored); !bytes.Equal(before, after) {
			t.Errorf("the restored store exports other lines, %d bytes, %d before", len(after), len(before))
		}
		sameRoutes(t, restored, want)
	})
}

// exported is the whole catalog of a store as lines.
func exported(t *testing.T, db string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "lines.ndjson")
	must(t, "export", "--file", file, "--db", db)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func tool(t *testing.T, name string, do func() error) {
	t.Helper()
	if err := do(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// routesOf builds the site of a store from scratch and returns its list of
// routes, which holds the hash of every page.
func routesOf(t *testing.T, db string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "site")
	must(t, "build", "--db", db, "--site", out, "--at", "2026-11-21T20:00:00Z", "--base-url", "https://register.example")
	b := must(t, "snapshot", "cat", out, "/routes.ndjson")
	if len(b) < 1000 {
		t.Fatalf("%d bytes of routes", len(b))
	}
	return []byte(b)
}

func sameRoutes(t *testing.T, db string, want []byte) {
	t.Helper()
	got := routesOf(t, db)
	if bytes.Equal(got, want) {
		return
	}
	a, b := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("line %d of the routes is %s, was %s", i+1, b[i], a[i])
		}
	}
	t.Fatalf("%d routes were built, %d before", len(b), len(a))
}
