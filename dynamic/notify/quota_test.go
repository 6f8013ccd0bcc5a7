package notify

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// TestQuotasOfADay: a domain, the readers of one large provider and the register
// as a whole have quotas of their own; a mail above one waits for its turn, one
// to a mailbox that has its mails is not sent; a try counts once, and a service
// that restarts goes on counting.
func TestQuotasOfADay(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	now := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	n, stores := 0, []catalog.Store(nil)
	ask := func(email string) (ok bool, err error) {
		t.Helper()
		if n%97 == 0 { // another service, or the same after a restart
			st, openErr := sqlite.Open(t.Context(), path)
			if openErr != nil {
				t.Fatal(openErr)
			}
			t.Cleanup(func() { st.Close() })
			stores = append(stores, st)
		}
		n++
		job := fmt.Sprint("job", n)
		for range 2 {
			err = stores[n%len(stores)].Update(t.Context(), func(tx catalog.Tx) error {
				ok, err = admit(t.Context(), tx, email, job, now)
				return err
			})
		}
		return ok, err
	}
	count := func(most int, domain string) (sent int) {
		t.Helper()
		for k := range most + 5 {
			ok, err := ask(fmt.Sprintf("reader%d@%s", k, domain))
			switch {
			case ok && err == nil:
				sent++
			case ok || !errors.Is(err, errTurn):
				t.Fatalf("%s: %t, %v", domain, ok, err)
			}
		}
		return sent
	}
	if got := count(domainMax, "office.example"); got != domainMax {
		t.Errorf("%d mails to a domain", got)
	}
	if got := count(providerMax, "gmail.com"); got != providerMax {
		t.Errorf("%d mails to a provider", got)
	}
	for k := range mailboxMax + 2 {
		ok, err := ask(fmt.Sprintf("Ada+%d@other.example", k))
		if err != nil || ok != (k < mailboxMax) {
			t.Errorf("mail %d to a mailbox: %t, %v", k+1, ok, err)
		}
	}
	var rest []catalog.Tally
	for k := domainMax + providerMax + mailboxMax; k < allMax-1; k++ {
		rest = append(rest, catalog.Tally{Kind: tallyAll, ID: fmt.Sprint("rest", k), At: now})
	}
	if err := stores[0].Update(t.Context(), func(tx catalog.Tx) error { return tx.Tallies().Add(t.Context(), rest...) }); err != nil {
		t.Fatal(err)
	}
	if ok, err := ask("a@last.example"); !ok || err != nil {
		t.Errorf("the last mail of a day: %t, %v", ok, err)
	}
	if ok, err := ask("a@late.example"); ok || !errors.Is(err, errTurn) {
		t.Errorf("above all quotas: %t, %v", ok, err)
	}
	now = now.Add(confirmsIn + time.Second)
	if ok, err := ask("a@late.example"); !ok || err != nil {
		t.Errorf("a day later: %t, %v", ok, err)
	}
}
