package translog

import (
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"
)

var errChain = errors.New("the keys of the log do not follow one another")

// Chain holds a proof of the keys of a log to what it says: the first key signed the
// checkpoint that names it, each later one is in a checkpoint that the key before it
// signed. It returns the keys, the newest last.
func Chain(p *Proof) (keys []string, err error) {
	var before note.Verifier
	for i := range p.Leaves {
		in := &p.Leaves[i]
		named, err := DecodeLeaf([]byte(in.Leaf))
		if err != nil {
			return nil, err
		}
		if named.Type != KindKey {
			return nil, fmt.Errorf("%w: leaf %d names none", errChain, in.Index)
		}
		own, err := note.NewVerifier(named.Key)
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", named.Key, err)
		}
		if before == nil {
			before = own
		} else if named.Evidence != Fingerprint(keys[len(keys)-1]) {
			return nil, fmt.Errorf("%w: leaf %d names another one before it", errChain, in.Index)
		}
		if _, _, err := in.Check(before); err != nil {
			return nil, fmt.Errorf("%w: %w", errChain, err)
		}
		keys, before = append(keys, named.Key), own
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%w: there is none", errChain)
	}
	return keys, nil
}
