package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/assay-register/assay/render/catalog"
)

type evidences struct{ c *conn }

// evidenceList holds few rows at a time, because a body may be large.
var evidenceList = &listing[catalog.Evidence]{
	from: "evidences", keys: []string{"entry_id", "id"}, page: 16,
	rest:   []string{"sha256", "kept", "created_at", "body", "answer_sha256", "snapshot", "route", "media"},
	decode: decodeEvidence,
}

// insertEvidences turns kept on and never off: that a reader cited an answer
// first must not hide that the register keeps it.
var insertEvidences = newInsert("evidences", "id entry_id sha256 kept created_at body answer_sha256 snapshot route media",
	"ON CONFLICT (entry_id, sha256) DO UPDATE SET kept = 1 WHERE excluded.kept = 1 AND evidences.kept = 0")

func decodeEvidence(row []any, e *catalog.Evidence, _ bool) error {
	kept, ok1 := row[3].(int64)
	at, ok2 := row[4].(int64)
	body, ok3 := row[5].([]byte)
	if !ok1 || !ok2 || !ok3 {
		return fmt.Errorf("evidence row holds %T %T %T", row[3], row[4], row[5])
	}
	*e = catalog.Evidence{Body: body, Kept: kept != 0, CreatedAt: fromMicros(at)}
	for i, field := range map[int]*string{0: &e.EntryID, 1: &e.ID, 2: &e.SHA256, 6: &e.AnswerSHA256, 7: &e.Snapshot, 8: &e.Route, 9: &e.Media} {
		text, ok := row[i].(string)
		if !ok {
			return fmt.Errorf("evidence row holds %T in place %d", row[i], i)
		}
		*field = text
	}
	return nil
}

func (a evidences) Put(ctx context.Context, list ...catalog.Evidence) error {
	values := make([]any, 0, len(list)*len(insertEvidences.cols))
	for _, e := range mergeEvidence(list) {
		if e.ID == "" || e.EntryID == "" || e.SHA256 == "" {
			return fmt.Errorf("put evidence %q of entry %q: a key is empty: %w", e.ID, e.EntryID, catalog.ErrInvalid)
		}
		body := e.Body
		if body == nil {
			body = []byte{}
		}
		values = append(values, e.ID, e.EntryID, e.SHA256, number(e.Kept), micros(e.CreatedAt), body, e.AnswerSHA256, e.Snapshot, e.Route, e.Media)
	}
	if _, err := a.c.insertRows(ctx, insertEvidences, values); err != nil {
		return fmt.Errorf("put %d evidences: %w", len(list), err)
	}
	return nil
}

// mergeEvidence keeps the first of each entry and hash, kept if one is.
func mergeEvidence(list []catalog.Evidence) []catalog.Evidence {
	place := make(map[[2]string]int, len(list))
	var merged []catalog.Evidence
	for _, e := range list {
		key := [2]string{e.EntryID, e.SHA256}
		if i, ok := place[key]; ok {
			merged[i].Kept = merged[i].Kept || e.Kept
			continue
		}
		place[key] = len(merged)
		merged = append(merged, e)
	}
	return merged
}

func (a evidences) Get(ctx context.Context, id string) (*catalog.Evidence, error) {
	return evidenceList.one(ctx, a.c, "id", id)
}

func (a evidences) ByHash(ctx context.Context, sum string) ([]catalog.Evidence, error) {
	var list []catalog.Evidence
	if sum == "" {
		return nil, nil
	}
	for _, column := range []string{"sha256", "answer_sha256"} {
		err := evidenceList.scan(ctx, a.c, catalog.Range{}, &filter{column + " = %s", sum}, func(e *catalog.Evidence) error {
			list = append(list, *e)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(list, func(x, y catalog.Evidence) int {
		return cmp.Or(cmp.Compare(x.EntryID, y.EntryID), cmp.Compare(x.ID, y.ID))
	})
	return slices.CompactFunc(list, func(x, y catalog.Evidence) bool { return x.ID == y.ID }), nil
}

func (a evidences) Scan(ctx context.Context, r catalog.Range, fn func(*catalog.Evidence) error) error {
	return evidenceList.scan(ctx, a.c, r, nil, fn)
}
