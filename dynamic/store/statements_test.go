package store

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // registers the driver of SQLite
)

func openStatements(t *testing.T) *statements {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	s := newStatements(db, func(text string) string { return text })
	t.Cleanup(func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestStatementsArePreparedWhenTheyComeAgain: a text is prepared behind its
// third use, not before, and answers as it did.
func TestStatementsArePreparedWhenTheyComeAgain(t *testing.T) {
	s := openStatements(t)
	for use := range 6 {
		s.catchUp(t.Context())
		tx, err := s.db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		c := &conn{tx: tx, dialect: &Dialect{}, prepared: s}
		var got string
		err = c.query(t.Context(), func(row scanner) error { return row.Scan(&got) }, "SELECT 'a' || $1", "b")
		if err != nil || got != "ab" {
			t.Fatalf("use %d: got %q, %v", use, got, err)
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if prepared := len(c.unprepared) == 0; prepared != (use >= prepareAt) {
			t.Errorf("use %d: prepared is %t", use, prepared)
		}
		s.learn(c.unprepared)
	}
}

// TestStatementsAreBounded: neither many nor long texts fill the memory, and a
// text that is no SQL harms nothing.
func TestStatementsAreBounded(t *testing.T) {
	s := openStatements(t)
	long := "SELECT '" + strings.Repeat("x", maxText) + "'"
	for i := range maxCounted + 500 {
		text := fmt.Sprintf("SELECT %d", i)
		s.learn([]string{text, text, text, long, "no SQL"})
		s.catchUp(t.Context())
		if len(s.uses) > maxCounted {
			t.Fatalf("%d texts are counted", len(s.uses))
		}
	}
	if len(s.kept) != maxPrepared || s.get(long) != nil || s.get("no SQL") != nil {
		t.Errorf("%d statements are kept, want %d", len(s.kept), maxPrepared)
	}
}

// TestStatementsLeaveItToTheDriver: without a form nothing is prepared.
func TestStatementsLeaveItToTheDriver(t *testing.T) {
	s := newStatements(nil, nil)
	for range prepareAt + 1 {
		s.learn([]string{"SELECT 1"})
	}
	if s.catchUp(t.Context()); len(s.kept)+len(s.uses) != 0 {
		t.Errorf("%d statements, %d texts", len(s.kept), len(s.uses))
	}
}
