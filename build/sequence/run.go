package sequence

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/translog"
)

// Options say how a log is written.
type Options struct {
	// Keys sign checkpoints, the newest last.
	Keys []translog.Key
	// Rubric is the version of the rules by which scores are made.
	Rubric string
	// Head is the snapshot that readers get, nil for none.
	Head *Head
	// Now is the instant of the run.
	Now time.Time
	// Seen is a file with the checkpoint that the key signed last, which the log must continue, where
	// backups of the register do not reach; "" for none.
	Seen string
	// Resume goes on with a register that was put back, and says so in the log.
	Resume bool
}

// Head is what the log says of a snapshot.
type Head struct {
	// Snapshot is its id, AsOf its time, Entries how many it shows.
	Snapshot string
	AsOf     time.Time
	Entries  int
	// Through is the number of the last event that it shows.
	Through int64
	// SHA256 is that of /snapshot.json, which names the digest of all artefacts; Content
	// is the digest of all routes.
	SHA256, Content string
	// Files are what is signed with the snapshot.
	Files []translog.Sum
	// Each calls fn for each entry that it shows; nil for none.
	Each func(fn func(id string, published time.Time) error) error
	// Lines calls fn for each of them with its slug and the Unix time of its publication; nil for none.
	Lines func(fn func(id, slug string, published int64)) error
}

// Report tells what a run did.
type Report struct {
	// Events is how many events were read, Leaves how many leaves were appended, Size how
	// many the log has.
	Events, Leaves int
	Size           int64
	// Lost is how many entries of the snapshot the register does not have any more: the next
	// build buries them.
	Lost int
	// Forgetful says why the checkpoint could not be kept beside the key, nil if it was.
	Forgetful error
}

// Errors of a log that was put back, or a register.
var (
	// ErrRestored says that the log tells of events that the store does not have, or has
	// otherwise.
	ErrRestored = errors.New("the register was put back to an earlier state than its log: nothing was signed, because the log would " +
		"contradict what it told before; put the register's latest state back, or, where that is lost for good, say with assay log resume that it goes on from here: " +
		"the next build then buries what was lost, with tombstones")
	// ErrKey says that the key that signed so far is not there to prove the next one.
	ErrKey = errors.New("the log was signed by another key, which must sign that this one follows: keep both in the key file (assay key rotate), the new one last")
	// ErrOlder says that the store knows of leaves that the folder lacks.
	ErrOlder = errors.New("the log is older than the register, which has signed more of it: nothing was signed, because two logs " +
		"would be told; put the latest files of its folder back, from a copy or from where the site was published to")
	// ErrForked says that the folder has another log than the one that the store knows to be signed.
	ErrForked = errors.New("the log is another one than the register signed: nothing was signed, because two logs " +
		"would be told; put its own files back, from a copy or from where the site was published to")
)

// Bounds of a batch: what is in memory before it is signed, and how many events are read at a time.
const (
	batchLeaves = 1 << 15
	readEvents  = 1000
)

// Run appends what has happened since the last run.
func Run(ctx context.Context, st catalog.Store, dir string, o Options) (r Report, err error) {
	f, err := Open(dir, o.Keys...)
	if err != nil {
		return r, err
	}
	defer f.Close()
	s := &sequencer{st: st, folder: f, opts: o}
	if f.last != nil {
		s.cursor = f.last.Events
	}
	if err := s.compare(ctx); err != nil {
		return r, err
	}
	if err := s.remembered(); err != nil {
		return r, err
	}
	if err := s.key(); err != nil {
		return r, err
	}
	if err := s.lost(ctx); err != nil {
		return r, err
	}
	if err := s.events(ctx); err != nil {
		return s.report, err
	}
	if err := s.head(); err != nil {
		return s.report, err
	}
	if err = s.flush(ctx); err == nil {
		err = s.folder.sums(o.Head)
	}
	s.report.Size = f.Size()
	return s.report, err
}

type sequencer struct {
	st     catalog.Store
	folder *Folder
	opts   Options
	cursor translog.Cursor
	// batch waits to be signed.
	batch  []leaf
	report Report
	// forgetful tells that there is no file yet with what was signed last.
	forgetful bool
}

// compare looks whether log and store tell one story.
func (s *sequencer) compare(ctx context.Context) error {
	signed, last, same, err := s.stored(ctx)
	if err != nil {
		return err
	}
	if err := s.continues(signed); err != nil {
		return err
	}
	if same {
		return nil
	}
	if !s.opts.Resume {
		if last >= s.cursor.Number {
			return fmt.Errorf("%w (event %d of the register is another one than the log knows: after it was put back, the register went on without its log)", ErrRestored, s.cursor.Number)
		}
		return fmt.Errorf("%w (the log knows event %d, the register ends with %d)", ErrRestored, s.cursor.Number, last)
	}
	s.cursor = translog.Cursor{Epoch: s.cursor.Epoch + 1, Number: last}
	return s.add(&translog.Leaf{Version: 1, Type: translog.KindRestored, At: instant(s.opts.Now), Epoch: s.cursor.Epoch, Event: last})
}

// stored reads what the store knows of the log, its last event, and whether the event at
// the cursor is the one that the log saw.
func (s *sequencer) stored(ctx context.Context) (signed known, last int64, same bool, err error) {
	err = s.st.View(ctx, func(tx catalog.Tx) error {
		text, err := tx.Meta().Get(ctx, metaSize)
		if err != nil {
			return err
		}
		if signed, err = parseKnown(text); err != nil {
			return err
		}
		if last, err = tx.Events().Last(ctx); err != nil || s.cursor.Number == 0 {
			same = true
			return err
		}
		list, err := tx.Events().After(ctx, s.cursor.Number-1, 1)
		if err != nil || len(list) == 0 || list[0].Number != s.cursor.Number {
			return err
		}
		sum, err := translog.Evidence(&list[0])
		same = s.cursor.Hash == "" || sum == s.cursor.Hash
		return err
	})
	return signed, last, same, err
}

// events makes leaves of the events behind the cursor.
func (s *sequencer) events(ctx context.Context) error {
	for {
		var list []catalog.Event
		var entries map[string]*catalog.Entry
		err := s.st.View(ctx, func(tx catalog.Tx) (err error) {
			if list, err = tx.Events().After(ctx, s.cursor.Number, readEvents); err != nil {
				return err
			}
			entries, err = catalog.EntriesOf(ctx, tx, list)
			return err
		})
		if err != nil {
			return err
		}
		for i := range list {
			if err := s.event(&list[i], entries[list[i].EntryID]); err != nil {
				return err
			}
		}
		if len(s.batch) >= batchLeaves {
			if err := s.flush(ctx); err != nil {
				return err
			}
		}
		if len(list) < readEvents {
			return nil
		}
	}
}

func (s *sequencer) event(e *catalog.Event, entry *catalog.Entry) error {
	l, ok, err := translog.Of(e, entry, s.cursor.Epoch, s.opts.Rubric)
	if err != nil {
		return err
	}
	if ok {
		if err := s.add(l); err != nil {
			return err
		}
	}
	s.report.Events++
	s.cursor.Number = e.Number
	s.cursor.Hash, err = translog.Evidence(e)
	return err
}

func (s *sequencer) add(l *translog.Leaf) error {
	b, err := l.Encode()
	if err != nil {
		return err
	}
	s.batch = append(s.batch, leaf{b, translog.TopicOf(l.About())})
	return nil
}

// key says which key signs, where the log does not know it yet. A new key is in a
// checkpoint that the key before it signed, or the log is not continued.
func (s *sequencer) key() error {
	last, err := s.folder.newest(translog.KindKey)
	if err != nil {
		return err
	}
	newest := s.opts.Keys[len(s.opts.Keys)-1]
	if last != nil && last.Key == newest.Public {
		return nil
	}
	l := &translog.Leaf{Version: 1, Type: translog.KindKey, At: instant(s.opts.Now), Epoch: s.cursor.Epoch, Key: newest.Public}
	if last != nil {
		l.Evidence = translog.Fingerprint(last.Key)
		if !slices.ContainsFunc(s.opts.Keys, func(k translog.Key) bool { return k.Public == last.Key }) {
			return fmt.Errorf("%w: %s", ErrKey, last.Key)
		}
	}
	return s.add(l)
}

// head appends the snapshot that readers get, if it is not the last one that the log names.
func (s *sequencer) head() error {
	h := s.opts.Head
	if h == nil {
		return nil
	}
	last, err := s.folder.newest(translog.KindHead)
	if err != nil || last != nil && last.Subject == h.Snapshot && last.Content == h.Content {
		return err
	}
	if err := s.published(h); err != nil {
		return err
	}
	return s.add(&translog.Leaf{Version: 1, Type: translog.KindHead, At: instant(h.AsOf), Epoch: s.cursor.Epoch, Event: h.Through, Subject: h.Snapshot,
		Evidence: h.SHA256, Content: h.Content, Entries: h.Entries, Rubric: s.opts.Rubric})
}

// flush signs the batch, and lets the store know how large the log is.
func (s *sequencer) flush(ctx context.Context) error {
	if len(s.batch) == 0 {
		if s.forgetful {
			s.remember()
		}
		return nil // the cursor is signed with the next leaf
	}
	if err := s.folder.append(s.batch, s.cursor); err != nil {
		return err
	}
	s.remember()
	s.forgetful = false
	s.report.Leaves += len(s.batch)
	s.batch = s.batch[:0]
	return s.st.Update(ctx, func(tx catalog.Tx) error {
		return tx.Meta().Set(ctx, metaSize, known{s.folder.last.Tree, s.folder.last.Origin}.String())
	})
}

// newest is the last leaf of a kind that is about no entry, nil for none.
func (f *Folder) newest(kind string) (*translog.Leaf, error) {
	numbers, err := f.index.Of(translog.TopicOf(kind))
	if err != nil || len(numbers) == 0 {
		return nil, err
	}
	b, err := f.tree().Leaf(numbers[len(numbers)-1])
	if err != nil {
		return nil, err
	}
	return translog.DecodeLeaf(b)
}

func instant(t time.Time) string {
	return t.UTC().Truncate(time.Millisecond).Format("2006-01-02T15:04:05.000Z")
}
