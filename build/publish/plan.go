package publish

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/check"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/build/publish/spool"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// op is one step of a plan: the object of a key is written, or deleted.
type op struct {
	Key string `json:"key"`
	// Version is what the key has afterwards, "" after a deletion.
	Version string `json:"version,omitempty"`
	Rank    rank   `json:"rank,omitempty"`
	Delete  bool   `json:"delete,omitempty"`
	// Carried is no step: it says what an earlier publish that did not end left
	// under the key, "" for one of several versions.
	Carried bool `json:"carried,omitempty"`
}

// step is an operation with what it takes to do it.
type step struct {
	op
	Item *item `json:"item,omitempty"`
	// Keep tells that the present object must be kept for a rollback, Touched
	// that this may have been done before.
	Keep, Touched bool
	// Fresh tells that the key is new, Form that it is deleted because its
	// document is no longer compressed.
	Fresh, Form bool
}

// phase orders a plan: compressed forms that documents lose, which a server would
// send for the new document; what is new, to which nothing leads yet; what
// changed; deletions. Within new and changed, pages come before what leads to them, and go
// after it.
func (s *step) phase() int {
	switch {
	case s.Form:
		return -1
	case s.Delete:
		return 1000 - int(s.Rank)
	case s.Fresh:
		return int(s.Rank)
	}
	return 100 + int(s.Rank)
}

// plan is what a publish does, in order, and what the bucket holds afterwards. It lies in
// files: a first publish has a step for every object.
type plan struct {
	phases  map[int]*spool.List[step]
	carried *spool.List[op]
	after   *spool.List[line]
	// changed are the documents that move, promises the pages of entries that are others
	// now or gone.
	changed  *spool.List[wire.RouteLine]
	promises *spool.List[check.Promise]
	steps    int
	counts   Report
}

func newPlan() (p *plan, err error) {
	p = &plan{phases: map[int]*spool.List[step]{}}
	var errs [4]error
	p.carried, errs[0] = spool.New[op]()
	p.after, errs[1] = spool.New[line]()
	p.changed, errs[2] = spool.New[wire.RouteLine]()
	p.promises, errs[3] = spool.New[check.Promise]()
	return p, errors.Join(errs[:]...)
}

func (p *plan) close() {
	for _, list := range p.phases {
		list.Close()
	}
	p.carried.Close()
	p.after.Close()
	p.changed.Close()
	p.promises.Close()
}

// order lists the phases.
func (p *plan) order() []int { return slices.Sorted(maps.Keys(p.phases)) }

// all yields the steps in the order in which they are done.
func (p *plan) all() iter.Seq2[step, error] {
	return func(yield func(step, error) bool) {
		for _, phase := range p.order() {
			for s, err := range p.phases[phase].All() {
				if !yield(s, err) {
					return
				}
			}
		}
	}
}

func (p *plan) add(s *step) (err error) {
	list := p.phases[s.phase()]
	if list == nil {
		if list, err = spool.New[step](); err != nil {
			return err
		}
		p.phases[s.phase()] = list
	}
	p.steps++
	if err := list.Add(s); err != nil || s.Item == nil {
		return err
	}
	p.counts.Bytes += s.Item.Size
	if s.Item.Document == nil || !s.Item.Main {
		return nil
	}
	return p.changed.Add(s.Item.Document)
}

// differ compares what a bucket holds with what it shall hold.
type differ struct {
	plan *plan
	// n is the generation to come, oldest the oldest one that is kept.
	n, oldest int
	// keys is how routes are keys.
	keys bucket.Keys
	// within are wanted keys with which the present one begins, shortest first.
	within []string
}

// diff makes the plan. Both lists are in the order of the keys.
func (d *differ) diff(have iter.Seq2[known, error], want iter.Seq2[item, error]) error {
	return join(have, want, func(a *known, b *item) int { return strings.Compare(a.Key, b.Key) }, func(old *known, i *item) error {
		if i != nil {
			d.within = append(d.prefixes(i.Key), i.Key)
		}
		switch {
		case old == nil:
			return d.added(i)
		case i == nil:
			return d.left(old)
		}
		return d.both(old, i)
	})
}

// prefixes drops the wanted keys with which a key does not begin; none of those behind it
// does.
func (d *differ) prefixes(key string) []string {
	for len(d.within) > 0 && !strings.HasPrefix(key, d.within[len(d.within)-1]) {
		d.within = d.within[:len(d.within)-1]
	}
	return d.within
}

func (d *differ) added(i *item) error {
	d.plan.counts.New++
	if err := d.plan.add(&step{op: op{Key: i.Key, Version: i.Version, Rank: i.Rank}, Item: i, Fresh: true}); err != nil {
		return err
	}
	return d.plan.after.Add(&i.line)
}

func (d *differ) both(old *known, i *item) error {
	if old.Version == i.Version {
		d.plan.counts.Unchanged++
		return errors.Join(d.carry(old), d.plan.after.Add(&i.line))
	}
	d.plan.counts.Changed++
	// What may not be there is as good as new: nothing may lead to it before.
	fresh := old.Unsure || old.Version == ""
	err := d.plan.add(&step{op: op{Key: i.Key, Version: i.Version, Rank: i.Rank}, Item: i, Keep: true, Touched: old.Touched, Fresh: fresh})
	if err == nil && old.Entry != "" && old.Gone == 0 && i.Entry != "" {
		err = d.plan.promises.Add(&check.Promise{Route: i.Entry, Type: artifact.JSON})
	}
	if err != nil {
		return err
	}
	return d.plan.after.Add(&i.line)
}

// left is about a key that the site does not have. It stays as long as pages of
// a snapshot that is kept may lead to it; what no publish wrote stays for good.
func (d *differ) left(old *known) error {
	if old.Strange {
		d.plan.counts.Strange++
		return nil
	}
	if d.keys == bucket.ByFile && output.Outdated(old.Key, func(name string) bool { return slices.Contains(d.prefixes(old.Key), name) }) {
		d.plan.counts.Deleted++
		return d.plan.add(&step{op: op{Key: old.Key, Rank: old.Rank, Delete: true}, Keep: true, Touched: old.Touched, Form: true})
	}
	if old.Gone == 0 {
		d.plan.counts.Left++
		old.Gone = d.n
		if old.Entry != "" {
			if err := d.plan.promises.Add(&check.Promise{Route: old.Entry, Type: artifact.JSON, Gone: true}); err != nil {
				return err
			}
		}
	}
	if old.Gone <= d.oldest {
		d.plan.counts.Deleted++
		return d.plan.add(&step{op: op{Key: old.Key, Rank: old.Rank, Delete: true}})
	}
	return errors.Join(d.carry(old), d.plan.after.Add(&old.line))
}

// carry notes what an earlier publish may have done to a key that needs no step now.
func (d *differ) carry(old *known) error {
	if !old.Touched {
		return nil
	}
	return d.plan.carried.Add(&op{Key: old.Key, Version: old.Version, Rank: old.Rank, Carried: true})
}

// progress says how many operations of a plan are done for certain.
type progress struct {
	Plan string `json:"plan"`
	Done int    `json:"done"`
}

// planHead is the first line of a plan.
type planHead struct {
	Plan     string `json:"plan"`
	Snapshot string `json:"snapshot"`
}

// planLine is one of a plan, of either kind.
type planLine struct {
	planHead
	op
}

// unended reads what a publish left that did not end: what is known of the
// keys that it was to write, and how many it wrote.
func unended(ctx context.Context, b bucket.Bucket, n int) (lines *spool.Sorted[known], done int, err error) {
	var p progress
	if err := readJSON(ctx, b, genKey(n, progressFile), &p); err != nil {
		return nil, 0, err
	}
	lines = spool.NewSorted(byKey)
	at, id := 0, ""
	for l, err := range readBook[planLine](ctx, b, genKey(n, planFile)) {
		if err != nil {
			return lines, 0, err
		}
		if l.Plan != "" {
			id = l.Plan
			continue
		}
		if err := checkKey(genKey(n, planFile), l.Key); err != nil {
			return lines, 0, err
		}
		k := known{line: line{Key: l.Key, Rank: l.Rank}, Touched: true, Unsure: true, Deleted: l.Delete}
		switch {
		case l.Carried:
			k.Version = l.Version
		case l.Delete:
			at++ // what is wanted after all is written again
		default:
			if at++; id == p.Plan && at <= p.Done {
				k.Version = l.Version
				done++
			}
		}
		if err := lines.Add(k); err != nil {
			return lines, 0, err
		}
	}
	return lines, done, nil
}

// overlay lays what is known of a publish that did not end over the index of
// the generation before it. Both are in the order of their keys.
func overlay(base iter.Seq2[known, error], over iter.Seq2[known, error]) iter.Seq2[known, error] {
	last := ""
	return merged(base, over, byKey, func(l, o *known) (*known, error) {
		switch {
		case l == nil && o.Key == last:
			return nil, nil // a plan names each key once
		case l == nil:
			l = o
		case o != nil:
			o.Gone, o.Entry, o.Unsure = l.Gone, l.Entry, o.Deleted
			l = o
		}
		last = l.Key
		return l, nil
	})
}
