package translog

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Proof is what shows offline that leaves are in the log: the leaves about one entry, each
// with the path from its hash to the root of a checkpoint.
type Proof struct {
	// Entry is the id of the entry that the leaves are about.
	Entry  string      `json:"entry"`
	Leaves []Inclusion `json:"leaves"`
}

// Inclusion is one leaf with what proves it.
type Inclusion struct {
	// Index is the number of the leaf, counted from 0.
	Index int64 `json:"index"`
	// Leaf is the leaf, to the byte.
	Leaf string `json:"leaf"`
	// Path are the hashes beside the way to the root, base64, lowest first (RFC 6962 §2.1.1).
	Path []string `json:"path"`
	// Checkpoint is the signed note with that root.
	Checkpoint string `json:"checkpoint"`
}

// Prove makes the proof of a leaf in the tree of a checkpoint.
func Prove(t *Tree, index int64, signed []byte) (Inclusion, error) {
	c, err := Unsigned(signed)
	if err != nil {
		return Inclusion{}, err
	}
	leaf, err := t.Leaf(index)
	if err != nil {
		return Inclusion{}, err
	}
	path, err := tlog.ProveRecord(c.N, index, t)
	if err != nil {
		return Inclusion{}, err
	}
	in := Inclusion{Index: index, Leaf: string(leaf), Path: make([]string, len(path)), Checkpoint: string(signed)}
	for i, h := range path {
		in.Path[i] = base64.StdEncoding.EncodeToString(h[:])
	}
	return in, nil
}

// Check holds the leaf against its path and checkpoint, which one of the keys must have
// signed.
func (in *Inclusion) Check(keys ...note.Verifier) (*Leaf, *Checkpoint, error) {
	c, _, err := OpenCheckpoint([]byte(in.Checkpoint), keys...)
	if err != nil {
		return nil, nil, err
	}
	path := make(tlog.RecordProof, len(in.Path))
	for i, s := range in.Path {
		b, err := base64.StdEncoding.DecodeString(s)
		if err != nil || len(b) != tlog.HashSize {
			return nil, nil, fmt.Errorf("hash %d of the path of leaf %d is none", i, in.Index)
		}
		path[i] = tlog.Hash(b)
	}
	if in.Index < 0 || in.Index >= c.N {
		return nil, nil, fmt.Errorf("leaf %d is not below a checkpoint of %d leaves", in.Index, c.N)
	}
	if err := tlog.CheckRecord(path, c.N, c.Hash, in.Index, tlog.RecordHash([]byte(in.Leaf))); err != nil {
		return nil, nil, fmt.Errorf("leaf %d is not in the log of %d leaves whose root is signed: it was changed, or never logged", in.Index, c.N)
	}
	l, err := DecodeLeaf([]byte(in.Leaf))
	return l, c, err
}

// ProofMax bounds a proof that is read: some 60 leaves of an entry.
const ProofMax = 1 << 20

var errProof = errors.New("not a proof of this log")

// DecodeProof reads a proof.
func DecodeProof(b []byte) (*Proof, error) {
	var p Proof
	if len(b) > ProofMax {
		return nil, fmt.Errorf("%w: it has more than %d bytes", errProof, ProofMax)
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return nil, fmt.Errorf("%w: %w", errProof, err)
	}
	return &p, nil
}
