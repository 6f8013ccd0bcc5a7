package query

import (
	"context"
	"net/url"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Selection asks for entries on behalf of another protocol: by the parameters of the
// search or of the list, and by what its own language adds.
type Selection struct {
	// Values are parameters of the search if q is among them, else of the list, without
	// page and limit.
	Values url.Values
	Where  Condition
	// Order goes before the order of the parameters; nil for that alone.
	Order []Key
	// Offset is how many entries are passed over, Limit how many are wanted.
	Offset, Limit int
	// Facets is how many values of each dimension are counted, 0 for no counts.
	Facets int
	// Each is called for every entry that is found, nil for none.
	Each func(*snapshot.Line)
}

// Selected is what a selection came to.
type Selected struct {
	Total  int
	Lines  []*snapshot.Line
	Facets snapshot.Facets
}

// Select finds entries. Those that changed since the snapshot are among them when words are
// looked for, as in searches; lists are those of the snapshot.
func (s *Snapshot) Select(ctx context.Context, q *Selection) (*Selected, error) {
	if q.Values.Has("q") {
		return s.selectFound(ctx, q)
	}
	r, err := ParseList(q.Values)
	if err != nil {
		return nil, err
	}
	leave, err := s.gate.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	list, err := s.selectList(ctx, q, r)
	if err != nil {
		return nil, err
	}
	out := &Selected{Total: len(list)}
	for _, i := range list[min(q.Offset, len(list)):min(q.Offset+q.Limit, len(list))] {
		out.Lines = append(out.Lines, &s.Lines[i])
	}
	if q.Each != nil {
		for _, i := range list {
			q.Each(&s.Lines[i])
		}
	}
	if q.Facets > 0 {
		counts := s.columns().counters.Get().(*counter)
		defer func() { counts.reset(); s.columns().counters.Put(counts) }()
		s.count(counts, list, false)
		out.Facets = counts.facets(q.Facets)
	}
	return out, nil
}

// selectList are the ordinals that a selection of a list has, in order.
func (s *Snapshot) selectList(ctx context.Context, q *Selection, r *Request) ([]int32, error) {
	words, err := s.words(ctx, r.Words)
	if err != nil {
		return nil, err
	}
	fits, err := s.prepare(ctx, &q.Where)
	if err != nil {
		return nil, err
	}
	query := s.known(r.Query)
	query.Among = func(i int32) bool { return fits(i) && (words == nil || words(i)) }
	list := s.List(query)
	s.sortBy(q.Order, list)
	return list, nil
}

// selectFound is Select by the words of a query.
func (s *Snapshot) selectFound(ctx context.Context, q *Selection) (*Selected, error) {
	r, err := ParseSearch(q.Values)
	if err != nil {
		return nil, err
	}
	how := finding{most: min(q.Offset+q.Limit, wire.SearchDepth), facets: q.Facets, where: &q.Where, order: s.ordering(q.Order), each: q.Each}
	f, err := s.findBy(ctx, r, &how)
	if err != nil {
		return nil, err
	}
	out := &Selected{Total: f.total, Facets: f.facets}
	for i := range f.best[min(q.Offset, len(f.best)):] {
		out.Lines = append(out.Lines, f.best[q.Offset+i].line())
	}
	return out, nil
}
