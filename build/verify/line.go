package verify

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Bounds of the doubt in the own connection.
const (
	// lineAsked is how many other hosts, those that answered last, are asked before a silent one is said to fail, each for
	// lineWait at most, and lineEvery how often. Who knows fewer cannot tell, and believes the failure.
	lineAsked = 3
	lineWait  = 10 * time.Second
	lineEvery = 30 * time.Second
	// lineNever is how many hosts are silent before a register that never reached anybody doubts its connection.
	lineNever = 10
	// lineRetry is after how long a source is asked anew whose failure was withheld; it may take twice as long.
	lineRetry = 5 * time.Minute
)

// line is what a process knows of its own connection to the world: a register that lost it must not say that all
// sources fail. Where a host is silent and nobody answered since, the hosts that answered last are asked once more.
type line struct {
	mu sync.Mutex
	// answered are targets on the hosts that answered last, one of each, latest last; heardAt is when that one did.
	answered []Target
	heardAt  time.Time
	// recalled tells that those were looked up in the store, silent are the hosts of a process that has heard nobody.
	recalled bool
	silent   map[string]bool
	// down tells that nobody did who was asked at askedAt.
	down    bool
	askedAt time.Time

	// asking has room for who asks.
	asking chan struct{}
}

// heard notes that a target answered, and tells whether nobody did before.
func (l *line) heard(t Target, now time.Time) (back bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	back, l.down, l.heardAt, l.silent = l.down, false, now, nil
	l.answered = slices.DeleteFunc(l.answered, func(x Target) bool { return x.Host == t.Host })
	l.answered = append(l.answered[max(0, len(l.answered)-lineAsked):], t)
	return back
}

// quiet notes that a host was silent, as many as there have to be.
func (l *line) quiet(host string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.heardAt.IsZero() || len(l.silent) == lineNever {
		return
	}
	if l.silent == nil {
		l.silent = map[string]bool{}
	}
	l.silent[host] = true
}

// heardSince tells whether anybody answered since then.
func (l *line) heardSince(at time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.heardAt.IsZero() && !l.heardAt.Before(at)
}

// lineDown tells whether nobody can be reached from here, where a host was silent at two times.
func (r *Runner) lineDown(ctx context.Context, host string, first time.Time) bool {
	l := &r.Prober.line
	if l.heardSince(first) {
		return false
	}
	select {
	case l.asking <- struct{}{}:
		defer func() { <-l.asking }()
	case <-ctx.Done():
		return true // nothing was found out
	}
	if at, down := l.asked(); !at.IsZero() && !past(at, r.now(), lineEvery) {
		return down
	}
	down := !r.someoneAnswers(ctx, host)
	if ctx.Err() != nil {
		return true
	}
	if began := l.tell(down, r.now()); began && r.Log != nil {
		r.Log.Error("no host answers, nor do those that answered last: is this machine cut off? Failures do not count until one answers")
	}
	return down
}

func (l *line) asked() (at time.Time, down bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.askedAt, l.down
}

// tell notes what came of asking, and tells whether the line went down.
func (l *line) tell(down bool, at time.Time) (began bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	began = down && !l.down
	l.down, l.askedAt = down, at
	return began
}

// hear notes that a target answered.
func (r *Runner) hear(t Target) {
	if back := r.Prober.line.heard(t, r.now()); back && r.Log != nil {
		r.Log.Info("hosts answer again; failures count")
	}
}

// someoneAnswers asks the other hosts that answered last. Where too few are known the answer is yes, unless
// many hosts were asked and none ever answered.
func (r *Runner) someoneAnswers(ctx context.Context, host string) bool {
	known := r.answered(ctx)
	others := slices.DeleteFunc(known, func(t Target) bool { return t.Host == host })
	if len(others) < lineAsked {
		return len(known) > 0 || !r.Prober.line.never()
	}
	for _, t := range slices.Backward(others[len(others)-lineAsked:]) {
		if r.Prober.reaches(ctx, t) {
			r.hear(t)
			return true
		}
	}
	return false
}

// reaches tells whether the host of a target takes a connection: it is asked for the head of its front page.
func (p *Prober) reaches(ctx context.Context, t Target) bool {
	front, err := url.Parse(t.URL)
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, lineWait)
	defer cancel()
	v := &visit{ctx: ctx, next: p.client.Transport, gates: p.gates, limit: headBytes}
	ask, err := newRequest(ctx, Target{Kind: KindHTTP, Host: t.Host, URL: (&url.URL{Scheme: front.Scheme, Host: front.Host, Path: "/"}).String()}, http.MethodHead)
	if err != nil {
		return false
	}
	if answer, err := v.RoundTrip(ask); err == nil {
		answer.Body.Close()
	}
	return v.reached()
}

// never tells whether nobody of the many that were asked ever answered.
func (l *line) never() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.silent) == lineNever
}

// answered are the sources that answered last; a process that has seen none asks the store.
func (r *Runner) answered(ctx context.Context) []Target {
	l := &r.Prober.line
	l.mu.Lock()
	known, recalled := slices.Clone(l.answered), l.recalled
	l.mu.Unlock()
	if len(known) > 0 || recalled {
		return known
	}
	known, err := r.recall(ctx)
	if err != nil {
		if r.Log != nil && ctx.Err() == nil {
			r.Log.Warn("who answered last is not known", "error", err)
		}
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.recalled = true
	if len(l.answered) == 0 {
		l.answered = known
	}
	return slices.Clone(l.answered)
}

// errEnough ends a scan.
var errEnough = errors.New("enough")

// recall looks up sources on different hosts that answered their last check.
func (r *Runner) recall(ctx context.Context) (list []Target, err error) {
	var ids []string
	err = r.Store.View(ctx, func(tx catalog.Tx) error {
		err := tx.CheckStates().Scan(ctx, catalog.Range{}, func(s *catalog.CheckState) error {
			if s.State == catalog.StateVerified && s.ConsecutiveFailures == 0 {
				ids = append(ids, s.EntryID)
			}
			if len(ids) == recallMost {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) || len(ids) == 0 {
			return err
		}
		entries, err := tx.Entries().Get(ctx, ids...)
		for i := range entries {
			t, ok := TargetOf(&entries[i])
			if ok && len(list) <= lineAsked && !slices.ContainsFunc(list, func(x Target) bool { return x.Host == t.Host }) {
				list = append(list, t)
			}
		}
		return err
	})
	return list, err
}

// recallMost is how many entries are read to find some on different hosts.
const recallMost = 100
