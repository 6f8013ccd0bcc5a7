package wire

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// ManifestSum reads the hash that the manifest at the end of a sealed body
// names; zero when there is none.
func ManifestSum(body []byte) (sum [sha256.Size]byte) {
	key := []byte(`"answer_sha256":"`)
	i := bytes.LastIndex(body, key)
	if i < 0 || len(body) < i+len(key)+2*sha256.Size {
		return sum
	}
	if _, err := hex.Decode(sum[:], body[i+len(key):i+len(key)+2*sha256.Size]); err != nil {
		return [sha256.Size]byte{}
	}
	return sum
}

// HasItsHash tells whether a sealed body has the hash that its manifest names: that of the
// body without the manifest, which is its last member.
func HasItsHash(body []byte) bool {
	i := bytes.LastIndex(body, []byte(`,"manifest":{`))
	if i < 0 {
		return false
	}
	sum := sha256.New()
	sum.Write(body[:i])
	sum.Write([]byte{'}'})
	want := ManifestSum(body)
	return bytes.Equal(sum.Sum(nil), want[:])
}
