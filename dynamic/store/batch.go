package store

import (
	"context"
	"strconv"
	"strings"
)

// batchRows is how many rows or keys go into one statement: enough to make the
// round trip cheap, and far below the databases' limits of 32,766 and 65,535
// parameters for every table here.
const batchRows = 100

// insert describes a multi-row INSERT.
type insert struct {
	into string
	cols []string
	// on is the ON CONFLICT clause.
	on   string
	full string
}

func newInsert(into, cols, on string) insert {
	i := insert{into: into, cols: strings.Fields(cols), on: on}
	i.full = i.text(batchRows)
	return i
}

// frequent lists the statements that are worth preparing: the full batches of
// an import and of a run of checks.
func frequent() []string {
	var texts []string
	for _, i := range []insert{insertEntries, insertSlugs, insertKeys, insertProvenances, insertEvents, insertChecks, insertCheckStates, insertScores} {
		texts = append(texts, i.full)
	}
	texts = append(texts, settleProbes(batchRows), settleHosts(batchRows))
	for _, text := range append([]string{statesOf, entriesByID, slugOwners}, matchTexts...) {
		texts = append(texts, inText(text, batchRows))
	}
	return texts
}

func (i insert) text(rows int) string {
	var b strings.Builder
	b.WriteString("INSERT INTO " + i.into + " (" + strings.Join(i.cols, ", ") + ") VALUES ")
	for r := range rows {
		if r > 0 {
			b.WriteString(", ")
		}
		writePlaces(&b, r*len(i.cols)+1, len(i.cols))
	}
	b.WriteString(" " + i.on)
	return b.String()
}

// writePlaces writes ($first, …) with n placeholders.
func writePlaces(b *strings.Builder, first, n int) {
	for k := range n {
		b.WriteString([...]string{"(", ", "}[min(k, 1)])
		b.WriteString("$" + strconv.Itoa(first+k))
	}
	b.WriteString(")")
}

// insertRows stores the values, row after row in one flat list, and returns
// how many rows were inserted or updated.
func (c *conn) insertRows(ctx context.Context, i insert, values []any) (int64, error) {
	var touched int64
	for width, size := len(i.cols), 0; len(values) > 0; values = values[size:] {
		size = min(len(values), batchRows*width)
		text := i.full
		if size < batchRows*width {
			text = i.text(size / width)
		}
		n, err := c.exec(ctx, text, values[:size]...)
		if err != nil {
			return touched, err
		}
		touched += n
	}
	return touched, nil
}

// in runs a query for all keys, some at a time. The text has one %s, where the
// list of placeholders goes.
func (c *conn) in(ctx context.Context, row func(scanner) error, text string, keys []string) error {
	for len(keys) > 0 {
		n := min(len(keys), batchRows)
		if err := c.query(ctx, row, inText(text, n), padded(keys[:n])...); err != nil {
			return err
		}
		keys = keys[n:]
	}
	return nil
}

func inText(text string, n int) string { return strings.Replace(text, "%s", placeList(n), 1) }

// placeList has places for n keys, rounded up to one of three sizes, so that
// the databases see few different texts.
func placeList(n int) string {
	var b strings.Builder
	writePlaces(&b, 1, roundUp(n))
	return b.String()
}

// padded repeats the last key up to the rounded size; IN takes that as one.
func padded(keys []string) []any {
	args := make([]any, roundUp(len(keys)))
	for i := range args {
		args[i] = keys[min(i, len(keys)-1)]
	}
	return args
}

func roundUp(n int) int {
	switch {
	case n <= 1:
		return 1
	case n <= 10:
		return 10
	}
	return batchRows
}

// lastOf keeps the last value of each key, because one statement must not
// write the same row twice.
func lastOf[T any](list []T, key func(*T) string) []T {
	last := make(map[string]int, len(list))
	for i := range list {
		last[key(&list[i])] = i
	}
	if len(last) == len(list) {
		return list
	}
	kept := make([]T, 0, len(last))
	for i := range list {
		if last[key(&list[i])] == i {
			kept = append(kept, list[i])
		}
	}
	return kept
}
