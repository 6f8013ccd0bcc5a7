package verify

import (
	"net/http"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

func row(field string, basis catalog.Basis, member string) catalog.FieldRow {
	return catalog.FieldRow{Field: field, Basis: basis, UpstreamField: member}
}

// TestAccessTaken: what a probe saw of the way in fills what nobody states, and
// leaves alone what a publisher or a description says.
func TestAccessTaken(t *testing.T) {
	open, refused := access{open: true}, access{auth: catalog.AuthUnknown}
	basic := access{auth: catalog.AuthBasic}
	seenNone := []catalog.FieldRow{row("auth_type", catalog.BasisObserved, ""), row("free_access_class", catalog.BasisObserved, "")}
	once, twice := &catalog.CheckState{}, &catalog.CheckState{RequiresAuth: true}
	for name, c := range map[string]struct {
		saw    access
		is     known
		rows   []catalog.FieldRow
		before *catalog.CheckState
		want   known
	}{
		"data for everybody":                      {open, known{class: "UNKNOWN", auth: "UNKNOWN", rights: ""}, nil, nil, known{class: "FREE_NO_AUTH", auth: "NONE", rights: ""}},
		"data of a publisher who says public":     {open, known{class: "UNKNOWN", auth: "UNKNOWN", rights: "PUBLIC"}, nil, nil, known{class: "FREE_NO_AUTH", auth: "NONE", rights: "PUBLIC"}},
		"data of which the publisher excludes":    {open, known{class: "UNKNOWN", auth: "UNKNOWN", rights: "RESTRICTED"}, nil, nil, known{class: "UNKNOWN", auth: "NONE", rights: "RESTRICTED"}},
		"a class that is stated":                  {open, known{class: "NOT_FREE", auth: "UNKNOWN", rights: ""}, nil, nil, known{class: "NOT_FREE", auth: "NONE", rights: ""}},
		"a key that is stated":                    {open, known{class: "FREE_KEY_REQUIRED", auth: "API_KEY", rights: ""}, nil, nil, known{class: "FREE_KEY_REQUIRED", auth: "API_KEY", rights: ""}},
		"a key that the description asks for":     {open, known{class: "UNKNOWN", auth: "API_KEY", rights: ""}, []catalog.FieldRow{row("auth_type", catalog.BasisObserved, "components.securitySchemes")}, twice, known{class: "UNKNOWN", auth: "API_KEY", rights: ""}},
		"refused, and told how":                   {basic, known{class: "UNKNOWN", auth: "UNKNOWN", rights: ""}, nil, nil, known{class: "UNKNOWN", auth: "BASIC", rights: ""}},
		"refused without a word":                  {refused, known{class: "UNKNOWN", auth: "UNKNOWN", rights: ""}, nil, twice, known{class: "UNKNOWN", auth: "UNKNOWN", rights: ""}},
		"refused once after data":                 {basic, known{class: "FREE_NO_AUTH", auth: "NONE", rights: ""}, seenNone, once, known{class: "FREE_NO_AUTH", auth: "NONE", rights: ""}},
		"refused again after data":                {basic, known{class: "FREE_NO_AUTH", auth: "NONE", rights: ""}, seenNone, twice, known{class: "UNKNOWN", auth: "BASIC", rights: ""}},
		"refused again without a word":            {refused, known{class: "FREE_NO_AUTH", auth: "NONE", rights: ""}, seenNone, twice, known{class: "UNKNOWN", auth: "UNKNOWN", rights: ""}},
		"refused again where the publisher knows": {basic, known{class: "FREE_NO_AUTH", auth: "NONE", rights: ""}, []catalog.FieldRow{row("auth_type", catalog.BasisPublisher, "")}, twice, known{class: "FREE_NO_AUTH", auth: "NONE", rights: ""}},
		"opened after a refusal":                  {open, known{class: "UNKNOWN", auth: "BASIC", rights: ""}, []catalog.FieldRow{row("auth_type", catalog.BasisObserved, challengeHeader)}, twice, known{class: "FREE_NO_AUTH", auth: "NONE", rights: ""}},
		"stated since it was seen":                {open, known{class: "UNKNOWN", auth: "API_KEY", rights: ""}, append([]catalog.FieldRow{row("auth_type", catalog.BasisPublisher, "")}, seenNone...), twice, known{class: "UNKNOWN", auth: "API_KEY", rights: ""}},
	} {
		t.Run(name, func(t *testing.T) {
			e := catalog.Entry{FreeAccessClass: c.is.class, AuthType: c.is.auth, AccessRights: c.is.rights}
			change := &Change{Entry: &e, rows: c.rows}
			if c.saw.news(c.is, c.before) {
				c.saw.take(change, "https://x.example/data")
			}
			if got := knownOf(&e); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
			if changed := c.want != c.is; changed != (len(change.Fields) > 0) {
				t.Errorf("%d changes told", len(change.Fields))
			}
			// The same again says nothing new.
			again := &Change{Entry: &e, rows: change.rows}
			if c.saw.take(again, "https://x.example/data"); c.saw.news(knownOf(&e), c.before) && len(again.Fields) > 0 {
				t.Errorf("again %+v", again.Fields)
			}
		})
	}
}

// TestAccessOf: data tells of the way in, a description, a handshake, a page and a
// failure do not.
func TestAccessOf(t *testing.T) {
	for _, c := range []struct {
		target Target
		check  catalog.Check
		read   int
		open   bool
		told   bool
	}{
		{Target{Kind: KindDistribution, Data: true}, catalog.Check{Up: true}, 9, true, true},
		{Target{Kind: KindDistribution, Data: true}, catalog.Check{Up: true}, 0, true, false},
		{Target{Kind: KindDistribution}, catalog.Check{Up: true}, 9, true, false},
		{Target{Kind: KindDistribution, Data: true}, catalog.Check{}, 9, false, false},
		{Target{Kind: KindHTTP, Data: true}, catalog.Check{Up: true}, 9, true, true},
		{Target{Kind: KindSPARQL, Data: true}, catalog.Check{Up: true}, 9, true, true},
		{Target{Kind: KindOpenAPI, Data: true}, catalog.Check{Up: true}, 9, false, false},
		{Target{Kind: KindOGC, Data: true}, catalog.Check{Up: true}, 9, false, false},
		{Target{Kind: KindMCP, Data: true}, catalog.Check{Up: true}, 9, false, false},
		{Target{Kind: KindOGC, Data: true}, catalog.Check{Up: true, RequiresAuth: true}, 9, false, true},
		{Target{Kind: KindOpenAPI, Data: true}, catalog.Check{Up: true, RequiresAuth: true}, 9, false, false},
	} {
		got, told := accessOf(&c.target, &Outcome{Check: c.check, read: c.read})
		if told != c.told || got.open != c.open {
			t.Errorf("%s data %t up %t: open %t, told %t", c.target.Kind, c.target.Data, c.check.Up, got.open, told)
		}
	}
}

func TestChallenge(t *testing.T) {
	for header, want := range map[string]catalog.AuthType{
		"": catalog.AuthUnknown, `Basic realm="x"`: catalog.AuthBasic, "bearer": catalog.AuthBearer, "Negotiate": catalog.AuthCustom,
		`ApiKey realm="x"`: catalog.AuthAPIKey, `DPoP algs="ES256"`: catalog.AuthOAuth, `Digest qop="auth"`: catalog.AuthCustom,
	} {
		if got := challenge(http.Header{"Www-Authenticate": {header}}); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}
