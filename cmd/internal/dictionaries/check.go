package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/assay-register/assay/render/pack"
)

// staleAt is how much larger the frames of a kind may be than with new dictionaries:
// pages have changed so much then that the form deserves its next version.
const staleAt = 1.3

// check tells what the dictionaries in the repository make of the samples beside what new
// ones would.
func check(out io.Writer, all samples, made map[pack.Kind][]byte) error {
	var stale error
	for k, dictionary := range made {
		now, anew := pack.Packed(k, nil, slices.Concat(all[k][:]...)), pack.Packed(k, dictionary, slices.Concat(all[k][:]...))
		ratio := float64(now) / float64(anew)
		fmt.Fprintf(out, "%-10s %9d bytes, %9d with a new dictionary (%.2f times)\n", k, now, anew, ratio)
		if ratio > staleAt {
			stale = fmt.Errorf("the dictionary %s is stale: go generate ./render/pack, and change the magic word", k)
		}
	}
	return stale
}
