package main

import (
	"bytes"
	"os"
	"testing"
)

// A dictionary has samples from the whole list, and never more than fits.
func TestChooseTakesFromAllOver(t *testing.T) {
	t.Parallel()
	var list [][]byte
	for i := range 200 {
		list = append(list, bytes.Repeat([]byte{byte(i)}, 100))
	}
	got := choose(list, 1000)
	if len(got) != 1000 || got[0] != 0 || got[999] < 170 {
		t.Errorf("%d bytes, from %d to %d", len(got), got[0], got[len(got)-1])
	}
	if got := choose([][]byte{make([]byte, 3*part)}, 10*part); len(got) != part {
		t.Errorf("one frame gives %d bytes", len(got))
	}
	if got := choose(list, 1<<20); len(got) != 20_000 {
		t.Errorf("%d bytes of 20,000 that fit", len(got))
	}
}

// It builds the sample register, which takes as long as that does.
func TestDictionariesAreFresh(t *testing.T) {
	if os.Getenv("ASSAY_SOAK") == "" {
		t.Skip("set ASSAY_SOAK=1 to build the sample register and compare")
	}
	if err := run(t.Context(), "check"); err != nil {
		t.Error(err)
	}
}
