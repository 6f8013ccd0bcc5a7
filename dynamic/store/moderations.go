package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/assay-register/assay/render/catalog"
)

type moderations struct{ c *conn }

var (
	moderationList    = docs[catalog.Decision]("moderations", "at", "id")
	insertModerations = newInsert("moderations", "id batch subject submission_id at doc", "ON CONFLICT (id) DO UPDATE SET doc = excluded.doc")
	insertAssignments = newInsert("assignments", "subject doc", "ON CONFLICT (subject) DO UPDATE SET doc = excluded.doc")
	reasonList        = docs[catalog.SavedReason]("saved_reasons", "id")
	insertReasons     = newInsert("saved_reasons", "id doc", "ON CONFLICT (id) DO UPDATE SET doc = excluded.doc")
	trustList         = docs[catalog.TrustRule]("trust_rules", "id")
	insertTrust       = newInsert("trust_rules", "id doc", "ON CONFLICT (id) DO UPDATE SET doc = excluded.doc")
)

func (a moderations) Put(ctx context.Context, list ...catalog.Decision) error {
	docs, err := encode(list)
	if err != nil {
		return err
	}
	values := make([]any, 0, len(list)*len(insertModerations.cols))
	for i := range list {
		v := &list[i]
		if v.ID == "" || v.Batch == "" || v.Subject == "" || v.Kind == "" {
			return fmt.Errorf("put decision %q on %q: id, batch, subject and kind are required: %w", v.ID, v.Subject, catalog.ErrInvalid)
		}
		values = append(values, v.ID, v.Batch, v.Subject, v.SubmissionID, micros(v.At), docs[i])
	}
	if _, err := a.c.insertRows(ctx, insertModerations, values); err != nil {
		return fmt.Errorf("put %d decisions: %w", len(list), err)
	}
	return nil
}

func (a moderations) Latest(ctx context.Context, subjects ...string) (map[string]catalog.Decision, error) {
	found := map[string]catalog.Decision{}
	for _, column := range []string{"submission_id", "subject"} {
		err := a.c.each(ctx, func(s scanner) error {
			var key string
			var doc sql.NullString
			var v catalog.Decision
			if err := s.Scan(&key, &doc); err != nil || !doc.Valid {
				return err
			}
			err := decodeInto(doc.String, &v)
			found[key] = v
			return err
		}, "SELECT doc FROM moderations WHERE "+column+" = k ORDER BY at DESC, id DESC LIMIT 1", subjects)
		if err != nil {
			return nil, fmt.Errorf("decisions on %d candidates: %w", len(subjects), err)
		}
	}
	return found, nil
}

func (a moderations) Batch(ctx context.Context, batch string) ([]catalog.Decision, error) {
	return a.list(ctx, "SELECT at, id, doc FROM moderations WHERE batch = $1 ORDER BY subject, at, id", batch)
}

func (a moderations) List(ctx context.Context, before string, limit int) ([]catalog.Decision, error) {
	if before == "" {
		return a.list(ctx, "SELECT at, id, doc FROM moderations ORDER BY at DESC, id DESC LIMIT $1", limit)
	}
	return a.list(ctx, "SELECT at, id, doc FROM moderations WHERE (at, id) < (SELECT at, id FROM moderations WHERE id = $2) ORDER BY at DESC, id DESC LIMIT $1", limit, before)
}

func (a moderations) list(ctx context.Context, text string, args ...any) ([]catalog.Decision, error) {
	rows, err := moderationList.rows(ctx, a.c, text, args)
	if err != nil {
		return nil, fmt.Errorf("decisions of moderators: %w", err)
	}
	return moderationList.decodeAll(rows)
}

func (a moderations) Assign(ctx context.Context, list ...catalog.Assignment) error {
	list = lastOf(list, func(v *catalog.Assignment) string { return v.Subject })
	return putDocs(ctx, a.c, insertAssignments, list, func(v *catalog.Assignment) []any { return []any{v.Subject} })
}

func (a moderations) Release(ctx context.Context, subjects ...string) error {
	return a.delete(ctx, "DELETE FROM assignments WHERE subject = $1", subjects...)
}

func (a moderations) Assignments(ctx context.Context) (map[string]catalog.Assignment, error) {
	all := map[string]catalog.Assignment{}
	err := a.c.query(ctx, func(s scanner) error {
		var doc string
		var v catalog.Assignment
		if err := s.Scan(&doc); err != nil {
			return err
		}
		err := decodeInto(doc, &v)
		all[v.Subject] = v
		return err
	}, "SELECT doc FROM assignments")
	if err != nil {
		return nil, fmt.Errorf("assignments: %w", err)
	}
	return all, nil
}

func (a moderations) PutReason(ctx context.Context, r catalog.SavedReason) error {
	return putDocs(ctx, a.c, insertReasons, []catalog.SavedReason{r}, func(v *catalog.SavedReason) []any { return []any{v.ID} })
}

func (a moderations) DeleteReason(ctx context.Context, id string) error {
	return a.delete(ctx, "DELETE FROM saved_reasons WHERE id = $1", id)
}

func (a moderations) Reasons(ctx context.Context) ([]catalog.SavedReason, error) {
	return reasonList.all(ctx, a.c)
}

func (a moderations) PutTrust(ctx context.Context, r catalog.TrustRule) error {
	return putDocs(ctx, a.c, insertTrust, []catalog.TrustRule{r}, func(v *catalog.TrustRule) []any { return []any{v.ID} })
}

func (a moderations) Trust(ctx context.Context) ([]catalog.TrustRule, error) {
	return trustList.all(ctx, a.c)
}

func (a moderations) delete(ctx context.Context, text string, ids ...string) error {
	for _, id := range ids {
		if _, err := a.c.exec(ctx, text, id); err != nil {
			return fmt.Errorf("what moderators keep: delete %q: %w", id, err)
		}
	}
	return nil
}
