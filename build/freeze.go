package build

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// frozen is what the first pass makes of one entry.
type frozen struct {
	line   snapshot.Line
	former []string
	item   []byte
	files  []logged
	pieces []artifact.Piece
	score  catalog.ScoreDay
	event  *catalog.Event
	note   string
}

// freeze scores every visible row, writes the pages that show it alone, and
// makes the snapshot.
func (r *run) freeze(ctx context.Context, tx catalog.Tx, items *os.File) error {
	ids, err := r.prepare(ctx, tx)
	if err != nil {
		return err
	}
	r.lap("read")
	draft := snapshot.NewDraft(r.frame)
	out := bufio.NewWriterSize(items, 1<<17)
	offset, done := int64(0), 0
	err = pipeline(ctx, r.opts.Workers,
		func(emit func([]*catalog.Row) error) error { return r.readRows(ctx, tx, ids, emit) },
		r.freezeRows,
		func(batch []frozen) error {
			for i := range batch {
				f := &batch[i]
				f.line.Item = snapshot.Span{Offset: offset, Length: len(f.item)}
				out.Write(f.item)
				if err := out.WriteByte('\n'); err != nil {
					return err
				}
				offset += int64(len(f.item)) + 1
				if err := r.keep(draft, f); err != nil {
					return err
				}
			}
			done += len(batch)
			r.progress("entries", done, len(ids))
			return nil
		})
	if err != nil {
		return fmt.Errorf("entries: %w", err)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if err := r.bury(ctx, tx, draft); err != nil {
		return err
	}
	r.catalog = draft.Finish(items)
	r.lap("entries")
	return r.streams.finish(r.catalog)
}

func (r *run) keep(draft *snapshot.Draft, f *frozen) error {
	if f.note != "" {
		r.problem("%s", f.note)
	}
	for i := range f.files {
		if err := r.routes.add(&f.files[i]); err != nil {
			return err
		}
	}
	if err := r.streams.add(f.pieces); err != nil {
		return err
	}
	if f.score.EntryID != "" {
		r.scores = append(r.scores, f.score)
	}
	if f.event != nil {
		r.moved = append(r.moved, *f.event)
	}
	return draft.Add(f.line, f.former)
}

// prepare reads the reference tables and the keys, decides what is visible,
// and lets the deploy gate look at it before anything is written.
func (r *run) prepare(ctx context.Context, tx catalog.Tx) ([]string, error) {
	institutions, err := tx.Institutions().All(ctx)
	if err != nil {
		return nil, err
	}
	licences, err := tx.Licences().All(ctx)
	if err != nil {
		return nil, err
	}
	sources, err := tx.Sources().All(ctx)
	if err != nil {
		return nil, err
	}
	r.frame = snapshot.NewFrame(r.opts.Site, r.opts.At, institutions, licences, sources)
	var ids []string
	known := map[string]time.Time{}
	err = tx.Entries().Keys(ctx, func(k *catalog.Key) error {
		switch {
		case k.Visible(r.opts.At):
			ids = append(ids, k.ID)
			if name := foldedName(k.MatchKey); name != "" {
				r.frame.SawName(name)
			}
			known[k.ID] = k.PublishedAt
		case k.Status == catalog.StatusRemoved:
			known[k.ID] = time.Time{}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return ids, r.gate(known)
}

// foldedName is the last part of a match key, "" where a store keeps only the
// hash of a long one.
func foldedName(matchKey string) string {
	_, rest, _ := strings.Cut(matchKey, "|")
	_, name, _ := strings.Cut(rest, "|")
	return name
}

func (r *run) readRows(ctx context.Context, tx catalog.Tx, ids []string, emit func([]*catalog.Row) error) error {
	l := loader{tx: tx, day: r.frame.Day}
	after := ""
	for chunk := range slices.Chunk(ids, batchSize) {
		through := chunk[len(chunk)-1]
		rows, err := l.rows(ctx, catalog.Range{After: after, Through: through})
		if err != nil {
			return err
		}
		after = through
		if err := emit(rows); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) freezeRows(rows []*catalog.Row) ([]frozen, error) {
	out := make([]frozen, 0, len(rows))
	for _, row := range rows {
		if !row.Entry.Visible(r.opts.At) {
			continue
		}
		f, err := r.freezeRow(row)
		if err != nil {
			return nil, fmt.Errorf("entry %s: %w", row.Entry.ID, err)
		}
		out = append(out, f)
	}
	return out, nil
}

func (r *run) freezeRow(row *catalog.Row) (frozen, error) {
	var f frozen
	effective, err := catalog.Apply(row.Entry, row.Overrides)
	if err != nil {
		f.note = err.Error()
	}
	row.Entry = effective
	folded := search.Fold(row.Entry.Name)
	s := r.frame.Score(row, folded)
	f.line = snapshot.NewLine(s, folded)
	f.former = row.Entry.FormerSlugs
	if f.item, f.line.Cells, err = wire.EncodeItem(s); err != nil {
		return f, err
	}
	digest := sha256.New()
	digest.Write(f.item)
	if err := r.renderEntry(s, &f); err != nil {
		return f, err
	}
	for i := range f.files {
		digest.Write(f.files[i].sum[:])
	}
	for _, p := range f.pieces {
		digest.Write(p.Body)
	}
	f.line.Digest = hex.EncodeToString(digest.Sum(nil)[:16])
	f.score, f.event = scoreMove(s)
	return f, nil
}

// renderEntry runs the formats that show an entry alone, writes their files and
// collects their pieces.
func (r *run) renderEntry(s *snapshot.Scored, f *frozen) error {
	for _, format := range r.formats {
		if format.Entry != nil {
			files, err := format.Entry(s)
			if err == nil {
				err = r.tree.PutEntry(files)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", format.Name, err)
			}
			for i := range files {
				f.files = append(f.files, note(&files[i]))
			}
		}
		if format.Pieces != nil {
			made, err := format.Pieces(s)
			if err != nil {
				return fmt.Errorf("%s: %w", format.Name, err)
			}
			f.pieces = append(f.pieces, made...)
		}
	}
	return nil
}

// scoreMove is the day's score if the store does not have it, and the event
// when mqa_score moved by a point or more since the last stored day.
func scoreMove(s *snapshot.Scored) (catalog.ScoreDay, *catalog.Event) {
	today := wire.ScoreDay(s)
	var last *catalog.ScoreDay
	if n := len(s.Row.Scores); n > 0 {
		last = &s.Row.Scores[n-1]
	}
	if stored := s.Row.Today; stored != nil {
		if sameScores(stored, &today) {
			return catalog.ScoreDay{}, nil
		}
		last = stored
	}
	if last == nil || abs(today.MQA-last.MQA) < 1 {
		return today, nil
	}
	from, _ := json.Marshal(last.MQA)
	to, _ := json.Marshal(today.MQA)
	return today, &catalog.Event{Type: catalog.EventScoreChanged, EntryID: today.EntryID, OccurredAt: s.ChangedAt,
		Changes: []catalog.FieldChange{{Field: "mqa_score", From: from, To: to}}}
}

func abs(x float64) float64 { return max(x, -x) }

func sameScores(a, b *catalog.ScoreDay) bool {
	same := func(x, y *float64) bool { return x == nil && y == nil || x != nil && y != nil && *x == *y }
	if a.MQA != b.MQA || a.Trust != b.Trust || !same(a.Ranking, b.Ranking) {
		return false
	}
	for i := range a.Axes {
		if !same(a.Axes[i], b.Axes[i]) {
			return false
		}
	}
	return true
}

// bury adds the tombstones of what was public once.
func (r *run) bury(ctx context.Context, tx catalog.Tx, draft *snapshot.Draft) error {
	var gone []string
	err := tx.Entries().Keys(ctx, func(k *catalog.Key) error {
		if k.Status == catalog.StatusRemoved && !k.PublishedAt.IsZero() {
			gone = append(gone, k.ID)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for chunk := range slices.Chunk(gone, batchSize) {
		entries, err := tx.Entries().Get(ctx, chunk...)
		if err != nil {
			return err
		}
		for i := range entries {
			e := &entries[i]
			if e.RemovedAt.IsZero() || e.PublishedAt.After(e.RemovedAt) || e.RemovedAt.After(r.opts.At) {
				continue
			}
			t := snapshot.Tombstone{ID: e.ID, Slug: e.Slug, FormerSlugs: e.FormerSlugs, Reason: "removed", At: e.RemovedAt,
				Successor: cmp.Or(e.MergedIntoID, e.SuccessorID)}
			if e.MergedIntoID != "" {
				t.Reason = "merged"
			}
			draft.Bury(t)
		}
	}
	return nil
}
