package translog

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// Files with what a register signs beside its log.
const (
	// SumsFile has the sums of the present snapshot, signed; each snapshot file has its own
	// beside it.
	SumsFile = "SHA256SUMS"
	// KeysFile proves each key of the log by the one before it.
	KeysFile = "keys.json"
)

// SumsMax bounds signed sums that are read, in bytes.
const SumsMax = 1 << 20

// Sums binds files by their SHA-256, in the form that sha256sum(1) checks, below two lines
// with the name of the log and of the snapshot.
type Sums struct {
	Origin, Snapshot string
	Files            []Sum
}

// Sum is a file below the root of the site and its SHA-256, in hex.
type Sum struct{ SHA256, Name string }

const snapshotWord = "snapshot "

// Text is the note of the sums, unsigned.
func (s *Sums) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s%s\n", s.Origin, snapshotWord, s.Snapshot)
	for _, f := range s.Files {
		fmt.Fprintf(&b, "%s  %s\n", f.SHA256, f.Name)
	}
	return b.String()
}

// Sign makes the signed note.
func (s *Sums) Sign(keys ...Key) ([]byte, error) {
	signers := make([]note.Signer, len(keys))
	for i := range keys {
		signers[i] = keys[i]
	}
	return note.Sign(&note.Note{Text: s.Text()}, signers...)
}

var errSums = errors.New("not the signed sums of a snapshot: the name of the log, that of the snapshot and lines of sha256sum were expected")

// OpenSums reads signed sums that one of the keys must have signed.
func OpenSums(signed []byte, keys ...note.Verifier) (*Sums, error) {
	if len(signed) > SumsMax {
		return nil, fmt.Errorf("%w; it has more than %d bytes", errSums, SumsMax)
	}
	n, err := note.Open(signed, note.VerifierList(keys...))
	if err != nil {
		return nil, fmt.Errorf("the signature of the sums: %w", err)
	}
	lines := strings.Split(strings.TrimSuffix(n.Text, "\n"), "\n")
	if len(lines) < 2 || !strings.HasPrefix(lines[1], snapshotWord) {
		return nil, errSums
	}
	s := &Sums{Origin: lines[0], Snapshot: lines[1][len(snapshotWord):]}
	for _, l := range lines[2:] {
		sum, name, ok := strings.Cut(l, "  ")
		if raw, err := hex.DecodeString(sum); !ok || err != nil || len(raw) != 32 || name == "" {
			return nil, fmt.Errorf("%w; not %q", errSums, l)
		}
		s.Files = append(s.Files, Sum{sum, name})
	}
	return s, nil
}
