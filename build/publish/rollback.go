package publish

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/publish/bucket"
)

// Rollback brings back the site as it was published under a snapshot. It moves
// copies within the bucket and needs no local site. What came since stays as
// long as pages that are kept lead to it.
func Rollback(ctx context.Context, b bucket.Bucket, keys Keys, snapshot string, o Options) (Report, error) {
	p, err := begin(ctx, b, o)
	if err != nil {
		return Report{}, err
	}
	target, ok := p.state.find(snapshot)
	if !ok {
		return Report{}, fmt.Errorf("snapshot %s cannot be brought back; the bucket keeps %s", snapshot, p.state.names())
	}
	want, err := p.asOf(ctx, target)
	if err != nil {
		return Report{}, err
	}
	return p.run(ctx, Site{Keys: keys}, snapshot, want)
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

// asOf lists the objects of a generation, each with the place of its bytes.
func (p *publisher) asOf(ctx context.Context, g generation) ([]item, error) {
	present, err := p.versions(ctx)
	if err != nil {
		return nil, err
	}
	kept, err := p.kept(ctx, g.N)
	if err != nil {
		return nil, err
	}
	var want []item
	for l, err := range readManifest(ctx, p.bucket, genKey(g.N, manifestFile)) {
		if err != nil {
			return nil, err
		}
		if l.Gone != 0 {
			continue
		}
		i := item{line: line{Key: l.Key, Version: l.Version, Rank: l.Rank}}
		if i.from = kept[l.Key]; i.from == "" && present[l.Key] != l.Version {
			return nil, fmt.Errorf("snapshot %s cannot be brought back: nothing keeps its %s", g.Snapshot, l.Key)
		}
		want = append(want, i)
	}
	return want, nil
}

// versions are those that the bucket's keys had when the present generation
// ended.
func (p *publisher) versions(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	for l, err := range readManifest(ctx, p.bucket, genKey(p.now.N, manifestFile)) {
		if err != nil {
			return nil, err
		}
		out[l.Key] = l.Version
	}
	return out, nil
}

// kept finds for each key that was replaced since a generation the object that
// it had then: the one kept when it was replaced first.
func (p *publisher) kept(ctx context.Context, since int) (map[string]string, error) {
	out := map[string]string{}
	for _, g := range p.state.Generations {
		if g.N < since {
			continue
		}
		prefix := genKey(g.N, keptDir)
		list, err := p.bucket.List(ctx, prefix)
		if err != nil {
			return nil, err
		}
		for _, key := range list {
			if name := key[len(prefix):]; out[name] == "" {
				out[name] = key
			}
		}
	}
	return out, nil
}
