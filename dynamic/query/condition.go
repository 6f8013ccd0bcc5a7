package query

import (
	"context"
	"slices"

	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
)

// Condition is what the language of another protocol asks of entries beside the
// filters of lists. The zero value is fit by all.
type Condition struct {
	test  func(*snapshot.Line) bool
	words []string
	kind  kind
	of    []Condition
}

// kind is how a condition is made of others.
type kind int

const (
	alone kind = iota
	every
	either
	neither
)

// Fits is a condition on one entry.
func Fits(test func(*snapshot.Line) bool) Condition { return Condition{test: test} }

// Has is a condition on the values that entries have in a dimension; one that is not known
// is fit by none.
func Has(dimension string, test func(value string) bool) Condition {
	list := snapshot.Dimensions()
	i := slices.IndexFunc(list, func(d snapshot.Dimension) bool { return d.Name == dimension })
	return Fits(func(l *snapshot.Line) bool {
		var room [1]string
		return i >= 0 && slices.ContainsFunc(list[i].Values(l, room[:0]), test)
	})
}

// Says is a condition on the words of entries, as the filter `search` of lists.
func Says(text string) Condition { return Condition{words: search.Terms(text)} }

// Every is fit by what fits all of a list.
func Every(list ...Condition) Condition { return Condition{kind: every, of: list} }

// Either is fit by what fits one of a list.
func Either(list ...Condition) Condition { return Condition{kind: either, of: list} }

// Not is fit by what does not fit another.
func Not(c Condition) Condition { return Condition{kind: neither, of: []Condition{c}} }

// prepare makes the test of a condition for the entries of a snapshot.
func (s *Snapshot) prepare(ctx context.Context, c *Condition) (func(int32) bool, error) {
	switch {
	case c.kind != alone:
		return s.prepareAll(ctx, c)
	case c.test != nil:
		return func(i int32) bool { return c.test(&s.Lines[i]) }, nil
	}
	has, err := s.words(ctx, c.words)
	if has == nil {
		has = func(int32) bool { return true }
	}
	return has, err
}

func (s *Snapshot) prepareAll(ctx context.Context, c *Condition) (func(int32) bool, error) {
	tests := make([]func(int32) bool, len(c.of))
	for k := range c.of {
		var err error
		if tests[k], err = s.prepare(ctx, &c.of[k]); err != nil {
			return nil, err
		}
	}
	return func(i int32) bool {
		for _, test := range tests {
			if test(i) != (c.kind == every) {
				return c.kind == either
			}
		}
		return c.kind != either
	}, nil
}
