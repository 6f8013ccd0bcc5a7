package build

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/assay-register/assay/build/sequence"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/dcat"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// frozen is what the first pass makes of one entry.
type frozen struct {
	line   snapshot.Line
	former []string
	item   []byte
	// documents is how many documents show it alone.
	documents int
	// fragments are what it adds to documents of several entries, until they are kept (pieces).
	fragments []artifact.Fragment
	pieces    []piece
	score     catalog.ScoreDay
	event     *catalog.Event
	notes     []string
	// search is what the search index holds of it.
	search *search.Analysis
	work   worked
	// rest is what is left to do with the files, group the number that their group gets.
	rest  later
	group int
	// room is a pooled buffer that the list item of an entry that stays lies in.
	room []byte
	// source is the id of the source that the entry came from, "" for none.
	source string
	// claim and made are what the next build takes it from, made nil where that lies at body already; the end
	// of that holds its fragments in the own streams.
	claim, made []byte
	body        body
	own         []string
	// until is the last UTC day on which it is frozen the same (claim).
	until    int
	rendered bool
}

// freeze scores every visible row, writes the pages that show it alone, and
// makes the snapshot.
func (r *run) freeze(ctx context.Context, tx catalog.Tx, items *os.File) error {
	ids, err := r.prepare(ctx, tx)
	if err != nil {
		return err
	}
	if r.records.refs, err = newReferences(r.frame); err != nil {
		return err
	}
	if err := r.unchanged(ctx, tx, ids); err != nil {
		return err
	}
	r.lap("read")
	if r.opts.Begin != nil {
		r.opts.Begin(len(ids))
	}
	draft := snapshot.NewDraft(r.frame)
	draft.Grow(len(ids))
	out := bufio.NewWriterSize(items, 1<<17)
	offset, done := int64(0), 0
	err = pipeline(ctx, r.opts.Workers,
		func(emit func([]task) error) error { return r.readTasks(ctx, tx, ids, emit) },
		r.freezeTasks,
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
	for _, t := range r.gone {
		draft.Bury(t)
	}
	r.catalog = draft.Finish(items)
	if r.catalog.Through, err = lastTold(ctx, tx); err != nil {
		return err
	}
	r.catalog.Harvested, r.catalog.Observed = usedSources(r.harvests, r.sources), r.observed()
	r.catalog.Outages = r.outages.Shown(r.catalog)
	r.lap("entries")
	return r.records.complete(r.catalog)
}

func (r *run) keep(draft *snapshot.Draft, f *frozen) error {
	for _, n := range f.notes {
		r.problem("entry %s: %s", f.line.ID, n)
	}
	if f.rest != nil {
		f.group = r.file.writer.Next()
		r.file.quotes.entry(f, r.records.pieces.entries(), f.group)
	}
	if err := errors.Join(f.rest.do(), r.search.add(f.search), r.records.add(f)); err != nil {
		return err
	}
	artifact.Free(f.room)
	if f.score.EntryID != "" {
		r.scores = append(r.scores, f.score)
	}
	if f.event != nil {
		r.moved = append(r.moved, *f.event)
	}
	r.observe(f)
	r.until = min(r.until, f.until)
	if f.rendered {
		r.report.Rendered++
	}
	r.sources[f.source] = true
	return draft.Add(f.line, f.former)
}

// prepare reads the reference tables and the keys, decides what is visible and
// what left, and lets the deploy gate look at it before anything is written.
func (r *run) prepare(ctx context.Context, tx catalog.Tx) ([]string, error) {
	sources, err := r.newFrame(ctx, tx)
	if err != nil {
		return nil, err
	}
	if r.harvests, err = readHarvests(ctx, tx, sources, r.opts.At); err != nil {
		return nil, err
	}
	if err := errors.Join(r.readPace(ctx, tx), r.readOutages(ctx, tx)); err != nil {
		return nil, err
	}
	var ids, removed []string
	var names []namesake
	known := map[string]time.Time{}
	err = tx.Entries().Keys(ctx, func(k *catalog.Key) error {
		switch {
		case k.Visible(r.opts.At):
			ids = append(ids, k.ID)
			if kind, name := foldedName(k.MatchKey); name != "" {
				r.frame.SawName(kind, name)
				names = append(names, namesake{snapshot.KeyOfName(name), k.ID})
			}
			known[k.ID] = k.PublishedAt
		case (k.Status == catalog.StatusRemoved || k.Status == catalog.StatusPending) && !k.PublishedAt.IsZero():
			removed = append(removed, k.ID)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := r.tellApart(ctx, tx, names); err != nil {
		return nil, err
	}
	return ids, r.pass(ctx, tx, known, removed)
}

// newFrame reads the reference tables and makes the frame of the snapshot.
func (r *run) newFrame(ctx context.Context, tx catalog.Tx) ([]catalog.Source, error) {
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
	r.reference = reference{institutions, licences, sources}
	r.frame = snapshot.NewFrame(r.opts.Site, r.opts.At, institutions, licences, sources)
	return sources, nil
}

// pass lets the deploy gate look at what the snapshot will show and bury.
func (r *run) pass(ctx context.Context, tx catalog.Tx, known map[string]time.Time, removed []string) error {
	var err error
	if r.gone, err = tombstones(ctx, tx, removed, r.opts.At); err != nil {
		return err
	}
	for i := range r.gone {
		known[r.gone[i].ID] = time.Time{}
	}
	lost, err := sequence.Lost(ctx, tx)
	if err != nil {
		return err
	}
	for _, t := range lost {
		if _, there := known[t.ID]; !there { // else the store has it again
			r.gone = append(r.gone, t)
			known[t.ID] = time.Time{}
		}
	}
	return r.gate(known)
}

// foldedName is the type and the last part of a match key, "" where a store keeps
// only the hash of a long one.
func foldedName(matchKey string) (catalog.EntryType, string) {
	kind, rest, _ := strings.Cut(matchKey, "|")
	_, name, _ := strings.Cut(rest, "|")
	return catalog.EntryType(kind), name
}

// task is an entry to freeze: from its row, or from what the last build made of it.
type task struct {
	row    *catalog.Row
	record *record
}

// wanted tells that the row is needed.
func (t *task) wanted() bool { return t.record == nil || t.record.written }

// readTasks reads what the entries are frozen from, some at a time, in the order of ids.
func (r *run) readTasks(ctx context.Context, tx catalog.Tx, ids []string, emit func([]task) error) error {
	l := loader{tx: tx, day: r.frame.Day}
	after := ""
	for chunk := range slices.Chunk(ids, batchSize) {
		through := chunk[len(chunk)-1]
		tasks := make([]task, len(chunk))
		missing := 0
		for i, id := range chunk {
			var err error
			if tasks[i].record, err = r.records.of(id, r.frame); err != nil {
				return err
			}
			if tasks[i].wanted() {
				missing++
			}
		}
		if err := l.fill(ctx, tasks, chunk, catalog.Range{After: after, Through: through}, missing); err != nil {
			return err
		}
		after = through
		if err := emit(tasks); err != nil {
			return err
		}
	}
	return nil
}

// fewMissing is up to how many entries of a batch are read one by one.
const fewMissing = batchSize / 8

// fill reads the rows of those tasks that need them.
func (l *loader) fill(ctx context.Context, tasks []task, ids []string, all catalog.Range, missing int) error {
	place := func(r catalog.Range) error {
		rows, err := l.rows(ctx, r)
		for _, row := range rows {
			if i, found := slices.BinarySearch(ids, row.Entry.ID); found && tasks[i].wanted() {
				tasks[i].row = row
			}
		}
		return err
	}
	if missing > fewMissing {
		return place(all)
	}
	for i, id := range ids {
		if tasks[i].wanted() {
			if err := place(catalog.Only(id)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *run) freezeTasks(tasks []task) ([]frozen, error) {
	out := make([]frozen, 0, len(tasks))
	for _, t := range tasks {
		var f frozen
		var err error
		switch {
		case t.record != nil && (!t.record.written || t.record.stands(t.row, r.frame)):
			if f, err = r.thaw(t.record); err != nil {
				return nil, err
			}
		case t.row == nil || !t.row.Entry.Visible(r.opts.At):
			continue
		default:
			if f, err = r.freezeRow(t.row); err != nil {
				return nil, fmt.Errorf("entry %s: %w", t.row.Entry.ID, err)
			}
		}
		out = append(out, f)
	}
	return out, nil
}

func (r *run) freezeRow(row *catalog.Row) (frozen, error) {
	f := frozen{rendered: true}
	shown, err := shownOf(row)
	if err != nil {
		return f, err
	}
	s, folded, err := r.scoreRow(row, &f)
	if err != nil {
		return f, err
	}
	f.line = snapshot.NewLine(s, folded)
	f.line.LeftOut = dcat.Skipped(s)
	f.search = r.search.analyse(row, s.Institution)
	f.work = workOn(row, r.frame.Day)
	f.line.Checkable = f.work.host != ""
	f.former, f.source = row.Entry.FormerSlugs, row.Entry.SourceID
	if f.item, f.line.Cells, err = wire.EncodeItem(s); err != nil {
		return f, err
	}
	if f.line.Listed() {
		f.work.delivered, f.work.traced = wire.Traced(s, f.line.Cells)
	}
	// What fragments show is in the files, too, whose SHA-256 is known: a quick
	// hash tells whether they show it otherwise.
	digest := sha256.New()
	digest.Write(f.item)
	if err := r.renderEntry(s, &f, digest); err != nil {
		return f, err
	}
	for i := range f.fragments {
		digest.Write(binary.BigEndian.AppendUint64(nil, xxhash.Sum64(f.fragments[i].Body)))
	}
	f.line.Digest = hex.EncodeToString(digest.Sum(nil)[:16])
	f.score, f.event = scoreMove(s)
	c := r.records.refs.claimOf(&row.Entry, f.line.Sort, r.frame)
	c.Until, c.Scores, c.Shown = dayNumber(r.lasts(s, row)), s.ScoreDay(), shown
	c.check(row, f.work)
	about := snapshot.Basis{}
	for _, format := range r.formats {
		if format.Row != nil {
			about.Add(format.Row(s))
		}
	}
	if err := f.line.SumUp(c.Refs, about.Sum()); err != nil {
		return f, err
	}
	return f, r.records.make(&f, &c)
}

// lasts is the last UTC day on which freezing the row would give the same.
func (r *run) lasts(s *snapshot.Scored, row *catalog.Row) time.Time {
	last := score.Earlier(s.Lasts(), score.ChecksLast(row.Checks, r.frame.Day))
	for _, f := range r.formats {
		if f.Lasts != nil {
			last = score.Earlier(last, f.Lasts(s))
		}
	}
	return last
}

// scoreRow lays the curators' edits over an entry and scores it.
func (r *run) scoreRow(row *catalog.Row, f *frozen) (s *snapshot.Scored, folded string, err error) {
	inForce := make([]catalog.Override, 0, len(row.Overrides))
	for i := range row.Overrides {
		o := &row.Overrides[i]
		if err := o.Validate(); err == nil {
			inForce = append(inForce, *o)
		} else if o.RevokedAt.IsZero() {
			f.notes = append(f.notes, fmt.Sprintf("override %s of %s does not apply: %v", o.ID, o.Field, err))
		}
	}
	effective, err := catalog.Apply(row.Entry, inForce)
	if err != nil {
		return nil, "", err
	}
	row.Entry = effective
	folded = search.Fold(row.Entry.Name)
	s = r.frame.Score(row, folded)
	return s, folded, nil
}

// renderEntry runs the formats that show an entry alone, hands their files in and
// collects their fragments. The digest gets the hashes of the files.
func (r *run) renderEntry(s *snapshot.Scored, f *frozen, digest hash.Hash) error {
	var made []artifact.File
	for _, format := range r.formats {
		if format.Entry != nil {
			files, err := format.Entry(s)
			if err != nil {
				return fmt.Errorf("%s: %w", format.Name, err)
			}
			made = append(made, files...)
		}
		if format.Fragments != nil {
			fragments, err := format.Fragments(s)
			if err != nil {
				return fmt.Errorf("%s: %w", format.Name, err)
			}
			f.fragments = append(f.fragments, fragments...)
		}
	}
	if len(made) == 0 {
		return nil
	}
	hashed(made)
	for i := range made {
		digest.Write(made[i].Sums.Body[:])
	}
	f.documents = len(made)
	var err error
	f.rest, err = r.file.put(entryKey(s.Entry().ID), append(made, fragmentsOf(f, s.Entry().ID)))
	return err
}

// scoreMove is the day's score if the store does not have it, and the event
// when mqa_score moved by a point or more since the last stored day.
func scoreMove(s *snapshot.Scored) (catalog.ScoreDay, *catalog.Event) {
	today := s.ScoreDay()
	var last *catalog.ScoreDay
	if n := len(s.Row.Scores); n > 0 {
		last = &s.Row.Scores[n-1]
	}
	// The first build of a day records it: what stands on a recorded day does
	// not move with later checks.
	if s.Row.Today != nil {
		return catalog.ScoreDay{}, nil
	}
	// In whole tenths: 64.1 - 63.1 is less than 1 in floating point.
	if last == nil || math.Abs(math.Round(today.MQA*10)-math.Round(last.MQA*10)) < 10 {
		return today, nil
	}
	from, _ := json.Marshal(last.MQA)
	to, _ := json.Marshal(today.MQA)
	return today, &catalog.Event{Type: catalog.EventScoreChanged, EntryID: today.EntryID, OccurredAt: s.ChangedAt,
		Changes: []catalog.FieldChange{{Field: "mqa_score", From: from, To: to}}}
}

// tombstones are those of the removed entries that were public once.
func tombstones(ctx context.Context, tx catalog.Tx, removed []string, at time.Time) ([]snapshot.Tombstone, error) {
	var gone []snapshot.Tombstone
	for chunk := range slices.Chunk(removed, batchSize) {
		entries, err := tx.Entries().Get(ctx, chunk...)
		if err != nil {
			return nil, err
		}
		for i := range entries {
			e := &entries[i]
			if e.RemovedAt.IsZero() || e.PublishedAt.After(e.RemovedAt) || e.RemovedAt.After(at) {
				continue
			}
			t := snapshot.Tombstone{ID: e.ID, Slug: e.Slug, FormerSlugs: e.FormerSlugs, Reason: "removed", At: e.RemovedAt,
				Successor: cmp.Or(e.MergedIntoID, e.SuccessorID)}
			if e.MergedIntoID != "" {
				t.Reason = "merged"
			}
			if e.Status == catalog.StatusPending {
				t.Reason = snapshot.ReasonReopened
			}
			gone = append(gone, t)
		}
	}
	return gone, nil
}
