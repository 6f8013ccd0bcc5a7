package publish

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/build/publish/spool"
	"github.com/assay-register/assay/render/edge"
	"github.com/assay-register/assay/render/wire"
)

// Site is a built site and how it becomes objects.
type Site struct {
	// Root is the folder of the snapshot files that `assay build` wrote.
	Root string
	// Reports is the folder in whose reports/ those about the site lie, Root if "".
	Reports string
	Keys    bucket.Keys
	// Gzip stores documents that lie compressed beside their original in that
	// form, with Content-Encoding; a reader who takes no gzip cannot read them.
	Gzip bool
	// Whole publishes the snapshot file itself instead of what is in it.
	Whole bool
}

func (s *Site) reports() string { return cmp.Or(s.Reports, s.Root) }

// Options say how to publish.
type Options struct {
	// Workers is how many objects are moved at a time.
	Workers int
	// Keep is how many generations can be brought back, KeepFor how long one
	// can at least after it was replaced; what pages of these snapshots lead to
	// stays as long.
	Keep    int
	KeepFor time.Duration
	// Now is the instant of the publish.
	Now time.Time
	// DryRun only tells what would be done.
	DryRun bool
	// Verify checks the whole site, and compares the index with what lies in the bucket.
	Verify bool
	// Unchecked takes the site as it is, for one that the same process has just built.
	Unchecked bool
	// Step is told each step of a dry run.
	Step func(verb, key string)
	// Progress is told how far the work is; nil for nobody.
	Progress func(stage string, done, total int)
}

// Report tells what a publish did, in objects.
type Report struct {
	Snapshot   string `json:"snapshot"`
	Generation int    `json:"generation"`
	New        int    `json:"new"`
	Changed    int    `json:"changed"`
	Unchanged  int    `json:"unchanged"`
	// Left are the keys that the site no longer has, Deleted those whose time
	// has come.
	Left    int `json:"left"`
	Deleted int `json:"deleted"`
	// Strange lie there, but no publish wrote them; they stay.
	Strange int `json:"strange"`
	// Log is how many files of the log of verdicts moved.
	Log int `json:"log"`
	// Resumed is how many objects a publish that did not end had moved.
	Resumed int `json:"resumed"`
	// Bytes are those of the documents that moved, not compressed.
	Bytes  int64 `json:"bytes"`
	DryRun bool  `json:"dry_run"`
}

// ErrOvertaken says that another publish ended while this one was under way.
var ErrOvertaken = errors.New("another publish ended in the meantime; publish again")

// errForm refuses to mix two forms, of which each would take away the other.
var errForm = errors.New("--whole: the target holds the other of documents and snapshot files; publish to another one")

// Publish brings a bucket up to date with a built site. It may be killed at any
// moment: what leads to pages is written after them, and the next publish goes
// on where this one ended.
func Publish(ctx context.Context, b bucket.Bucket, s Site, o Options) (Report, error) {
	r, err := publishSite(ctx, b, s, o)
	if err != nil || o.DryRun {
		return r, err
	}
	r.Log, err = publishLog(ctx, b, s.Root)
	return r, err
}

func publishSite(ctx context.Context, b bucket.Bucket, s Site, o Options) (r Report, err error) {
	p, err := begin(ctx, b, o)
	if err != nil {
		return Report{}, err
	}
	if p.now.N > 0 && p.now.Whole != s.Whole {
		return Report{}, errForm
	}
	if p.built, err = output.OpenPresent(s.Root); err == nil && p.built == nil {
		err = fmt.Errorf("%s holds no site: run assay build", s.Root)
	}
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, p.built.Close()) }()
	snapshot := p.built.ID
	to := generation{Snapshot: snapshot, Index: indexForm, Whole: s.Whole}
	if !s.Whole {
		if p.edge, to.Edge, err = p.edgeFiles(ctx); err != nil {
			return Report{}, err
		}
	}
	if to.Site, err = p.digest(ctx, s, to.Edge); err != nil {
		return Report{}, err
	}
	if done, err := p.nothingNew(ctx, to); done || err != nil {
		return Report{Snapshot: snapshot, Generation: p.now.N, Unchanged: p.now.Objects, DryRun: o.DryRun}, err
	}
	want, done, err := p.want(ctx, s)
	defer done()
	if err != nil {
		return Report{}, err
	}
	return p.run(ctx, s, to, want)
}

// digest is one of all that a site becomes: its content, how it becomes objects, and, with
// the configuration of servers, what is said of them. It is "" for a whole snapshot file.
func (p *publisher) digest(ctx context.Context, s Site, servers string) (string, error) {
	if s.Whole {
		return "", nil
	}
	sum := sha256.New()
	fmt.Fprintln(sum, p.built.Pack.Directory.Content, s.Keys, s.Gzip, servers)
	err := output.Reports(ctx, s.reports(), func(l *wire.RouteLine) error {
		_, err := fmt.Fprintln(sum, l.Route, l.SHA256)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)[:12]), err
}

// nothingNew tells whether the present generation was made of the same, nothing waits for
// its deletion, and no publish was begun since.
func (p *publisher) nothingNew(ctx context.Context, to generation) (bool, error) {
	if p.opts.Verify || to.Site == "" || to.Site != p.now.Site || p.now.Left > 0 || !p.same(to) {
		return false, nil
	}
	for _, n := range []string{genKey(p.now.N+1, planFile), genKey(p.now.N, planFile)} {
		if begun, err := p.bucket.Exists(ctx, n); begun || err != nil {
			return false, err
		}
	}
	return p.bucket.Exists(ctx, genKey(p.now.N, indexFile))
}

// want lists the objects that a site becomes.
func (p *publisher) want(ctx context.Context, s Site) (items iter.Seq2[item, error], done func(), err error) {
	if s.Whole {
		items, err := wholeTable(p.built)
		return items, func() {}, err
	}
	t, err := readTable(ctx, s, p.built)
	return t.all(), func() { t.items.Close() }, err
}

// publisher is one publish under way.
type publisher struct {
	bucket bucket.Bucket
	built  *output.SnapshotFile
	opts   Options
	state  state
	// now is the generation that is live.
	now generation
	// edge is the configuration of servers for the site.
	edge []edge.File
}

func begin(ctx context.Context, b bucket.Bucket, o Options) (*publisher, error) {
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	p := &publisher{bucket: b, opts: o}
	if err := readJSON(ctx, b, stateKey, &p.state); err != nil {
		return nil, err
	}
	p.now = p.state.current()
	return p, p.state.check()
}

// run makes the plan, carries it out and ends the generation.
func (p *publisher) run(ctx context.Context, s Site, to generation, want iter.Seq2[item, error]) (Report, error) {
	lines, done, err := unended(ctx, p.bucket, p.now.N+1)
	if err != nil {
		return Report{}, err
	}
	defer lines.Close()
	made, err := newPlan()
	if err != nil {
		return Report{}, err
	}
	defer made.close()
	next, err := p.next(ctx, to)
	if err != nil {
		return Report{}, err
	}
	have, forget, err := p.have(ctx)
	if err != nil {
		return Report{}, err
	}
	defer forget()
	d := differ{plan: made, n: p.now.N + 1, oldest: next.oldest(), keys: s.Keys}
	if err := d.diff(overlay(have, lines.All()), want); err != nil {
		return Report{}, err
	}
	if p.built != nil && !p.opts.Unchecked { // what is brought back was published before
		if err := p.gate(ctx, s, made); err != nil {
			return Report{}, err
		}
	}
	r := made.counts
	last := &next.Generations[len(next.Generations)-1]
	last.Objects = r.New + r.Changed + r.Unchanged
	last.Left = made.after.Len() - last.Objects
	r.Snapshot, r.Resumed, r.DryRun, r.Generation = to.Snapshot, done, p.opts.DryRun, p.now.N+1
	if p.opts.DryRun {
		return r, made.tell(p.opts.Step)
	}
	if made.steps+lines.Len() == 0 && r.Left == 0 && p.same(to) {
		r.Generation = p.now.N
		return r, nil
	}
	if to.Edge != p.now.Edge {
		if err := p.putEdge(ctx, p.edge); err != nil {
			return r, err
		}
	}
	moved := newKept()
	defer moved.Close()
	if err := p.do(ctx, s, to.Snapshot, made, moved); err != nil {
		return r, err
	}
	return r, p.end(ctx, next, made, lines.Len() > 0, moved)
}

// same tells whether a publish has nothing to say that the present generation does not.
func (p *publisher) same(to generation) bool {
	return to.Snapshot == p.now.Snapshot && to.Index == p.now.Index && to.Edge == p.now.Edge
}

// have yields what is known of the bucket: what the index of the present generation says.
// Where there is none, or on demand, that is compared with what lies there.
func (p *publisher) have(ctx context.Context) (iter.Seq2[known, error], func(), error) {
	lines, indexedHere := indexed(readIndex(ctx, p.bucket, p.now.N)), false
	if p.now.N > 0 {
		var err error
		if indexedHere, err = p.bucket.Exists(ctx, genKey(p.now.N, indexFile)); err != nil {
			return nil, nil, err
		}
	}
	if indexedHere && !p.opts.Verify {
		return lines, func() {}, nil
	}
	there, err := listed(ctx, p.bucket)
	return confirmed(lines, there), func() { there.Close() }, err
}

// next is the state after this publish.
func (p *publisher) next(ctx context.Context, to generation) (state, error) {
	next := state{Generations: slices.Clone(p.state.Generations)}
	for i := range p.state.Clearing {
		there, err := p.bucket.Exists(ctx, genKey(p.state.Clearing[i].N, indexFile))
		if err != nil {
			return next, err
		}
		if there {
			next.Clearing = append(next.Clearing, p.state.Clearing[i])
		}
	}
	if last := len(next.Generations) - 1; last >= 0 {
		next.Generations[last].Kept = true
	}
	to.N, to.PublishedAt = p.now.N+1, p.opts.Now.UTC().Truncate(time.Second)
	next.Generations = append(next.Generations, to)
	next.retain(p.opts.Keep, p.opts.KeepFor, p.opts.Now)
	return next, nil
}

// tell names each step.
func (p *plan) tell(step func(verb, key string)) error {
	if step == nil {
		return nil
	}
	for s, err := range p.all() {
		if err != nil {
			return err
		}
		verb := "change"
		switch {
		case s.Delete:
			verb = "delete"
		case s.Fresh:
			verb = "add"
		}
		step(verb, s.Key)
	}
	return nil
}

// do writes the plan down and carries it out.
func (p *publisher) do(ctx context.Context, s Site, snapshot string, made *plan, moved *spool.Sorted[kept]) error {
	id := rand.Text()
	if err := p.writePlan(ctx, planHead{id, snapshot}, made); err != nil {
		return err
	}
	r := &runner{bucket: p.bucket, site: s, built: p.built, id: id, n: p.now.N + 1, now: p.now.N, workers: p.opts.Workers, report: p.opts.Progress, kept: moved}
	return r.all(ctx, made)
}

func (p *publisher) writePlan(ctx context.Context, head planHead, made *plan) error {
	book, err := spool.New[any]()
	if err != nil {
		return err
	}
	defer book.Close()
	add := func(v any) error { return book.Add(&v) }
	if err := add(head); err != nil {
		return err
	}
	for o, err := range made.carried.All() {
		if err != nil {
			return err
		}
		if err := add(o); err != nil {
			return err
		}
	}
	for s, err := range made.all() {
		if err != nil {
			return err
		}
		if err := add(s.op); err != nil {
			return err
		}
	}
	return putBook(ctx, p.bucket, genKey(p.now.N+1, planFile), book)
}

// end makes the generation the present one and clears away what no generation
// that is kept has.
func (p *publisher) end(ctx context.Context, next state, made *plan, resumed bool, moved *spool.Sorted[kept]) error {
	if p.now.N > 0 {
		if err := putKept(ctx, p.bucket, p.now, resumed, moved); err != nil {
			return err
		}
	}
	if err := putBook(ctx, p.bucket, genKey(p.now.N+1, indexFile), made.after); err != nil {
		return err
	}
	if err := p.bucket.Sync(ctx); err != nil {
		return err
	}
	var live state
	if err := readJSON(ctx, p.bucket, stateKey, &live); err != nil {
		return err
	}
	if live.current().N != p.now.N {
		return ErrOvertaken
	}
	if err := writeJSON(ctx, p.bucket, stateKey, next); err != nil {
		return err
	}
	if err := p.bucket.Sync(ctx); err != nil {
		return err
	}
	return p.clear(ctx, &next)
}

// clear removes the books of generations that are not kept, and the plan of
// the one that ended.
func (p *publisher) clear(ctx context.Context, s *state) error {
	for i := range s.Clearing {
		if err := clearGeneration(ctx, p.bucket, &s.Clearing[i]); err != nil {
			return err
		}
	}
	for _, name := range []string{planFile, progressFile} {
		if err := p.bucket.Delete(ctx, genKey(s.current().N, name)); err != nil {
			return err
		}
	}
	if p.now.N > 0 && !p.opts.Verify {
		return nil
	}
	return p.clearStrays(ctx, s)
}

// clearStrays removes the books that lie there of no generation that is kept, as where
// the state was lost.
func (p *publisher) clearStrays(ctx context.Context, s *state) error {
	keep := map[string]bool{}
	for _, g := range s.Generations {
		keep[genKey(g.N, "")] = true
	}
	for o, err := range p.bucket.List(ctx, genDir) {
		if err != nil {
			return err
		}
		if dir, _, _ := strings.Cut(o.Key[len(genDir):], "/"); keep[genDir+dir+"/"] {
			continue
		}
		if err := p.bucket.Delete(ctx, o.Key); err != nil {
			return err
		}
	}
	return nil
}
