package wire

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
)

func TestManifestSum(t *testing.T) {
	sum, other := sha256.Sum256([]byte("x")), sha256.Sum256([]byte("y"))
	for body, want := range map[string][sha256.Size]byte{
		fmt.Sprintf(`{"a":1,"manifest":{"answer_sha256":"%x","live":false}}`, sum):          sum,
		fmt.Sprintf(`{"answer_sha256":"%x","manifest":{"answer_sha256":"%x"}}`, other, sum): sum,
		`{"answer_sha256":"short"}`: {}, `{"answer_sha256":"` + strings.Repeat("z", 64) + `"}`: {}, `{}`: {}, "": {},
	} {
		if got := ManifestSum([]byte(body)); got != want {
			t.Errorf("%s: %x", body, got)
		}
	}
}
