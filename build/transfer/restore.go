package transfer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"

	"github.com/assay-register/assay/render/catalog"
)

// markKey is the name under which the store remembers an unfinished restore.
const markKey = "import.restore"

var (
	// ErrOtherRestore says that the restore of another file was interrupted in
	// this store.
	ErrOtherRestore = errors.New("the store holds the unfinished restore of another file: import that file again, or begin with an empty store")
	// ErrFormat says that the file is of a format this version cannot read.
	ErrFormat = errors.New("unknown format of the register file")
)

// mark is what the store remembers of an unfinished restore. It is written in
// the transaction of each batch.
type mark struct {
	// Head is the hash of the first line.
	Head string `json:"head"`
	// Line is the number of the last line that was stored, Sum the hash of all
	// lines up to it.
	Line int    `json:"line"`
	Sum  string `json:"sum"`
}

// restore is the state of a restore.
type restore struct {
	head string
	sum  hash.Hash
	// line is the number of the last line in sum.
	line int
	// resumed is the last line that an interrupted run has stored, wanted the
	// hash of the lines up to it.
	resumed int
	wanted  string
}

// choose decides on the mode: the result is nil for a merge.
func choose(ctx context.Context, st catalog.Store, head []byte) (*restore, error) {
	rec, bad := parse(head)
	header := bad == nil && rec.Kind == kindRegister
	if header && rec.Register.Format != Format {
		return nil, fmt.Errorf("format %d: %w", rec.Register.Format, ErrFormat)
	}
	var value string
	empty := false
	err := st.View(ctx, func(tx catalog.Tx) error {
		var err error
		if value, err = tx.Meta().Get(ctx, markKey); err != nil {
			return err
		}
		empty, err = isEmpty(ctx, tx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look at the store: %w", err)
	}
	r := &restore{head: digest(head), sum: sha256.New()}
	switch {
	case value == "" && header && empty:
		return r, nil
	case value == "":
		return nil, nil
	}
	var m mark
	if err := json.Unmarshal([]byte(value), &m); err != nil {
		return nil, fmt.Errorf("read the mark of the unfinished restore: %w", err)
	}
	if m.Head != r.head {
		return nil, ErrOtherRestore
	}
	r.resumed, r.wanted = m.Line, m.Sum
	return r, nil
}

func isEmpty(ctx context.Context, tx catalog.Tx) (bool, error) {
	last, err := tx.Events().Last(ctx)
	if err != nil || last > 0 {
		return false, err
	}
	errFound := errors.New("found")
	err = tx.Entries().Scan(ctx, catalog.Range{}, func(*catalog.Entry) error { return errFound })
	if errors.Is(err, errFound) {
		return false, nil
	}
	return err == nil, err
}

func digest(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// pass takes a line into the hash. At the line where the interrupted run ended
// the hash must be that run's. A line that could not be read does not count.
func (r *restore) pass(l *parsed) error {
	if l.raw == nil {
		return nil
	}
	r.sum.Write(l.raw)
	r.sum.Write([]byte{'\n'})
	r.line = l.number
	if l.number == r.resumed && r.hash() != r.wanted {
		return ErrOtherRestore
	}
	return nil
}

func (r *restore) hash() string { return hex.EncodeToString(r.sum.Sum(nil)) }

// mark remembers that all lines that passed so far are stored.
func (r *restore) mark(ctx context.Context, tx catalog.Tx) error {
	doc, err := json.Marshal(mark{Head: r.head, Line: r.line, Sum: r.hash()})
	if err != nil {
		return fmt.Errorf("mark the restore: %w", err)
	}
	return tx.Meta().Set(ctx, markKey, string(doc))
}

// done forgets the restore: it is complete.
func (r *restore) done(ctx context.Context, st catalog.Store) error {
	return st.Update(ctx, func(tx catalog.Tx) error { return tx.Meta().Set(ctx, markKey, "") })
}
