package pages

import (
	"bytes"
	"testing"
)

// The name of a file of strings is in every page, so its bytes must not depend
// on the order of a map.
func TestStringsInPlaceAreTheSameEachTime(t *testing.T) {
	for _, code := range languages[1:] {
		first := inPlace(code)
		for range 20 {
			if !bytes.Equal(inPlace(code), first) {
				t.Fatalf("%s: the strings differ from one call to the next", code)
			}
		}
	}
}
