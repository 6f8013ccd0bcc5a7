package publish

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/build/publish/spool"
)

// Rollback brings back the site as it was published under a snapshot. It moves
// copies within the bucket and needs no local site. What came since stays as
// long as pages that are kept lead to it.
func Rollback(ctx context.Context, b bucket.Bucket, keys bucket.Keys, snapshot string, o Options) (Report, error) {
	p, err := begin(ctx, b, o)
	if err != nil {
		return Report{}, err
	}
	target, ok := p.state.find(snapshot)
	if !ok {
		return Report{}, fmt.Errorf("snapshot %s cannot be brought back; the bucket keeps %s", snapshot, p.state.names())
	}
	moved := newKept()
	defer moved.Close()
	for i := range p.state.Generations {
		if g := &p.state.Generations[i]; g.N >= target.N {
			if err := eachKept(ctx, b, g, moved.Add); err != nil {
				return Report{}, err
			}
		}
	}
	return p.run(ctx, Site{Keys: keys}, generation{Snapshot: snapshot, Index: target.Index, Whole: target.Whole, Edge: p.now.Edge, Site: target.Site}, p.asOf(ctx, target, moved))
}

// names lists the snapshots that can be brought back.
func (s *state) names() string {
	var names []string
	for _, g := range s.Generations {
		if !slices.Contains(names, g.Snapshot) {
			names = append(names, g.Snapshot)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// asOf yields the objects of a generation, each with the place of its bytes: where it was
// copied to when it was replaced first, or its own key.
func (p *publisher) asOf(ctx context.Context, g generation, moved *spool.Sorted[kept]) iter.Seq2[item, error] {
	then := merged(readIndex(ctx, p.bucket, g.N), moved.All(), func(a *line, b *kept) int { return strings.Compare(a.Key, b.Key) }, func(l *line, k *kept) (*item, error) {
		if l == nil || l.Gone != 0 {
			return nil, nil
		}
		i := &item{line: *l}
		if k != nil {
			i.From = k.from()
		}
		return i, nil
	})
	present := readIndex(ctx, p.bucket, p.now.N)
	return merged(then, present, func(a *item, b *line) int { return strings.Compare(a.Key, b.Key) }, func(i *item, now *line) (*item, error) {
		if i != nil && i.From == "" && (now == nil || now.Version != i.Version) {
			return nil, fmt.Errorf("snapshot %s cannot be brought back: nothing keeps its %s", g.Snapshot, i.Key)
		}
		return i, nil
	})
}
