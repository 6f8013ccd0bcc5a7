package claims

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/wire"
)

func decoded[T any](t *testing.T, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// What can be claimed is told with the domains that prove it.
func TestOptions(t *testing.T) {
	o := newWorld(t)
	got := decoded[wire.ClaimOptions](t, o.want(200, "GET", "/claims/options?entry=rain", "", ""))
	if len(got.Items) != 1 || got.Items[0].Name != "Office" || len(got.Items[0].Domains) != 1 || got.Items[0].Domains[0] != "office.example" || len(got.Methods) != 4 {
		t.Errorf("options %+v", got)
	}
	o.g.Mails = false
	if got := decoded[wire.ClaimOptions](t, o.want(200, "GET", "/claims/options?institution=office", "", "")); len(got.Methods) != 3 {
		t.Errorf("without mail: %v", got.Methods)
	}
	if got := decoded[wire.ClaimOptions](t, o.want(200, "GET", "/claims/options?entry=snow", "", "")); len(got.Items) != 0 {
		t.Errorf("of nobody's entry: %+v", got.Items)
	}
	for _, q := range []string{"", "?institution=named", "?institution=nobody", "?entry=", "?x=1"} {
		o.want(422, "GET", "/claims/options"+q, "", "")
	}
	o.want(404, "GET", "/claims/options?entry=nothing", "", "")
}

// Who has the secret sees what to publish; nobody else does.
func TestOwned(t *testing.T) {
	o := newWorld(t)
	c := o.claim("dns", "office.example", "")
	at := "/claims/" + c.Claim.ID + "/owner"
	if got := decoded[wire.OwnedClaim](t, o.want(200, "GET", at, c.Secret, "")); got.Name != "Office" || got.Place == nil || *got.Place != *c.Place || *got.Proof != *c.Proof {
		t.Errorf("owned %+v", got)
	}
	o.want(401, "GET", at, "assay_owner_WRONG", "")
	if open := o.want(200, "GET", "/claims/"+c.Claim.ID, "", ""); strings.Contains(open, *c.Proof) {
		t.Errorf("everybody sees the proof: %s", open)
	}
}

// An address to probe is used once a moderator accepts it, and no longer than the statement and
// the claim hold.
func TestProbeAddress(t *testing.T) {
	const health = "https://api.office.example/health"
	for name, end := range map[string]func(*world, *wire.ClaimReceipt, string){
		"withdrawn": func(o *world, c *wire.ClaimReceipt, id string) {
			o.want(401, "DELETE", "/claims/"+c.Claim.ID+"/statements/"+id, "", "")
			o.want(200, "DELETE", "/claims/"+c.Claim.ID+"/statements/"+id, c.Secret, "")
			o.want(409, "DELETE", "/claims/"+c.Claim.ID+"/statements/"+id, c.Secret, "")
		},
		"revoked": func(o *world, c *wire.ClaimReceipt, _ string) {
			o.want(200, "POST", "/admin/claims/"+c.Claim.ID+"/revoke", "", `{"reason":"no"}`)
		},
		"given up": func(o *world, c *wire.ClaimReceipt, _ string) {
			o.want(200, "DELETE", "/claims/"+c.Claim.ID, c.Secret, "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := newWorld(t)
			c := o.proved()
			s := decoded[wire.OwnerStatement](t, o.want(201, "POST", "/claims/"+c.Claim.ID+"/statements", c.Secret, `{"entry":"rain","kind":"probe_address","url":"`+health+`"}`))
			if strings.Contains(o.entryDoc("rain"), "probe_url") {
				t.Error("it is used before anybody looked at it")
			}
			o.want(200, "POST", "/admin/statements/"+s.ID+"/decide", "", `{"state":"accepted","reason":"their own host"}`)
			if !strings.Contains(o.entryDoc("rain"), `"probe_url":"`+health+`"`) || o.changes("probe_url") != 1 {
				t.Errorf("not used: %s", o.entryDoc("rain"))
			}
			end(o, &c, s.ID)
			if strings.Contains(o.entryDoc("rain"), "probe_url") || o.changes("probe_url") != 2 {
				t.Errorf("still used: %s", o.entryDoc("rain"))
			}
		})
	}
}
