package publish

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish/bucket"
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

	item *item
	// keep tells that the present object must be kept for a rollback, touched
	// that this may have been done before.
	keep, touched bool
	// fresh tells that the key is new, form that it is deleted because its
	// document is no longer compressed.
	fresh, form bool
}

// plan is what a publish does, in order, and what the bucket holds afterwards.
type plan struct {
	carried []op
	ops     []op
	after   *jsonLines
	counts  Report
}

// differ compares what a bucket holds with what it shall hold.
type differ struct {
	plan *plan
	// n is the generation to come, oldest the oldest one that is kept.
	n, oldest int
	// keys is how routes are keys, want what the bucket shall hold, in the order
	// of the keys.
	keys Keys
	want []item
}

// diff makes the plan. have is in the order of the keys.
func (d *differ) diff(have iter.Seq2[line, error]) error {
	want := d.want
	next, stop := iter.Pull2(have)
	defer stop()
	old, err, more := next()
	for i := 0; more || i < len(want); {
		if err != nil {
			return err
		}
		switch {
		case !more || i < len(want) && want[i].Key < old.Key:
			err = d.added(&want[i])
			i++
		case i == len(want) || old.Key < want[i].Key:
			if err = d.left(old); err == nil {
				old, err, more = next()
			}
		default:
			if err = d.both(old, &want[i]); err == nil {
				old, err, more = next()
			}
			i++
		}
	}
	if err != nil {
		return err
	}
	slices.SortStableFunc(d.plan.ops, func(a, b op) int { return cmp.Compare(a.phase(), b.phase()) })
	return nil
}

// phase orders a plan: compressed forms that documents lose, which a server would
// send for the new document; what is new, to which nothing leads yet; what
// changed; deletions. Within new and changed, pages come before what leads to them.
func (o *op) phase() int {
	switch {
	case o.form:
		return -1
	case o.Delete:
		return 1000
	case o.fresh:
		return int(o.Rank)
	}
	return 100 + int(o.Rank)
}

func (d *differ) added(i *item) error {
	d.plan.counts.New++
	d.plan.counts.Bytes += i.object.Size
	d.plan.ops = append(d.plan.ops, op{Key: i.Key, Version: i.Version, Rank: i.Rank, item: i, fresh: true})
	return d.plan.after.add(i.line)
}

func (d *differ) both(old line, i *item) error {
	if old.Version == i.Version {
		d.plan.counts.Unchanged++
		if old.touched {
			d.carry(old)
		}
		return d.plan.after.add(i.line)
	}
	d.plan.counts.Changed++
	// What may not be there is as good as new: nothing may lead to it before.
	fresh := old.unsure || old.Version == ""
	d.plan.ops = append(d.plan.ops, op{Key: i.Key, Version: i.Version, Rank: i.Rank, item: i, keep: true, touched: old.touched, fresh: fresh})
	return d.plan.after.add(i.line)
}

// left is about a key that the site does not have. It stays as long as pages of
// a snapshot that is kept may lead to it.
func (d *differ) left(old line) error {
	if d.keys == ByFile && output.Outdated(old.Key, d.wanted) {
		d.plan.counts.Deleted++
		d.plan.ops = append(d.plan.ops, op{Key: old.Key, Rank: old.Rank, Delete: true, keep: true, touched: old.touched, form: true})
		return nil
	}
	if old.Gone == 0 {
		d.plan.counts.Left++
		old.Gone = d.n
	}
	if old.Gone <= d.oldest {
		d.plan.counts.Deleted++
		d.plan.ops = append(d.plan.ops, op{Key: old.Key, Delete: true})
		return nil
	}
	if old.touched {
		d.carry(old)
	}
	return d.plan.after.add(old)
}

func (d *differ) wanted(key string) bool {
	_, found := slices.BinarySearchFunc(d.want, key, func(i item, key string) int { return cmp.Compare(i.Key, key) })
	return found
}

func (d *differ) carry(old line) {
	d.plan.carried = append(d.plan.carried, op{Key: old.Key, Version: old.Version, Rank: old.Rank, Carried: true})
}

// overlay lays what is known of a publish that did not end over the lines of
// the generation before it. Both are in the order of their keys.
func overlay(base iter.Seq2[line, error], over []line) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		for l, err := range base {
			if err != nil {
				yield(l, err)
				return
			}
			for len(over) > 0 && over[0].Key < l.Key {
				if !yield(over[0], nil) {
					return
				}
				over = over[1:]
			}
			if len(over) > 0 && over[0].Key == l.Key {
				over[0].Gone, over[0].unsure = l.Gone, over[0].deleted
				l, over = over[0], over[1:]
			}
			if !yield(l, nil) {
				return
			}
		}
		for _, l := range over {
			if !yield(l, nil) {
				return
			}
		}
	}
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

// unended reads what a publish left that did not end: what is known of the
// keys that it was to write, in their order, and how many it wrote.
func unended(ctx context.Context, b bucket.Bucket, n int) (lines []line, done int, err error) {
	var p progress
	if err := readJSON(ctx, b, genKey(n, progressFile), &p); err != nil {
		return nil, 0, err
	}
	type planLine struct {
		planHead
		op
	}
	at, id := 0, ""
	for l, err := range read[planLine](ctx, b, genKey(n, planFile)) {
		if err != nil {
			return nil, 0, err
		}
		if l.Plan != "" {
			id = l.Plan
			continue
		}
		if err := checkKey(genKey(n, planFile), l.Key); err != nil {
			return nil, 0, err
		}
		known := line{Key: l.Key, Rank: l.Rank, touched: true, unsure: true, deleted: l.Delete}
		switch {
		case l.Carried:
			known.Version = l.Version
		case l.Delete:
			at++ // what is wanted after all is written again
		default:
			if at++; id == p.Plan && at <= p.Done {
				known.Version = l.Version
				done++
			}
		}
		lines = append(lines, known)
	}
	slices.SortFunc(lines, func(a, b line) int { return cmp.Compare(a.Key, b.Key) })
	return lines, done, nil
}
