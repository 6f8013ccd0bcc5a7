package query

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/dynamic/query/engine"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/search/segment"
	"github.com/assay-register/assay/render/snapshot"
)

// overlay is what changed since a snapshot: an index of its own, and the
// entries of the snapshot that it hides.
type overlay struct {
	part    *Snapshot
	hidden  map[uint32]bool
	changes int
	serial  uint64
}

func (o *overlay) hides(i uint32) bool { return o.hidden[i] }

// lay lets searches find entries as they are now, before the next build: each change hides
// the entry that the snapshot has under its id and stands in for it. It replaces what lay
// there before. Only searches and EntriesOf see it, and the answers of searches count it in `changes`: other lists
// and counts are the snapshot's. Its entries are found by their words, inflected or as parts of
// compounds, but not by misspelt ones. Errors wrap catalog.ErrInvalid.
func (l *Library) lay(s *Snapshot, changes []snapshot.Change) error {
	if s.engine == nil || len(changes) == 0 {
		s.overlay.Store(nil)
		return nil
	}
	if len(changes) > snapshot.OverlayMax {
		return fmt.Errorf("overlay of %d entries, at most %d are possible: build the site: %w", len(changes), snapshot.OverlayMax, catalog.ErrInvalid)
	}
	o, err := s.newOverlay(changes)
	if err != nil {
		return err
	}
	o.serial = l.overlays.Add(1)
	s.overlay.Store(o)
	return nil
}

func (s *Snapshot) newOverlay(changes []snapshot.Change) (*overlay, error) {
	changes = slices.Clone(changes)
	slices.SortFunc(changes, func(a, b snapshot.Change) int { return strings.Compare(a.ID, b.ID) })
	o := &overlay{hidden: map[uint32]bool{}, changes: len(changes)}
	var present []*snapshot.Change
	for i := range changes {
		ch := &changes[i]
		if i > 0 && ch.ID == changes[i-1].ID || ch.Line != nil && ch.Line.ID != ch.ID {
			return nil, fmt.Errorf("overlay: entry %s stands twice or under another id: %w", ch.ID, catalog.ErrInvalid)
		}
		if ordinal := s.ByID(ch.ID); ordinal >= 0 {
			o.hidden[uint32(ordinal)] = true
		}
		if ch.Line == nil {
			continue
		}
		present = append(present, ch)
	}
	var err error
	if o.part, err = s.partOf(present); err != nil {
		return nil, fmt.Errorf("overlay: %w", err)
	}
	return o, nil
}

// partOf makes a snapshot and its index of changed entries, in memory.
func (s *Snapshot) partOf(changes []*snapshot.Change) (*Snapshot, error) {
	c := &snapshot.Catalog{ID: s.ID, Site: s.Site, Day: s.Day, AsOf: s.AsOf, Institutions: s.Institutions, Licences: s.Licences}
	var items bytes.Buffer
	var analyser search.Analyser
	var titles [][]uint64
	words := segment.NewBuilder()
	for i, ch := range changes {
		line := *ch.Line
		line.Item = snapshot.Span{Offset: int64(items.Len()), Length: len(ch.Item)}
		items.Write(ch.Item)
		a := analyser.Analyse(&ch.Document)
		words.Add(uint32(i), a)
		titles = append(titles, a.Titles)
		c.Lines = append(c.Lines, line)
	}
	c.Items = bytes.NewReader(items.Bytes())
	seg, err := inMemory(words, titles)
	if err != nil {
		return nil, err
	}
	part := newSnapshot(c, s.gate)
	part.engine = engine.New(seg, engine.NewGate(1))
	return part, nil
}

// inMemory makes a segment that is no file.
func inMemory(words *segment.Builder, titles [][]uint64) (*segment.Segment, error) {
	var out bytes.Buffer
	w := segment.NewWriter(&out)
	if err := errors.Join(words.Write(w), w.Finish(titles, nil)); err != nil {
		return nil, err
	}
	return segment.Open(out.Bytes())
}

// Edition names what searches of the snapshot see: its id, and the overlay over
// it. Answers of one edition stay right.
func (s *Snapshot) Edition() string {
	if o := s.overlay.Load(); o != nil {
		return s.ID + "+" + strconv.FormatUint(o.serial, 10)
	}
	return s.ID
}

// EntriesOf are an institution and its visible entries as they are now: what changed since the
// snapshot stands in place of what it has. It is nil for one without entries.
func (s *Snapshot) EntriesOf(institution string) (of *catalog.Institution, lines []*snapshot.Line) {
	o := s.overlay.Load()
	for _, h := range s.holdings() {
		if h.Institution.ID != institution {
			continue
		}
		of = h.Institution
		for _, i := range h.Ordinals {
			if o == nil || !o.hides(uint32(i)) {
				lines = append(lines, &s.Lines[i])
			}
		}
	}
	if o == nil {
		return of, lines
	}
	for _, h := range o.part.holdings() {
		if h.Institution.ID == institution {
			of = h.Institution
			for _, i := range h.Ordinals {
				lines = append(lines, &o.part.Lines[i])
			}
		}
	}
	return of, lines
}
