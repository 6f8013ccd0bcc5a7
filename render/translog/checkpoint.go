package translog

import (
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// CheckpointMax bounds the bytes of a checkpoint that is read.
const CheckpointMax = 64 << 10

// Checkpoint is what a log promises at a size (C2SP tlog-checkpoint).
type Checkpoint struct {
	// Origin names the log; it is the name of the key that began it.
	Origin string
	tlog.Tree
	// Events tells up to which event the log was written, and of which epoch.
	Events Cursor
}

// Cursor is the last event that the log has seen.
type Cursor struct {
	Epoch  int
	Number int64
	// Hash is the Evidence of that event, "" for none.
	Hash string
}

const cursorWord = "events"

// Text is the note of a checkpoint, unsigned.
func (c *Checkpoint) Text() string {
	text := fmt.Sprintf("%s\n%d\n%s\n", c.Origin, c.N, base64.StdEncoding.EncodeToString(c.Hash[:]))
	if c.Events != (Cursor{}) {
		text += strings.TrimRight(fmt.Sprintf("%s %d %d %s", cursorWord, c.Events.Epoch, c.Events.Number, c.Events.Hash), " ") + "\n"
	}
	return text
}

var errCheckpoint = errors.New("not a checkpoint of a log: three lines and their signatures were expected (C2SP tlog-checkpoint)")

var sizeForm = regexp.MustCompile(`^(0|[1-9][0-9]{0,17})$`)

// ParseCheckpoint reads the text of a note. Lines that it does not know are passed over.
func ParseCheckpoint(text string) (*Checkpoint, error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 || lines[0] == "" || !sizeForm.MatchString(lines[1]) {
		return nil, errCheckpoint
	}
	c := &Checkpoint{Origin: lines[0]}
	c.N, _ = strconv.ParseInt(lines[1], 10, 64)
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(root) != tlog.HashSize {
		return nil, errCheckpoint
	}
	c.Hash = tlog.Hash(root)
	for _, l := range lines[3:] {
		words := strings.Fields(l)
		if len(words) < 3 || words[0] != cursorWord {
			continue
		}
		c.Events.Epoch, err = strconv.Atoi(words[1])
		if err != nil {
			return nil, errCheckpoint
		}
		if c.Events.Number, err = strconv.ParseInt(words[2], 10, 64); err != nil {
			return nil, errCheckpoint
		}
		if len(words) > 3 {
			c.Events.Hash = words[3]
		}
	}
	return c, nil
}

// Sign makes the signed note of a checkpoint.
func (c *Checkpoint) Sign(signers ...note.Signer) ([]byte, error) {
	return note.Sign(&note.Note{Text: c.Text()}, signers...)
}

// OpenCheckpoint reads a signed note of which one of the keys must have signed, and says
// which did. A note that none of them signed is an error.
func OpenCheckpoint(signed []byte, keys ...note.Verifier) (*Checkpoint, []note.Signature, error) {
	n, err := note.Open(signed, note.VerifierList(keys...))
	if err != nil {
		return nil, nil, fmt.Errorf("the signature of the checkpoint: %w", err)
	}
	c, err := ParseCheckpoint(n.Text)
	if err != nil {
		return nil, nil, err
	}
	return c, slices.Clone(n.Sigs), nil
}

// Unsigned reads a signed note without looking who signed it.
func Unsigned(signed []byte) (*Checkpoint, error) {
	text, _, ok := strings.Cut(string(signed), "\n\n")
	if !ok {
		return nil, errCheckpoint
	}
	return ParseCheckpoint(text + "\n")
}
