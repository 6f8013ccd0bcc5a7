package verify

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Bounds of a run.
const (
	// DefaultConcurrency is how many hosts are asked at the same time.
	DefaultConcurrency = 256
	// sessionTime is how long one lease of a host is used; a long queue is
	// taken up again in the next lease.
	sessionTime = time.Minute
	// targetsEach is how many entries are read for each leased host, targetsDown
	// where none was reached the last time, which mostly ends with the first of
	// them; dueEach is how many of its due probes: when a host is down, all of
	// them are.
	targetsEach, targetsDown = 60, 2
	// targetsAtOnce is how many of these entries are in memory at a time: some
	// take a megabyte.
	targetsAtOnce = 100
	dueEach       = 1000
	// leaseAtOnce is how many hosts are leased in one transaction; while others
	// are asked, none are leased before a leaseShare-th of the slots is free.
	leaseAtOnce = 1000
	leaseShare  = 8
	// MemoryLimit is the soft limit in bytes of the memory that Go manages with
	// which 5,000 probes in flight stay below 400 MiB in all.
	MemoryLimit = 224 << 20
	// planEvery is how often a run looks for changed entries: one that was just
	// approved is soon probed. To find none takes two small reads.
	planEvery = 5 * time.Second
	// rewindEvery is how often a run looks for what a clock that ran ahead wrote.
	rewindEvery = 10 * time.Minute
	// idleTime is how long a run rests before it looks for due probes again.
	idleTime = time.Second
)

// Runner checks what is due. Several runners, in one or in several processes,
// share the work of a store.
type Runner struct {
	Store  catalog.Store
	Prober *Prober
	// Worker tells the processes apart that share a store. Each lease has a name of its own
	// behind it: what one found out after it ended is not stored with the next.
	Worker string
	// Cadence is how often an entry is checked, Confirm the pause before a
	// failure is confirmed; 0 is the default. A negative Confirm counts a
	// failure at once.
	Cadence, Confirm time.Duration
	// Concurrency is how many hosts are asked at the same time; 0 is
	// DefaultConcurrency.
	Concurrency int
	// Session is how long one lease of a host is used before the host is given
	// back; 0 is a minute.
	Session time.Duration
	// Idle is how long a run rests when nothing is due; 0 is a second.
	Idle time.Duration
	// Clock tells the time; nil is the real one.
	Clock func() time.Time
	// Log gets a line for each round of probes; nil for none.
	Log *slog.Logger
	// Progress is called after each stored batch; it may be nil.
	Progress func(Progress)
	// Surveyor takes a closer look at sources that answer, every SurveyEvery; nil
	// takes none.
	Surveyor    Surveyor
	SurveyEvery time.Duration
	// Explain is called for each probe that was stored; it may be nil.
	Explain func(*Explained)
}

// Selection says what a run checks.
type Selection struct {
	// Entries are the ids of the only entries to be checked, due or not.
	Entries []string
	// All makes every entry due.
	All bool
	// Forever goes on until the context ends; otherwise the run ends when
	// what was due at its beginning has been checked.
	Forever bool
}

// Progress is how far a run is.
type Progress struct {
	// Total is how many entries the run is to check, 0 when it goes on for
	// ever; Checked how many of them have been checked, or, for ever, how many
	// checks were made.
	Total   int `json:"entries"`
	Checked int `json:"checked"`
}

func (r *Runner) now() time.Time {
	if r.Clock == nil {
		return time.Now().UTC()
	}
	return r.Clock().UTC()
}

func (r *Runner) cadence() time.Duration { return cmp.Or(r.Cadence, DefaultCadence) }
func (r *Runner) confirm() time.Duration { return cmp.Or(r.Confirm, DefaultConfirm) }
func (r *Runner) idle() time.Duration    { return cmp.Or(r.Idle, idleTime) }
func (r *Runner) slots() int             { return cmp.Or(r.Concurrency, DefaultConcurrency) }

func (r *Runner) session() time.Duration { return cmp.Or(r.Session, sessionTime) }

// Lease is how long a host is held without a sign of life: a session, the
// probe and the closer look with which it ends, and as much time again to store
// what was found.
func (r *Runner) Lease() time.Duration {
	d := 2*r.session() + r.Prober.Longest()
	if r.Surveyor != nil {
		d += surveyWait + SurveyTime
	}
	return d
}

// leases counts those of this process.
var leases atomic.Int64

// work is a run under way.
type work struct {
	*Runner
	only *choice
	book *book
	// free holds a token for each host that may be asked besides.
	free chan struct{}
	// wake tells that a host was given back.
	wake chan struct{}
	// more tells that the last lease left hosts that may be due.
	more atomic.Bool
	// surveys holds a token for each closer look under way, waiting one for
	// each session that waits for its turn.
	surveys, waiting chan struct{}
	sessions         sync.WaitGroup
}

// Run checks what the selection says and reports what came of it. It returns
// when that is done, or when the context ends; what is under way then is given
// back and not recorded.
func (r *Runner) Run(ctx context.Context, sel Selection) (*Summary, error) {
	if err := Plan(ctx, r.Store); err != nil {
		return nil, err
	}
	if err := r.rewind(ctx, sel); err != nil {
		return nil, err
	}
	if err := r.keepPace(ctx, sel); err != nil {
		return nil, err
	}
	only, err := choose(ctx, r.Store, sel, r.now())
	if err != nil {
		return nil, err
	}
	defer r.Prober.wanted.add(only.hosts)()
	w := &work{Runner: r, only: only, free: make(chan struct{}, r.slots()), wake: make(chan struct{}, 1),
		surveys: make(chan struct{}, surveysAtOnce), waiting: make(chan struct{}, r.slots()/surveyShare)}
	w.book = newBook(r, only, w.nudge)
	err = w.loop(ctx)
	w.sessions.Wait()
	sum, failed := w.book.close()
	sum.Selected = only.total
	if failed != nil {
		err = failed
	}
	if err == nil {
		err = sum.addHosts(context.WithoutCancel(ctx), r)
	}
	return sum, err
}

func (w *work) loop(ctx context.Context) error {
	looked, rewound := w.now(), w.now()
	for ctx.Err() == nil && w.book.err() == nil {
		now := w.now()
		if past(looked, now, planEvery) {
			if err := Plan(ctx, w.Store); err != nil {
				return ignoreEnd(ctx, err)
			}
			looked = now
		}
		if w.only.forever && past(rewound, now, rewindEvery) {
			if err := w.rewind(ctx, Selection{}); err != nil {
				return err
			}
			rewound = now
		}
		n, err := w.lease(ctx)
		if err != nil {
			return err
		}
		if n > 0 && w.more.Load() {
			continue
		}
		if len(w.free) == 0 && w.book.idle() {
			ended, err := w.only.ended(ctx, w.Store)
			if err != nil || ended {
				return ignoreEnd(ctx, err)
			}
		}
		w.pause(ctx)
	}
	if err := w.book.err(); err != nil {
		return err
	}
	return nil
}

// lease takes as many hosts as there are free slots and starts a session for
// each.
func (w *work) lease(ctx context.Context) (int, error) {
	if !w.only.forever && w.only.waiting() == 0 {
		return 0, nil // what falls due meanwhile is for another run, or this one never ends
	}
	busy := len(w.free)
	n := min(cap(w.free)-busy, leaseAtOnce)
	if n == 0 || busy > 0 && n < min(cap(w.free)/leaseShare, leaseAtOnce) {
		w.more.Store(true)
		return 0, nil
	}
	now := w.now()
	var list []catalog.HostLease
	err := w.Store.Update(ctx, func(tx catalog.Tx) (err error) {
		list, err = tx.Probes().Lease(ctx, catalog.LeaseRequest{Worker: fmt.Sprintf("%s/%d", w.Worker, leases.Add(1)), Now: now, Until: now.Add(w.Lease()),
			Hosts: n, Each: dueEach, Among: w.only.hosts})
		return err
	})
	if err != nil {
		return 0, ignoreEnd(ctx, fmt.Errorf("lease hosts: %w", err))
	}
	w.more.Store(len(list) == n)
	agendas, err := w.agendas(ctx, list)
	if err != nil {
		return 0, ignoreEnd(ctx, err)
	}
	for i := range list {
		w.free <- struct{}{}
		l := &list[i]
		w.sessions.Go(func() {
			defer func() { <-w.free }()
			w.visitHost(ctx, l, agendas[l.Host])
		})
	}
	return len(list), nil
}

// agenda is what a session begins with.
type agenda struct {
	targets []Target
	// gone are due entries that cannot be probed on this host any more; the
	// next Plan moves them or takes them out.
	gone []departed
}

// departed is an entry that cannot be probed on a host any more, since an instant.
type departed struct {
	id   string
	left time.Time
}

// agendas reads the entries that the sessions begin with.
func (w *work) agendas(ctx context.Context, list []catalog.HostLease) (map[string]*agenda, error) {
	var ids []string
	hosts, place, out := map[string]string{}, map[string]int{}, map[string]*agenda{}
	for i := range list {
		first, most := len(ids), targetsEach
		if !list[i].DownSince.IsZero() {
			most = targetsDown
		}
		out[list[i].Host] = &agenda{}
		for _, p := range list[i].Due {
			if len(ids)-first < most && w.only.wants(p.EntryID) {
				place[p.EntryID], hosts[p.EntryID] = len(ids), p.Host
				ids = append(ids, p.EntryID)
			}
		}
	}
	for part := range slices.Chunk(ids, targetsAtOnce) {
		var entries []catalog.Entry
		err := w.Store.View(ctx, func(tx catalog.Tx) (err error) {
			entries, err = tx.Entries().Get(ctx, part...)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("read %d entries to be checked: %w", len(ids), err)
		}
		for i := range entries {
			e := &entries[i]
			a := out[hosts[e.ID]]
			if t, _ := TargetOf(e); planned(e).Host == hosts[e.ID] {
				a.targets = append(a.targets, t.kept(hosts[e.ID]))
			} else {
				a.gone = append(a.gone, departed{e.ID, e.UpdatedAt})
			}
		}
	}
	for _, a := range out {
		sortBy(a.targets, func(t *Target) int { return place[t.EntryID] })
	}
	return out, nil
}

// nudge wakes the loop when that may find more: a run for ever that leased all
// that was due looks again after its rest, as the hosts that were given back
// have to be left alone first.
func (w *work) nudge() {
	if w.only.forever && !w.more.Load() {
		return
	}
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *work) pause(ctx context.Context) {
	t := time.NewTimer(w.idle())
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-w.wake:
	case <-t.C:
	}
}

// ignoreEnd forgets an error that comes of the end of the run.
func ignoreEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil //nolint:nilerr // the run was told to end
	}
	return err
}
