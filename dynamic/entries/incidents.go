package entries

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Incidents answers a part of the outages, as the store has them now; without parameters the
// published list answers.
func Incidents(library *query.Library, store catalog.Store, now func() time.Time, static web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if r.URL.RawQuery == "" {
			return static(w, r)
		}
		q, err := query.ReadPlain(r, wire.IncidentsParams())
		if err != nil {
			return err
		}
		f, err := incidentFilter(q)
		if err != nil {
			return err
		}
		s, err := library.At(r.Context(), "")
		if err != nil {
			return err
		}
		page, at := wire.IncidentsPage{Items: []wire.Incident{}, Maintenance: []wire.Maintenance{}}, s.AsOf
		err = store.View(r.Context(), func(tx catalog.Tx) error {
			l := lister{ctx: r.Context(), tx: tx, now: now()}
			if name := q["entry"]; name != "" {
				if f.EntryID, err = l.named(name); err != nil {
					return err
				}
			}
			list, err := tx.Incidents().List(r.Context(), f)
			if err != nil {
				return err
			}
			if limit := f.Limit - 1; len(list) > limit {
				list = list[:limit]
				values := url.Values{}
				for name, v := range q {
					if v != "" {
						values.Set(name, v)
					}
				}
				values.Set("cursor", base64.RawURLEncoding.EncodeToString([]byte(list[limit-1].ID)))
				next := wire.Path(s.Site, wire.RouteIncidents+"?"+values.Encode())
				page.Next = &next
			}
			for i := range list {
				for _, t := range []time.Time{list[i].OpenedAt, list[i].Until} {
					if t.After(at) {
						at = t
					}
				}
			}
			return l.fill(&page, list)
		})
		if err != nil {
			return err
		}
		body, err := wire.Seal(page, at, true)
		if err != nil {
			return err
		}
		d := web.Document{Head: web.Head{Type: artifact.JSON, Cache: web.CacheLive, Snapshot: s.ID}, Body: web.NewBody(body)}
		return d.Write(w, r)
	}
}

func incidentFilter(q query.Plain) (catalog.IncidentFilter, error) {
	f := catalog.IncidentFilter{Host: q["host"], Open: q["open"] == "true", Limit: q.Int("limit") + 1}
	f.Since, _ = time.Parse(time.RFC3339, q["since"]) // a wrong one was refused with the other parameters
	before, err := base64.RawURLEncoding.Strict().DecodeString(q["cursor"])
	if err != nil || len(before) > 100 {
		return f, web.Malformed("The cursor is none of this list: follow `next`, or leave it out.")
	}
	f.Before = string(before)
	return f, nil
}

// lister shows incidents of public entries.
type lister struct {
	ctx context.Context
	tx  catalog.Tx
	now time.Time
}

// named is the id of a public entry.
func (l *lister) named(name string) (string, error) {
	id := name
	if !catalog.IsID(name) {
		owners, err := l.tx.Entries().BySlug(l.ctx, name)
		if err != nil {
			return "", err
		}
		id = owners[name]
	}
	list, err := l.tx.Entries().Get(l.ctx, id)
	if err == nil && (len(list) == 0 || !list[0].Visible(l.now)) {
		err = web.NotFound("No public entry has this id or slug.")
	}
	return id, err
}

// fill shows those of hosts and of public entries, with the maintenance of these.
func (l *lister) fill(page *wire.IncidentsPage, list []catalog.Incident) error {
	windows, shown := map[string][]catalog.Window{}, map[string]bool{"": true}
	for i := range list {
		x := &list[i]
		if _, known := shown[x.EntryID]; !known {
			entries, err := l.tx.Entries().Get(l.ctx, x.EntryID)
			if err != nil {
				return err
			}
			shown[x.EntryID] = len(entries) == 1 && entries[0].Visible(l.now)
			list, err := l.tx.Claims().Statements(l.ctx, x.EntryID)
			if err != nil {
				return err
			}
			said, err := catalog.Told(l.ctx, l.tx.Claims(), list)
			if err != nil {
				return err
			}
			windows[x.EntryID] = catalog.Windows(said)
			if shown[x.EntryID] {
				for k := range windows[x.EntryID] {
					page.Maintenance = append(page.Maintenance, wire.NewMaintenance(x.EntryID, &windows[x.EntryID][k]))
				}
			}
		}
		if shown[x.EntryID] {
			page.Items = append(page.Items, wire.NewIncident(x, windows[x.EntryID]))
		}
	}
	return nil
}
