package check

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
)

// shown is what a site says of an entry that its log must say, too.
type shown struct {
	state string
	mqa   float64
	// verdict is a hash of all that lists repeat of it, 0 before it is known.
	verdict uint64
}

// noteShown notes what the JSON of an entry shows, and holds it to what lists said of it before.
func (c *checker) noteShown(l *wire.RouteLine, body []byte) {
	var v verdict
	if json.Unmarshal(body, &v) != nil || v.ID == "" {
		return
	}
	said := shown{state: v.State}
	if v.MQA != nil {
		said.mqa = *v.MQA
	}
	c.shown[v.ID] = said
	c.remember(len(v.ID) + len(v.State) + 16)
	if c.repeats(l) {
		c.noteVerdict(l.Route, &v)
	}
}

const checkpointRoute = translog.Prefix + translog.CheckpointFile

// checkLog holds the log of verdicts to its signed root, the site to what the log says, and
// the log to that of the earlier site, nil for none.
func (c *checker) checkLog(ctx context.Context, before output.Pages, keys []note.Verifier) {
	fetch := output.Log(ctx, c.pages)
	signed, err := fetch(translog.CheckpointFile)
	if errors.Is(err, fs.ErrNotExist) {
		c.noLog(ctx, before, keys)
		return
	}
	if err != nil {
		c.report.fault(checkpointRoute, "cannot be read: %v", err)
		return
	}
	present, err := translog.Unsigned(signed)
	if err != nil {
		c.report.fault(checkpointRoute, "%v", err)
		return
	}
	r := &logReader{c: c, entries: map[string]standing{}}
	if err := r.leaves(ctx, fetch, present.N); err != nil {
		c.report.fault(checkpointRoute, "%v", err)
		return
	}
	c.report.Leaves = present.N
	if tree := r.tree.Tree(); tree.Hash != present.Hash {
		c.report.fault(checkpointRoute, "the %d leaves do not make the root that is signed: a leaf was changed, or the checkpoint is of another log", present.N)
	}
	c.checkSignature(signed, keys, r.keys)
	if before != nil {
		c.checkContinues(ctx, before, fetch, present)
	}
	r.snapshot(ctx)
	r.compare()
	all := distinct(slices.Concat(keys, r.verifiers()))
	c.checkKeys(ctx, r.keys)
	c.checkSums(ctx, all)
	c.checkProofs(ctx, all)
}

// noLog is for a site without a log: one that had one, or ought to have one, lost it.
func (c *checker) noLog(ctx context.Context, before output.Pages, keys []note.Verifier) {
	had := len(keys) > 0
	if before != nil {
		_, err := output.Log(ctx, before)(translog.CheckpointFile)
		had = had || err == nil
	}
	if had {
		c.report.fault(checkpointRoute, "the site has no log of verdicts, though it had one")
	}
}

func (c *checker) checkContinues(ctx context.Context, before output.Pages, fetch translog.Fetch, present *translog.Checkpoint) {
	signed, err := output.Log(ctx, before)(translog.CheckpointFile)
	if err != nil {
		return // it had none
	}
	earlier, err := translog.Unsigned(signed)
	if err == nil && earlier.Origin != present.Origin {
		err = fmt.Errorf("the log was %s, and is %s", earlier.Origin, present.Origin)
	}
	if err == nil {
		err = translog.Consistent(fetch, earlier.Tree, present.Tree)
	}
	if err != nil {
		c.report.fault(checkpointRoute, "%v", err)
	}
}

// logReader goes through a log.
type logReader struct {
	c    *checker
	tree translog.Range
	keys []string
	// read are the tiles of the log as the site has them.
	read *translog.Tree
	// above are the hashes of the tiles of each level above the leaves that are not whole yet.
	above [][]tlog.Hash
	// event is the last one of the epoch.
	epoch int
	event int64
	head  *translog.Leaf
	// waiting are the leaves of events that the head does not show yet.
	waiting []*translog.Leaf
	entries map[string]standing
}

// standing is what a log says of an entry.
type standing struct {
	state string
	// mqa is the score that it named last, if scored.
	mqa    float64
	scored bool
	gone   bool
	// lost says that it left by a restore.
	lost bool
	// first and last are the events of its first and last leaf.
	first, last int64
}

// leavesMax bounds the log of a stranger: a leaf for each second of 30 years.
const leavesMax = 1 << 30

func (r *logReader) leaves(ctx context.Context, fetch translog.Fetch, size int64) error {
	if size > leavesMax {
		return fmt.Errorf("a log of %d leaves is far more than a register writes: nothing of it is read", size)
	}
	r.read = translog.NewTree(fetch, size)
	for n := int64(0); n*translog.Width < size; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		bundle, err := r.read.Bundle(n)
		if err != nil {
			return err
		}
		hashes := make([]tlog.Hash, 0, len(bundle))
		for i, b := range bundle {
			r.tree.Add(b)
			hashes = append(hashes, tlog.RecordHash(b))
			l, err := translog.DecodeLeaf(b)
			if err != nil {
				r.c.report.fault(bundleRoute(n, len(bundle)), "leaf %d: %v", n*translog.Width+int64(i), err)
				continue
			}
			r.leaf(n*translog.Width+int64(i), l)
		}
		r.tile(0, n, hashes)
		if err := r.c.crowded(); err != nil {
			return err
		}
	}
	r.lastTiles(size)
	return nil
}

func (r *logReader) leaf(index int64, l *translog.Leaf) {
	switch l.Type {
	case translog.KindHead:
		r.head = l
		r.settle(l.Event)
		return
	case translog.KindKey:
		if last := len(r.keys) - 1; last >= 0 && l.Evidence != translog.Fingerprint(r.keys[last]) {
			r.c.report.fault(checkpointRoute, "leaf %d names a key that does not follow the one before", index)
		}
		r.keys = append(r.keys, l.Key)
		return
	case translog.KindPublished, translog.KindLost:
		r.waiting = append(r.waiting, l)
		return
	case translog.KindRestored:
		r.restored(l)
		return
	}
	if l.Epoch != r.epoch || l.Event <= r.event {
		r.c.report.fault(checkpointRoute, "leaf %d is of event %d, behind event %d: events were told twice, or out of their order", index, l.Event, r.event)
	}
	r.event = l.Event
	if l.Entry != "" {
		r.waiting = append(r.waiting, l)
	}
}

// settle takes over what the events up to one say; what came later is in no snapshot yet.
func (r *logReader) settle(through int64) {
	rest := r.waiting[:0]
	for _, l := range r.waiting {
		if l.Event > through && l.Epoch == r.epoch {
			rest = append(rest, l)
			continue
		}
		s, known := r.entries[l.Entry]
		if !known {
			r.c.remember(len(l.Entry))
		}
		if d, ok := l.Verdict["verification_state"]; ok {
			s.state, _ = d.To.(string)
		}
		if d, ok := l.Verdict["mqa_score"]; ok {
			s.mqa, s.scored = points(d.To)
		}
		if s.first == 0 {
			s.first = l.Event
		}
		s.last = l.Event
		if s.lost { // what is told of it after that says that the register has it again
			s.gone, s.lost = false, false
		}
		s.lost = l.Type == translog.KindLost
		s.gone = l.Type == "entry.removed" || l.Type == translog.KindLost || l.Type == "entry.merged" || l.Type == "entry.reopened" || s.gone && l.Type != "entry.unmerged" && l.Type != "entry.reactivated" && l.Type != "entry.created" && l.Type != translog.KindPublished
		r.entries[l.Entry] = s
	}
	r.waiting = rest
}

// restored takes back what a register forgot that was put back to an event: what came later is told
// again, or is not in it.
func (r *logReader) restored(l *translog.Leaf) {
	r.settle(l.Event)
	r.waiting = nil
	for id, s := range r.entries {
		if s.last > l.Event {
			s.state, s.scored, s.gone = "", false, s.gone || s.first > l.Event
		}
		s.last = 0 // events are counted anew
		if s.first > l.Event {
			s.first = 0
		}
		r.entries[id] = s
	}
	r.epoch, r.event = l.Epoch, l.Event
}

// points reads a score of a leaf.
func points(v any) (score float64, known bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	score, err := n.Float64()
	return score, err == nil
}

func (r *logReader) verifiers() (list []note.Verifier) {
	for _, k := range r.keys {
		v, err := translog.Verifiers(k)
		if err != nil {
			r.c.report.fault(checkpointRoute, "%v", err)
		}
		list = append(list, v...)
	}
	return list
}

// snapshot compares the site with the last snapshot of the log.
func (r *logReader) snapshot(ctx context.Context) {
	const route = "/snapshot.json"
	if r.head != nil && r.c.rules != nil && r.head.Rubric != r.c.rules.RubricVersion {
		r.c.report.fault(wire.RouteRules, "the rules are of version %s, the log says that the snapshot was scored by version %s", r.c.rules.RubricVersion, r.head.Rubric)
	}
	if r.head == nil || r.head.Subject != r.c.first.Snapshot {
		r.c.report.fault(route, "the snapshot %s is not the last one in the log: it was replayed, or never logged", r.c.first.Snapshot)
		return
	}
	b, err := readPage(ctx, r.c.pages, route, artifact.JSON, snapshotMax)
	if err != nil {
		r.c.report.fault(route, "cannot be read: %v", err)
		return
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != r.head.Evidence {
		r.c.report.fault(route, "has other bytes than the log binds")
	}
}

// compare holds what the site shows of entries to what the log says of them.
func (r *logReader) compare() {
	if r.head == nil {
		return
	}
	for id, s := range r.c.shown {
		route := "/api/v1/entries/" + id
		l, ok := r.entries[id]
		switch {
		case !ok:
			r.c.report.fault(route, "is not in the log")
		case l.gone:
			r.c.report.fault(route, "is shown, though the log says that it left the register")
		case l.state != "" && l.state != s.state:
			r.c.report.fault(route, "shows the state %s, the log says %s", s.state, l.state)
		case l.scored && math.Abs(l.mqa-s.mqa) >= 1: // by less no leaf is made
			r.c.report.fault(route, "shows the mqa_score %v, the log says %v", s.mqa, l.mqa)
		}
	}
	for id, l := range r.entries {
		if _, ok := r.c.shown[id]; !ok && !l.gone {
			r.c.report.fault("/api/v1/entries/"+id, "vanished: the log does not say that it left the register")
		}
	}
}

// checkProofs holds the proofs that lie beside the tiles to their own checkpoints.
func (c *checker) checkProofs(ctx context.Context, keys []note.Verifier) {
	root, ok := c.pages.(output.Dir)
	if !ok {
		return // a service makes them from the tiles
	}
	fetch := output.Log(ctx, root)
	for id := range c.shown {
		name := translog.EntryDir + "/" + id + ".json"
		b, err := fetch(name)
		if err == nil {
			err = checkProof(b, id, keys)
		}
		if err != nil {
			c.report.fault(translog.Prefix+name, "%v", err)
		}
	}
}

func checkProof(b []byte, id string, keys []note.Verifier) error {
	p, err := translog.DecodeProof(b)
	if err != nil {
		return err
	}
	for i := range p.Leaves {
		l, _, err := p.Leaves[i].Check(keys...)
		if err != nil {
			return err
		}
		if l.Entry != id {
			return fmt.Errorf("leaf %d is about another entry", p.Leaves[i].Index)
		}
	}
	return nil
}
