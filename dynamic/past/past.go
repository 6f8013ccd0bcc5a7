// Package past restates what the register said of an entry: the members that the log of
// verdicts and the change feed hold, whole answers where a snapshot has them still, and by
// name what is not known.
package past

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
)

// Documents reads what snapshots say.
type Documents interface {
	// ReadAt reads the document of a route in a snapshot, or in what lies over it.
	ReadAt(s *query.Snapshot, route string) ([]byte, error)
	// ReadIn reads that of a snapshot whose file is kept; fs.ErrNotExist when it is not.
	ReadIn(snapshot, route string) ([]byte, error)
}

// Handlers answer about the past.
type Handlers struct {
	Store     catalog.Store
	Library   *query.Library
	Documents Documents
	Now       func() time.Time
	// Log is the log of verdicts, nil where the register keeps none.
	Log func() (*translog.Log, error)
}

const entryPrefix = "/api/v1/entries/"

// subject is all that is known of the past of one entry.
type subject struct {
	entry catalog.Entry
	// told is what happened, in the order of time.
	told   []told
	scores []catalog.ScoreDay
	kept   []catalog.Evidence
	log    *translog.Log
	now    time.Time
}

// Restate answers what the register said at an instant.
func (d *Handlers) Restate() web.Handler {
	return d.answer(wire.RestatedParams(), func(r *http.Request, s *query.Snapshot, x *subject, w window) (any, error) {
		at, err := x.over(w.at)
		if err != nil {
			return nil, err
		}
		return d.restate(s, x, at)
	})
}

// Differences answers in what two instants differ.
func (d *Handlers) Differences() web.Handler {
	return d.answer(wire.DifferencesParams(), func(r *http.Request, s *query.Snapshot, x *subject, w window) (any, error) {
		w, err := x.ends(w)
		if err != nil {
			return nil, err
		}
		from, err := d.restate(s, x, w.from)
		if err != nil {
			return nil, err
		}
		to, err := d.restate(s, x, w.to)
		if err != nil {
			return nil, err
		}
		out := compare(from, to)
		out.Slug, out.Name = x.names()
		out.Items = x.events(w.from, w.to)
		slices.Reverse(out.Items)
		out.Items = out.Items[:min(len(out.Items), itemsBetween)]
		return out, nil
	})
}

// ends are the two instants of differences, which are past.
func (x *subject) ends(w window) (_ window, err error) {
	if w.from, err = x.over(w.from); err != nil {
		return w, err
	}
	if w.open {
		w.to, err = x.settled(w.to)
		w.to = latest(w.from, w.to)
		return w, err
	}
	if w.to, err = x.over(w.to); err == nil && w.from.After(w.to) {
		err = refused(wire.ProblemError{Location: "query.from", Message: laterThanTo, Value: wire.Instant(w.from)})
	}
	return w, err
}

// itemsBetween is how many events an answer about differences lists.
const itemsBetween = 100

// History answers what happened.
func (d *Handlers) History() web.Handler {
	return d.answer(wire.HistoryParams(), func(r *http.Request, s *query.Snapshot, x *subject, w window) (any, error) {
		out := wire.EntryHistory{EntryID: x.entry.ID, Standing: x.standing(x.now), Kept: x.citations(s), Proof: x.proof(s)}
		out.Slug, out.Name = x.names()
		items := x.events(w.since, w.to)
		slices.Reverse(items)
		out.Total = len(items)
		out.Items = items[min(int(w.after), len(items)):]
		if len(out.Items) > w.limit {
			out.Items, out.HasMore = out.Items[:w.limit], true
			next := wire.Cursor(w.after + int64(w.limit))
			out.NextCursor = &next
		}
		return out, nil
	})
}

func (d *Handlers) answer(params []wire.Param, make func(*http.Request, *query.Snapshot, *subject, window) (any, error)) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		values, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		if err := query.Check(values, params[1:]); err != nil {
			return err
		}
		asked, err := read(values, params[1:], d.Now())
		if err != nil {
			return err
		}
		s, err := d.Library.At(r.Context(), "")
		if err != nil {
			return err
		}
		x, err := d.subject(r.Context(), r.PathValue("idOrSlug"))
		if err != nil {
			return err
		}
		v, err := make(r, s, x, asked)
		if err != nil {
			return err
		}
		body, err := web.JSON(v)
		if err != nil {
			return err
		}
		return (&web.Document{Head: web.Head{Type: artifact.JSON, Cache: web.CacheLive}, Body: web.NewBody(body)}).Write(w, r)
	}
}

// subject reads what is known of an entry, by id, slug or former slug. One that left the register has a past,
// too; one that was never public has none.
func (d *Handlers) subject(ctx context.Context, name string) (*subject, error) {
	x := &subject{now: d.Now().UTC()}
	var err error
	if x.log, err = d.Log(); err != nil {
		return nil, err
	}
	err = d.Store.View(ctx, func(tx catalog.Tx) error {
		id := strings.ToLower(name)
		if !catalog.IsID(id) {
			owners, err := tx.Entries().BySlug(ctx, name)
			if err != nil {
				return err
			}
			id = owners[name]
		}
		found, err := tx.Entries().Get(ctx, id)
		if err != nil {
			return err
		}
		if len(found) == 0 || found[0].PublishedAt.IsZero() || found[0].PublishedAt.After(x.now) {
			return web.NotFound("No entry has this id or slug, nor had one it.")
		}
		x.entry = found[0]
		if err := tx.Scores().Scan(ctx, catalog.Only(id), func(s *catalog.ScoreDay) error { x.scores = append(x.scores, *s); return nil }); err != nil {
			return err
		}
		err = tx.Evidences().Scan(ctx, catalog.Only(id), func(e *catalog.Evidence) error {
			kept := *e
			kept.Body = nil // only that there is one
			x.kept = append(x.kept, kept)
			return nil
		})
		if err != nil {
			return err
		}
		events, err := eventsOf(ctx, tx, &x.entry)
		if err != nil {
			return err
		}
		x.told, err = tell(events, x.log, id)
		return err
	})
	slices.SortStableFunc(x.kept, func(a, b catalog.Evidence) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return x, err
}

// left tells that the entry was taken out of the register: no text of it is told again.
func (x *subject) left() bool {
	return x.entry.Status == catalog.StatusRemoved && x.entry.MergedIntoID == ""
}

// names are the slug and the name of the entry, "" for one that left.
func (x *subject) names() (slug, name string) {
	if x.left() {
		return "", ""
	}
	return x.entry.Slug, x.entry.Name
}

// proof is the route of what the log says of the entry, nil where it says nothing.
func (x *subject) proof(s *query.Snapshot) *string {
	if !slices.ContainsFunc(x.told, func(t told) bool { return t.leaf != nil }) {
		return nil
	}
	route := wire.Path(s.Site, translog.Prefix+translog.EntryDir+"/"+x.entry.ID+".json")
	return &route
}

// citations are the answers that are kept.
func (x *subject) citations(s *query.Snapshot) []wire.PastAnswer {
	out := []wire.PastAnswer{}
	for i := range x.kept {
		if x.kept[i].Route != "" {
			out = append(out, wire.NewPastAnswer(wire.NewCitation(s.Site, &x.kept[i])))
		}
	}
	return out
}
