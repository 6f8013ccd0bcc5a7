package store

import (
	"context"
	"fmt"

	"github.com/assay-register/assay/render/catalog"
)

type evidences struct{ c *conn }

// evidenceList holds few rows at a time, because a body may be large.
var evidenceList = &listing[catalog.Evidence]{
	from: "evidences", keys: []string{"entry_id", "id"}, rest: []string{"sha256", "kept", "created_at", "body"}, page: 16,
	decode: decodeEvidence,
}

// insertEvidences turns kept on and never off: that a reader cited an answer
// first must not hide that the register keeps it.
var insertEvidences = newInsert("evidences", "id entry_id sha256 kept created_at body",
	"ON CONFLICT (entry_id, sha256) DO UPDATE SET kept = 1 WHERE excluded.kept = 1 AND evidences.kept = 0")

func decodeEvidence(row []any, e *catalog.Evidence) error {
	entryID, ok1 := row[0].(string)
	id, ok2 := row[1].(string)
	sum, ok3 := row[2].(string)
	kept, ok4 := row[3].(int64)
	at, ok5 := row[4].(int64)
	body, ok6 := row[5].([]byte)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 {
		return fmt.Errorf("evidence row holds %T %T %T %T %T %T", row[0], row[1], row[2], row[3], row[4], row[5])
	}
	*e = catalog.Evidence{ID: id, EntryID: entryID, SHA256: sum, Body: body, Kept: kept != 0, CreatedAt: fromMicros(at)}
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
		values = append(values, e.ID, e.EntryID, e.SHA256, number(e.Kept), micros(e.CreatedAt), body)
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

func (a evidences) Scan(ctx context.Context, r catalog.Range, fn func(*catalog.Evidence) error) error {
	return evidenceList.scan(ctx, a.c, r, nil, fn)
}
