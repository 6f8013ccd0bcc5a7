package verify_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

func (b *bubble) pace() (p verify.Pace, err error) {
	err = b.st.View(b.Context(), func(tx catalog.Tx) (err error) {
		p, err = verify.ReadPace(b.Context(), tx)
		return err
	})
	return p, err
}

// TestPaceIsThatOfTheLastRun: a run of what is due notes how often it means to
// check; one of named entries does not.
func TestPaceIsThatOfTheLastRun(t *testing.T) {
	inBubble(t, func(b *bubble) {
		if p, err := b.pace(); err != nil || p != (verify.Pace{Cadence: verify.DefaultCadence, Gap: verify.DefaultGap}) {
			t.Errorf("before the first run: %+v, %v", p, err)
		}
		b.r.Cadence = 3 * time.Hour
		b.run(verify.Selection{Entries: []string{b.first(healthy)}})
		if p, err := b.pace(); err != nil || p.Cadence != verify.DefaultCadence {
			t.Errorf("after a run of one entry: %+v, %v", p, err)
		}
		b.run(verify.Selection{})
		want := verify.Pace{Cadence: 3 * time.Hour, Gap: b.r.Prober.Gap()}
		if p, err := b.pace(); err != nil || p != want {
			t.Errorf("after a run: %+v, %v", p, err)
		}
		for _, broken := range []string{"6h", `{}`, `{"cadence":-1,"gap":1}`} {
			err := b.st.Update(b.Context(), func(tx catalog.Tx) error { return tx.Meta().Set(context.Background(), "verify.pace", broken) })
			if err != nil {
				t.Fatal(err)
			}
			if p, err := b.pace(); broken != `{}` && !errors.Is(err, catalog.ErrInvalid) || broken == `{}` && (err != nil || p.Cadence != verify.DefaultCadence) {
				t.Errorf("%s gives %+v, %v", broken, p, err)
			}
		}
	})
}
