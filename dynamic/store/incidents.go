package store

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

type incidents struct{ c *conn }

var (
	incidentsByEntry = docs[catalog.Incident]("incidents", "entry_id", "began", "id")
	incidentList     = docs[catalog.Incident]("incidents", "began", "id")
	incidentsByHost  = docs[catalog.Incident]("incidents", "host", "began", "id")
	insertIncidents  = newInsert("incidents", "id entry_id host began ended doc",
		"ON CONFLICT (id) DO UPDATE SET entry_id = excluded.entry_id, host = excluded.host, began = excluded.began, ended = excluded.ended, doc = excluded.doc")
)

// noEntry stands for the entry of an incident of a whole host: no id sorts before it, and a scan
// of all entries begins behind it.
const noEntry = "-"

func (a incidents) Put(ctx context.Context, list ...catalog.Incident) error {
	list = lastOf(list, func(v *catalog.Incident) string { return v.ID })
	return putDocs(ctx, a.c, insertIncidents, list, func(v *catalog.Incident) []any {
		entry, ended := v.EntryID, int64(0)
		if entry == "" {
			entry = noEntry
		}
		if !v.Open() {
			ended = micros(v.Until)
		}
		return []any{v.ID, entry, v.Host, micros(v.From), ended}
	})
}

const openIncidents = "SELECT entry_id, began, id, doc FROM incidents WHERE ended = 0 AND entry_id IN %s ORDER BY entry_id, began, id"

func (a incidents) OpenOf(ctx context.Context, entryIDs ...string) ([]catalog.Incident, error) {
	var list []catalog.Incident
	for part := range slices.Chunk(distinct(entryIDs), batchRows) {
		found, err := readDocs(ctx, a.c, incidentsByEntry, inText(openIncidents, len(part)), padded(part)...)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

func (a incidents) OpenOn(ctx context.Context, host string) ([]catalog.Incident, error) {
	return readDocs(ctx, a.c, incidentList, "SELECT began, id, doc FROM incidents WHERE ended = 0 AND host = $1 ORDER BY began, id", host)
}

func (a incidents) Scan(ctx context.Context, r catalog.Range, fn func(*catalog.Incident) error) error {
	if r.After == "" {
		r.After = noEntry
	}
	return incidentsByEntry.scan(ctx, a.c, r, nil, fn)
}

func (a incidents) OfHosts(ctx context.Context, fn func(*catalog.Incident) error) error {
	return incidentsByHost.scan(ctx, a.c, catalog.Range{}, &filter{"entry_id = %s", noEntry}, fn)
}

func (a incidents) List(ctx context.Context, f catalog.IncidentFilter) ([]catalog.Incident, error) {
	var conds []string
	var args []any
	add := func(cond string, arg any) {
		args = append(args, arg)
		conds = append(conds, strings.ReplaceAll(cond, "$", "$"+strconv.Itoa(len(args))))
	}
	if f.EntryID != "" {
		add("entry_id = $", f.EntryID)
	}
	if f.Host != "" {
		add("host = $", f.Host)
	}
	if f.Open {
		conds = append(conds, "ended = 0")
	}
	if !f.Since.IsZero() {
		add("(ended = 0 OR ended >= $)", micros(f.Since))
	}
	if f.Before != "" {
		add("(began, id) < (SELECT began, id FROM incidents WHERE id = $)", f.Before)
	}
	text := "SELECT began, id, doc FROM incidents"
	if len(conds) > 0 {
		text += " WHERE " + strings.Join(conds, " AND ")
	}
	args = append(args, f.Limit)
	return readDocs(ctx, a.c, incidentList, text+" ORDER BY began DESC, id DESC LIMIT $"+strconv.Itoa(len(args)), args...)
}
