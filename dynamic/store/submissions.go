package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

type submissions struct{ c *conn }

var (
	submissionList    = docs[catalog.Submission]("submissions", "created_at", "id")
	insertSubmissions = newInsert("submissions", "id state address host entry_id created_at doc",
		`ON CONFLICT (id) DO UPDATE SET state = excluded.state, address = excluded.address, host = excluded.host,
		entry_id = excluded.entry_id, doc = excluded.doc`)
)

// Conditions of the partial indexes, word by word.
const (
	openSubmission    = "state IN ('RECEIVED', 'CHECKING', 'QUARANTINED')"
	waitingSubmission = "state IN ('RECEIVED', 'CHECKING')"
)

func (a submissions) Put(ctx context.Context, list ...catalog.Submission) error {
	list = lastOf(list, func(v *catalog.Submission) string { return v.ID })
	docs, err := encode(list)
	if err != nil {
		return err
	}
	values := make([]any, 0, len(list)*len(insertSubmissions.cols))
	for i := range list {
		v := &list[i]
		if v.ID == "" || v.State == "" {
			return fmt.Errorf("put submission %q: id and state are required: %w", v.ID, catalog.ErrInvalid)
		}
		values = append(values, v.ID, string(v.State), lookupKey(v.Address), lookupKey(catalog.Host(v.URL)), v.EntryID, micros(v.CreatedAt), docs[i])
	}
	if _, err := a.c.insertRows(ctx, insertSubmissions, values); err != nil {
		return fmt.Errorf("put %d submissions: %w", len(list), err)
	}
	return nil
}

func (a submissions) Get(ctx context.Context, id string) (*catalog.Submission, error) {
	return submissionList.one(ctx, a.c, "id", id)
}

func (a submissions) ByEntry(ctx context.Context, entryID string) (*catalog.Submission, error) {
	return submissionList.one(ctx, a.c, "state <> 'DUPLICATE' AND entry_id <> '' AND entry_id", entryID)
}

func (a submissions) List(ctx context.Context, f catalog.SubmissionFilter) ([]catalog.Submission, error) {
	text, args := "SELECT created_at, id, doc FROM submissions WHERE 1 = 1", []any{}
	if f.Open {
		text += " AND " + openSubmission
	}
	if f.State != "" {
		args = append(args, string(f.State))
		text += " AND state = $" + strconv.Itoa(len(args))
	}
	if f.Before != "" {
		args = append(args, f.Before)
		text += " AND (created_at, id) < (SELECT created_at, id FROM submissions WHERE id = $" + strconv.Itoa(len(args)) + ")"
	}
	text += " ORDER BY created_at DESC, id DESC"
	if f.Limit > 0 {
		text += " LIMIT " + strconv.Itoa(f.Limit)
	}
	rows, err := submissionList.rows(ctx, a.c, text, args)
	if err != nil {
		return nil, fmt.Errorf("list submissions: %w", err)
	}
	return submissionList.decodeAll(rows)
}

// each runs a query for each of the keys, some at a time: the text is the one
// value that is looked up for the key k. One look-up by an index each is what
// both databases then do; of a list of keys PostgreSQL may think, while a table
// is young, that reading all of it is cheaper, and keep to that.
func (c *conn) each(ctx context.Context, row func(scanner) error, text string, keys []string) error {
	for part := range slices.Chunk(distinct(keys), batchRows) {
		var b strings.Builder
		b.WriteString("WITH keys (k) AS (VALUES ")
		args := padded(part)
		for n := range args {
			if n > 0 {
				b.WriteString(", ")
			}
			writePlaces(&b, n+1, 1)
		}
		b.WriteString(") SELECT k, (" + text + ") FROM keys")
		if err := c.query(ctx, row, b.String(), args...); err != nil {
			return err
		}
	}
	return nil
}

func (a submissions) OpenAt(ctx context.Context, addresses ...string) (map[string]string, error) {
	original := make(map[string]string, len(addresses))
	keys := make([]string, len(addresses))
	for i, s := range addresses {
		keys[i] = lookupKey(s)
		original[keys[i]] = s
	}
	found := map[string]string{}
	err := a.c.each(ctx, func(s scanner) error {
		var address string
		var id sql.NullString
		err := s.Scan(&address, &id)
		if id.Valid {
			found[original[address]] = id.String
		}
		return err
	}, "SELECT id FROM submissions WHERE address = k AND "+openSubmission+" ORDER BY address, created_at, id LIMIT 1", keys)
	if err != nil {
		return nil, fmt.Errorf("open submissions at %d addresses: %w", len(addresses), err)
	}
	return found, nil
}

func (a submissions) WaitingOn(ctx context.Context, hosts ...string) (map[string]int, error) {
	original := make(map[string]string, len(hosts))
	keys := make([]string, len(hosts))
	for i, h := range hosts {
		keys[i] = lookupKey(h)
		original[keys[i]] = h
	}
	counts := map[string]int{}
	err := a.c.each(ctx, func(s scanner) error {
		var host string
		var n int
		if err := s.Scan(&host, &n); err != nil {
			return err
		}
		if n > 0 {
			counts[original[host]] = n
		}
		return nil
	}, "SELECT COUNT(*) FROM submissions WHERE host = k AND "+waitingSubmission, keys)
	if err != nil {
		return nil, fmt.Errorf("submissions waiting on %d hosts: %w", len(hosts), err)
	}
	return counts, nil
}

func (a submissions) Count(ctx context.Context) (map[catalog.SubmissionState]int, error) {
	counts := map[catalog.SubmissionState]int{}
	err := a.c.query(ctx, func(s scanner) error {
		var state catalog.SubmissionState
		var n int
		err := s.Scan(&state, &n)
		counts[state] = n
		return err
	}, "SELECT state, COUNT(*) FROM submissions GROUP BY state")
	if err != nil {
		return nil, fmt.Errorf("count submissions: %w", err)
	}
	return counts, nil
}
