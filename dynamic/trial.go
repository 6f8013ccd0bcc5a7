package dynamic

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// trialEvery is how long a write that succeeded is believed, so that whoever
// asks for the health of the service does not keep the disk busy.
const trialEvery = 10 * time.Second

// The name and the size in bytes of what is written: more than a submission with
// its index pages, so that a store without room for one is found out.
const (
	trialKey  = "service.trial"
	trialSize = 256 << 10
)

// trialText is no text that a database could store in less room.
var trialText = sync.OnceValue(func() string {
	random := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, trialSize)
	for i := range text {
		text[i] = byte('!' + random.IntN('~'-'!'))
	}
	return string(text)
})

// trial finds out whether the store takes writes, by writing. It is safe for
// concurrent use.
type trial struct {
	store catalog.Store
	now   func() time.Time
	mu    sync.Mutex
	// good is when a write last succeeded.
	good time.Time
}

// write stores something and takes it away again, unless that has just
// succeeded.
func (t *trial) write(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := t.now(); !t.good.IsZero() && now.Sub(t.good) < trialEvery {
		return nil
	}
	for _, value := range []string{trialText(), ""} {
		err := t.store.Update(ctx, func(tx catalog.Tx) error { return tx.Meta().Set(ctx, trialKey, value) })
		if err != nil {
			return err
		}
	}
	t.good = t.now()
	return nil
}
