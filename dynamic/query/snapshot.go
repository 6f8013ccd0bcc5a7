package query

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/singleflight"

	"github.com/assay-register/assay/dynamic/lru"
	"github.com/assay-register/assay/dynamic/query/engine"
	"github.com/assay-register/assay/render/snapshot"
)

// selectionBudget bounds the selections that a snapshot remembers, in bytes.
const selectionBudget = 16 << 20

// Snapshot is a catalog with what live answers need besides.
type Snapshot struct {
	*snapshot.Catalog
	// file is the snapshot file, nil for what is in memory only.
	file atomic.Pointer[File]
	// size is that of the encoded lines in bytes.
	size       int64
	gate       *engine.Gate
	selections *lru.Cache[[]int32]
	selecting  singleflight.Group
	// bySlug are the ordinals of the lines in slug order.
	bySlug []int32
	// gone finds tombstones by id, slug and former slug.
	gone map[string]int32
	tags func() map[string]struct{}
	// engine is nil when the snapshot has no search index.
	engine *engine.Engine
	// subjects are the themes and places that can be suggested.
	subjects func() []subject
	columns  func() *columns
	// holdings are the institutions with their entries.
	holdings func() []snapshot.Holding
	// overlay holds the entries that changed since, for searches, over their documents;
	// both are nil for nothing.
	overlay atomic.Pointer[overlay]
	over    atomic.Pointer[Over]
}

func newSnapshot(c *snapshot.Catalog, gate *engine.Gate) *Snapshot {
	s := &Snapshot{Catalog: c, gate: gate, selections: lru.New[[]int32](selectionBudget), gone: map[string]int32{}}
	s.bySlug = make([]int32, len(c.Lines))
	for i := range s.bySlug {
		s.bySlug[i] = int32(i)
	}
	slices.SortFunc(s.bySlug, func(a, b int32) int { return cmp.Compare(c.Lines[a].Slug, c.Lines[b].Slug) })
	for i, t := range c.Gone {
		s.gone[t.ID] = int32(i)
		for _, slug := range append(slices.Clone(t.FormerSlugs), t.Slug) {
			s.gone[slug] = int32(i)
		}
	}
	s.tags, s.holdings = sync.OnceValue(s.allTags), sync.OnceValue(c.Holdings)
	s.subjects = sync.OnceValue(func() []subject { return newSubjects(c) })
	s.columns = sync.OnceValue(func() *columns { return newColumns(c) })
	return s
}

// Searchable tells whether the snapshot has a search index.
func (s *Snapshot) Searchable() bool { return s.engine != nil }

func (s *Snapshot) allTags() map[string]struct{} {
	all := map[string]struct{}{}
	for i := range s.Lines {
		for _, t := range s.Lines[i].Tags {
			all[t] = struct{}{}
		}
	}
	return all
}

// ordinal finds a visible entry by its present slug, -1 if there is none.
func (s *Snapshot) ordinal(slug string) int {
	i := sort.Search(len(s.bySlug), func(i int) bool { return s.Lines[s.bySlug[i]].Slug >= slug })
	if i < len(s.bySlug) && s.Lines[s.bySlug[i]].Slug == slug {
		return int(s.bySlug[i])
	}
	return -1
}

// selected are the ordinals of a request's entries, in order. They are shared
// and must not be changed.
func (s *Snapshot) selected(ctx context.Context, r *Request) ([]int32, error) {
	if r.normal == "" {
		return s.Order, nil
	}
	if list, ok := s.selections.Get(r.normal); ok {
		return list, nil
	}
	return once(ctx, &s.selecting, r.normal, func() ([]int32, error) {
		leave, err := s.gate.Enter(context.WithoutCancel(ctx))
		if err != nil {
			return nil, err
		}
		defer leave()
		q := s.known(r.Query)
		if q.Among, err = s.words(context.WithoutCancel(ctx), r.Words); err != nil {
			return nil, err
		}
		list := s.List(q)
		s.selections.Put(r.normal, list, int64(4*cap(list)+len(r.normal)+100))
		return list, nil
	})
}
