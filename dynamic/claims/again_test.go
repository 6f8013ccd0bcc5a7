package claims

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// again is a store of which each transaction is done twice, as one of PostgreSQL that met another.
type again struct{ catalog.Store }

var errAgain = errors.New("the transaction met another one")

func (a again) Update(ctx context.Context, fn func(catalog.Tx) error) error {
	err := a.Store.Update(ctx, func(tx catalog.Tx) error { return errors.Join(fn(tx), errAgain) })
	if !errors.Is(err, errAgain) {
		return err
	}
	return a.Store.Update(ctx, fn)
}

// TestATransactionThatIsRepeatedCountsOnce of what a client may begin.
func TestATransactionThatIsRepeatedCountsOnce(t *testing.T) {
	o := newWorld(t)
	o.g.Store, o.g.Begun = again{o.store}, NewBegun(o.now)
	for range claimsOfOne {
		o.claim("dns", "office.example", "")
	}
	o.want(429, "POST", "/claims", "", `{"institution":"office","method":"dns","domain":"office.example"}`)
}

// TestASourceIsClaimedByWhoItWasGivenTo: the institution that assay.yaml names for a source proves
// it by its domain, by key or id; one that catalogues only name does not.
func TestASourceIsClaimedByWhoItWasGivenTo(t *testing.T) {
	o := newWorld(t)
	put := func(key, institution string) {
		s := catalog.Source{ID: catalog.NewID("source", key), Key: key, Kind: "ckan", Title: key, URL: "https://portal.example/" + key, DefaultInstitution: institution, CreatedAt: begin, UpdatedAt: begin}
		if err := o.store.Update(t.Context(), func(tx catalog.Tx) error { return tx.Sources().Put(t.Context(), s) }); err != nil {
			t.Fatal(err)
		}
	}
	put("by-key", "office")
	put("by-id", catalog.NewID("institution", "office"))
	put("by-nobody", "")
	put("by-named", "named")
	for _, x := range []struct {
		source, domain string
		status         int
	}{
		{"by-key", "office.example", 201}, {"by-id", "office.example", 201}, {"by-key", "portal.example", 201},
		{"by-nobody", "office.example", 422}, {"by-nobody", "portal.example", 201}, {"by-named", "named.example", 422}, {"by-named", "portal.example", 201},
	} {
		o.want(x.status, "POST", "/claims", "", fmt.Sprintf(`{"source":%q,"method":"dns","domain":%q}`, x.source, x.domain))
	}
	if got := o.want(200, "GET", "/claims/options?source=by-key", "", ""); !strings.Contains(got, `"office.example"`) {
		t.Errorf("the domain is not offered: %s", got)
	}
}
