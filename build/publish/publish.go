package publish

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/assay-register/assay/build/check"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish/bucket"
)

// Site is a built site and how it becomes objects.
type Site struct {
	// Root is the directory that `assay build` wrote, in either form.
	Root string
	Keys Keys
	// Gzip stores documents that lie compressed beside their original in that
	// form, with Content-Encoding; a reader who takes no gzip cannot read them.
	Gzip bool
}

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
	// Resumed is how many objects a publish that did not end had moved.
	Resumed int   `json:"resumed"`
	Bytes   int64 `json:"bytes"`
	DryRun  bool  `json:"dry_run"`
}

// ErrGate says that publishing would break a promise to readers, or would show
// them something broken.
var ErrGate = errors.New("deploy gate")

// ErrOvertaken says that another publish ended while this one was under way.
var ErrOvertaken = errors.New("another publish ended in the meantime; publish again")

// Publish brings a bucket up to date with a built site. It may be killed at any
// moment: what leads to pages is written after them, and the next publish goes
// on where this one ended.
func Publish(ctx context.Context, b bucket.Bucket, s Site, o Options) (Report, error) {
	unlock, err := output.Lock(s.Root)
	if err != nil {
		return Report{}, err
	}
	defer unlock()
	p, err := begin(ctx, b, o)
	if err != nil {
		return Report{}, err
	}
	if p.built, err = output.OpenSite(s.Root); err != nil {
		return Report{}, err
	}
	defer p.built.Close()
	snapshot, err := p.built.Snapshot()
	if err == nil && snapshot == "" {
		err = fmt.Errorf("%s holds no site: run assay build", s.Root)
	}
	if err != nil {
		return Report{}, err
	}
	if err := p.gate(ctx, s); err != nil {
		return Report{}, err
	}
	want, err := readTable(ctx, s, p.built)
	if err != nil {
		return Report{}, err
	}
	return p.run(ctx, s, snapshot, want)
}

// publisher is one publish under way.
type publisher struct {
	bucket bucket.Bucket
	built  output.Site
	opts   Options
	state  state
	// now is the number of the generation that is live.
	now generation
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

// faultsShown is how many faults an error of the gate lists.
const faultsShown = 5

// gate refuses a site that is broken or, measured by what is live, breaks a
// promise.
func (p *publisher) gate(ctx context.Context, s Site) error {
	var before output.Pages
	if p.now.N > 0 {
		before = Live{p.bucket, s.Keys}
	}
	r, err := check.Site(ctx, p.built, before, p.opts.Progress)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrGate, err)
	}
	if r.FaultCount == 0 {
		return nil
	}
	var texts []string
	for _, f := range r.Faults[:min(len(r.Faults), faultsShown)] {
		texts = append(texts, f.Route+": "+f.What)
	}
	return fmt.Errorf("%w: %d faults: %s; assay check %s lists them", ErrGate, r.FaultCount, strings.Join(texts, "; "), s.Root)
}

// run makes the plan, carries it out and ends the generation.
func (p *publisher) run(ctx context.Context, s Site, snapshot string, want []item) (Report, error) {
	lines, done, err := unended(ctx, p.bucket, p.now.N+1)
	if err != nil {
		return Report{}, err
	}
	after, err := newLines(os.TempDir())
	if err != nil {
		return Report{}, err
	}
	defer after.close()
	next := p.next(snapshot)
	d := differ{plan: &plan{after: after}, n: p.now.N + 1, oldest: next.oldest(), keys: s.Keys, want: want}
	have := overlay(readManifest(ctx, p.bucket, genKey(p.now.N, manifestFile)), lines)
	if err := d.diff(have); err != nil {
		return Report{}, err
	}
	r := d.plan.counts
	r.Snapshot, r.Resumed, r.DryRun, r.Generation = snapshot, done, p.opts.DryRun, p.now.N+1
	if p.opts.DryRun {
		d.plan.tell(p.opts.Step)
		return r, nil
	}
	if len(d.plan.ops)+len(lines) == 0 && r.Left == 0 && snapshot == p.now.Snapshot {
		r.Generation = p.now.N
		return r, nil
	}
	if err := p.do(ctx, s, snapshot, d.plan); err != nil {
		return r, err
	}
	return r, p.end(ctx, next, after)
}

// next is the state after this publish.
func (p *publisher) next(snapshot string) state {
	next := state{Generations: append([]generation{}, p.state.Generations...)}
	next.Generations = append(next.Generations, generation{p.now.N + 1, snapshot, p.opts.Now.UTC().Truncate(time.Second)})
	next.retain(p.opts.Keep, p.opts.KeepFor, p.opts.Now)
	return next
}

// tell names each step.
func (p *plan) tell(step func(verb, key string)) {
	if step == nil {
		return
	}
	for i := range p.ops {
		verb := "change"
		switch o := &p.ops[i]; {
		case o.Delete:
			verb = "delete"
		case o.fresh:
			verb = "add"
		}
		step(verb, p.ops[i].Key)
	}
}

// do writes the plan down and carries it out.
func (p *publisher) do(ctx context.Context, s Site, snapshot string, plan *plan) error {
	id := rand.Text()
	w, err := newLines(os.TempDir())
	if err != nil {
		return err
	}
	defer w.close()
	if err := w.add(planHead{id, snapshot}); err != nil {
		return err
	}
	for _, list := range [][]op{plan.carried, plan.ops} {
		for i := range list {
			if err := w.add(&list[i]); err != nil {
				return err
			}
		}
	}
	if err := w.put(ctx, p.bucket, genKey(p.now.N+1, planFile)); err != nil {
		return err
	}
	r := &runner{bucket: p.bucket, site: s, built: p.built, id: id, n: p.now.N + 1, now: p.now.N, workers: p.opts.Workers, report: p.opts.Progress}
	return r.all(ctx, plan.ops)
}

// end makes the generation the present one and clears away what no generation
// that is kept has.
func (p *publisher) end(ctx context.Context, next state, after *jsonLines) error {
	n := p.now.N + 1
	if err := after.put(ctx, p.bucket, genKey(n, manifestFile)); err != nil {
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
	return p.clear(ctx, next)
}

// clear removes the books of generations that are not kept, and the plan of
// the one that ended.
func (p *publisher) clear(ctx context.Context, s state) error {
	keep := map[string]bool{}
	for _, g := range s.Generations {
		keep[genKey(g.N, "")] = true
	}
	keys, err := p.bucket.List(ctx, genDir)
	if err != nil {
		return err
	}
	for _, key := range keys {
		dir, name, _ := strings.Cut(key[len(genDir):], "/")
		if keep[genDir+dir+"/"] && name != planFile && name != progressFile {
			continue
		}
		if err := p.bucket.Delete(ctx, key); err != nil {
			return err
		}
	}
	return nil
}
