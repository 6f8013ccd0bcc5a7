// Package witness cosigns the checkpoints of a log (C2SP tlog-witness): it keeps what it
// saw last of each log, and signs a checkpoint only if that one is continued. A log whose
// checkpoints witnesses cosign cannot tell two stories to two readers.
package witness

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/translog"
)

// Witness looks after logs of others.
type Witness struct {
	// State is the folder with what was seen last of each log.
	State string
	// Private is the witness's own key.
	Private string
	Now     time.Time
}

// Seen is what a look at a log found.
type Seen struct {
	Origin      string
	Before, Now int64
	// Cosigned is the checkpoint with the signatures of log and witness.
	Cosigned []byte
}

// ErrContradiction says that a log told something else before. The evidence stays in the
// state: the checkpoint that was seen, and the one that contradicts it.
var ErrContradiction = errors.New("the log contradicts what this witness saw: keep both checkpoints and tell who relies on it")

// checkpoint is the route of what a witness looks at.
const checkpoint = translog.Prefix + translog.CheckpointFile

// Look fetches the checkpoint of a log, holds it to the one that was seen last, keeps it and
// cosigns it. The keys are those that sign the log; none are needed for one that was seen
// before, whose keys the witness keeps.
func (w *Witness) Look(fetch translog.Fetch, keys string) (*Seen, error) {
	unlock, err := output.Lock(w.State)
	if err != nil {
		return nil, err
	}
	defer unlock()
	signed, err := fetch(translog.CheckpointFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", checkpoint, err)
	}
	if len(signed) > translog.CheckpointMax {
		return nil, fmt.Errorf("%s: more than %d bytes", checkpoint, translog.CheckpointMax)
	}
	claimed, err := translog.Unsigned(signed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", checkpoint, err)
	}
	place := w.of(claimed.Origin)
	trusted, err := place.keys(keys)
	if err != nil {
		return nil, err
	}
	present, _, err := translog.OpenCheckpoint(signed, trusted...)
	if err != nil {
		return nil, fmt.Errorf("%s: is not signed by the key of %s that this witness knows: %w", checkpoint, claimed.Origin, err)
	}
	if keys != "" { // those that signed nothing here are no keys of this log
		if err := place.put("keys", []byte(keys+"\n")); err != nil {
			return nil, err
		}
	}
	before, err := place.before()
	if err != nil {
		return nil, err
	}
	if before != nil {
		if err := translog.Consistent(fetch, before.Tree, present.Tree); errors.Is(err, translog.ErrUnproven) {
			return nil, fmt.Errorf("%s: %w", checkpoint, err) // no contradiction yet: the next look may show more
		} else if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w, which lie in %s: %w", checkpoint, ErrContradiction, place, err), place.put("contradiction", signed))
		}
	}
	return w.sign(place, before, present, signed, trusted)
}

// sign keeps the checkpoint on the disk before anybody gets the signature (C2SP tlog-witness).
func (w *Witness) sign(place folder, before, present *translog.Checkpoint, signed []byte, trusted []note.Verifier) (*Seen, error) {
	if err := place.put("checkpoint", signed); err != nil {
		return nil, err
	}
	c, err := translog.NewCosigner(w.Private, w.Now)
	if err != nil {
		return nil, err
	}
	s := &Seen{Origin: present.Origin, Now: present.N}
	if before != nil {
		s.Before = before.N
	}
	if s.Cosigned, err = translog.Cosign(signed, c, trusted...); err != nil {
		return nil, err
	}
	return s, place.put("cosigned", s.Cosigned)
}

// folder is what is kept of one log.
type folder string

func (w *Witness) of(origin string) folder {
	topic := translog.TopicOf(origin)
	return folder(filepath.Join(w.State, hex.EncodeToString(topic[:])))
}

// put writes a file whole, and waits until it is on the disk.
func (f folder) put(name string, body []byte) error {
	if err := os.MkdirAll(string(f), 0o755); err != nil {
		return err
	}
	tmp := filepath.Join(string(f), name+".tmp")
	if err := os.WriteFile(tmp, body, 0o644); err != nil {
		return err
	}
	if err := output.Sync(string(f)); err != nil {
		return err
	}
	return errors.Join(os.Rename(tmp, filepath.Join(string(f), name)), output.Sync(string(f)))
}

// keys are those that were given, else those that are kept.
func (f folder) keys(given string) ([]note.Verifier, error) {
	if given == "" {
		kept, err := os.ReadFile(filepath.Join(string(f), "keys"))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, errors.New("--log-key: name the public key of a log that this witness has not seen yet")
		}
		if err != nil {
			return nil, err
		}
		return translog.Verifiers(string(kept))
	}
	return translog.Verifiers(given)
}

func (f folder) before() (*translog.Checkpoint, error) {
	b, err := os.ReadFile(filepath.Join(string(f), "checkpoint"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return translog.Unsigned(b) // it was verified when it was kept, perhaps by a key that has gone since
}
