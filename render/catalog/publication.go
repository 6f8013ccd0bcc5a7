package catalog

import (
	"crypto/sha256"
	"encoding/binary"
	"time"
)

// PublicationDelay draws the delay between the approval of an entry and its
// publication from the window, in whole seconds, seeded by the id, so that it
// is the same wherever it is drawn (decisions §4). A window below a second is
// none.
func PublicationDelay(id string, window time.Duration) time.Duration {
	if window < time.Second {
		return 0
	}
	sum := sha256.Sum256([]byte("publish|" + id))
	return time.Duration(binary.BigEndian.Uint64(sum[:8])%uint64(window/time.Second)) * time.Second
}
