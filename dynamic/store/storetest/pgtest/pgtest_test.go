package pgtest

import (
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/store/postgres"
	"github.com/assay-register/assay/render/catalog"
)

func TestMain(m *testing.M) { Main(m) }

func TestNewURLGivesEachTestItsDatabase(t *testing.T) {
	a, b := NewURL(t), NewURL(t)
	if a == b {
		t.Errorf("both are %s", a)
	}
	if !strings.HasPrefix(a, "postgres:///test") {
		t.Errorf("URL %s", a)
	}
}

// TestNewStoreURLGivesEachTestItsStore writes to one store and reads another.
func TestNewStoreURLGivesEachTestItsStore(t *testing.T) {
	ctx := t.Context()
	for _, want := range []string{"first", "second"} {
		s, err := postgres.Open(ctx, NewStoreURL(t))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		err = s.Update(ctx, func(tx catalog.Tx) error {
			if had, err := tx.Meta().Get(ctx, "test"); err != nil || had != "" {
				t.Errorf("a new store has %q, %v", had, err)
			}
			return tx.Meta().Set(ctx, "test", want)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
