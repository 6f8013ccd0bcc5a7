package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
)

// Bounds of what is prepared besides the frequent statements: how many
// statements, how long a text may be, how many texts are counted, and how many
// of one transaction are looked at.
const (
	maxPrepared = 400
	maxText     = 4096
	maxCounted  = 2000
	maxLearned  = 1000
	// prepareAt is the use at which a text is worth preparing.
	prepareAt = 3
)

// statements are the prepared statements of one handle: to parse and plan a
// small statement takes SQLite longer than to run it. What comes again and
// again is prepared once; a statement stays until the handle is closed.
type statements struct {
	db *sql.DB
	// form is that of the dialect; nil prepares nothing.
	form func(text string) string

	mu   sync.RWMutex
	kept map[string]*sql.Stmt
	uses map[string]int
	// wanted are the texts to be prepared next.
	wanted []string
}

func newStatements(db *sql.DB, form func(string) string) *statements {
	return &statements{db: db, form: form, kept: map[string]*sql.Stmt{}, uses: map[string]int{}}
}

// get returns the prepared statement of a text, nil where there is none.
func (s *statements) get(text string) *sql.Stmt {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.kept[text]
}

// prepare prepares a text unless it is prepared already.
func (s *statements) prepare(ctx context.Context, text string) error {
	if s.get(text) != nil {
		return nil
	}
	stmt, err := s.db.PrepareContext(ctx, s.form(text))
	if err != nil {
		return fmt.Errorf("prepare %.40s: %w", text, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept[text] != nil {
		return stmt.Close()
	}
	s.kept[text] = stmt
	return nil
}

// learn counts the texts that a transaction ran unprepared and notes those that
// come often.
func (s *statements) learn(texts []string) {
	if s.form == nil || len(texts) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		if len(text) > maxText || len(s.kept)+len(s.wanted) >= maxPrepared {
			continue
		}
		if len(s.uses) >= maxCounted {
			clear(s.uses)
		}
		if s.uses[text]++; s.uses[text] == prepareAt {
			delete(s.uses, text)
			s.wanted = append(s.wanted, text)
		}
	}
}

// catchUp prepares what is wanted. It is called before a transaction begins,
// which waits for the same connection; a text that cannot be prepared is run
// as it is.
func (s *statements) catchUp(ctx context.Context) {
	s.mu.Lock()
	texts := s.wanted
	s.wanted = nil
	s.mu.Unlock()
	for _, text := range texts {
		_ = s.prepare(ctx, text)
	}
}

func (s *statements) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, stmt := range s.kept {
		errs = append(errs, stmt.Close())
	}
	clear(s.kept)
	return errors.Join(errs...)
}
