package wire

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
)

func TestReasonText(t *testing.T) {
	for _, c := range []struct {
		n    snapshot.Neighbour
		want string
	}{
		{snapshot.Neighbour{}, ""},
		{snapshot.Neighbour{Tags: []string{"a", "b"}}, "shares the tags a, b"},
		{snapshot.Neighbour{Concepts: []string{"lei"}, SameHost: true}, "has fields in common: lei; same host"},
		{snapshot.Neighbour{Tags: []string{"a"}, Concepts: []string{"lei"}, SameInstitution: true, SameHost: true, SameCountry: true},
			"shares the tags a; has fields in common: lei; same institution; same host; same country"},
	} {
		if got := reasonText(&c.n); got != c.want {
			t.Errorf("%+v: %q, want %q", c.n, got, c.want)
		}
	}
}

func TestEveryTieHasATextAndEveryBasisALabel(t *testing.T) {
	for _, kind := range []snapshot.TieKind{snapshot.TieSuccessor, snapshot.TiePredecessor, snapshot.TieServes, snapshot.TieServedBy, snapshot.TieDuplicate,
		snapshot.TieInstitution, snapshot.TieHost} {
		if text := tieLabels[kind]; text[0] == "" || text[1] == "" {
			t.Errorf("%s has no text", kind)
		}
	}
	for _, basis := range []catalog.OfficialnessBasis{catalog.OfficialNot, catalog.OfficialProven, catalog.OfficialInherited} {
		if text := basisLabels[basis]; text[0] == "" || text[1] == "" {
			t.Errorf("%s has no label", basis)
		}
	}
}

func TestPersonalDataWarning(t *testing.T) {
	with := func(status string) *catalog.Profile {
		return &catalog.Profile{PersonalData: catalog.PersonalData{Status: status}}
	}
	for name, c := range map[string]struct {
		profile *catalog.Profile
		want    catalog.Right
	}{
		"no profile": {nil, catalog.RightUnknown}, "not looked at": {with(""), catalog.RightUnknown}, "none": {with("none"), catalog.RightNo},
		"personal": {with("personal"), catalog.RightYes}, "undecided": {with("undecided"), catalog.RightYes},
	} {
		if got := personal(c.profile); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestRightStatus(t *testing.T) {
	for right, want := range map[catalog.Right]string{
		catalog.RightYes: `{"status":"known","value":true}`, catalog.RightNo: `{"status":"known","value":false}`,
		catalog.RightUnknown: `{"status":"unknown","value":null}`, "": `{"status":"unknown","value":null}`,
	} {
		if b, err := json.Marshal(status(right)); err != nil || string(b) != want {
			t.Errorf("%q is %s, %v", right, b, err)
		}
	}
}

func TestLicenceSource(t *testing.T) {
	rows := func(list ...catalog.FieldRow) *catalog.Provenance { return &catalog.Provenance{Rows: list} }
	first, second := catalog.FieldRow{Field: "license_raw", SourceURL: "https://a.example"}, catalog.FieldRow{Field: "license", SourceURL: "https://b.example"}
	for _, c := range []struct {
		p    *catalog.Provenance
		want string
	}{
		{rows(catalog.FieldRow{Field: "name", SourceURL: "https://x.example"}), ""}, {rows(first, second), "https://a.example"},
		{rows(second, first), "https://b.example"}, {rows(catalog.FieldRow{Field: "license"}), ""},
	} {
		got := ""
		if p := licenceSource(c.p); p != nil {
			got = *p
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.p.Rows, got, c.want)
		}
	}
}

func TestDetailsInheritTheEntrysTimes(t *testing.T) {
	at := func(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, time.UTC) }
	e := &catalog.Entry{ID: "e", CreatedAt: at(1), UpdatedAt: at(2), API: &catalog.APIDetails{}, Dataset: &catalog.DatasetDetails{CreatedAt: at(3), UpdatedAt: at(4)}}
	if a := newAPI(e); *a.CreatedAt != "2026-11-01T00:00:00Z" || *a.UpdatedAt != "2026-11-02T00:00:00Z" || a.EntryID != "e" || !catalog.IsID(a.ID) {
		t.Errorf("%+v", a)
	}
	if d := newDataset(e); *d.CreatedAt != "2026-11-03T00:00:00Z" || *d.UpdatedAt != "2026-11-04T00:00:00Z" || d.ID == newAPI(e).ID {
		t.Errorf("%+v", d)
	}
	e.API.Endpoints = make([]catalog.Endpoint, 3)
	if got := *newAPI(e).EndpointsCount; got != 3 {
		t.Errorf("%d endpoints are counted", got)
	}
	e.API.EndpointsCount = 40
	if got := *newAPI(e).EndpointsCount; got != 40 {
		t.Errorf("%d endpoints are counted", got)
	}
	if newAPI(&catalog.Entry{}) != nil || newDataset(&catalog.Entry{}) != nil || newMCP(&catalog.Entry{}) != nil {
		t.Error("details of nothing")
	}
}

func TestStampAndHundredths(t *testing.T) {
	if got := stamp(time.Date(2026, 11, 21, 1, 2, 3, 999, time.FixedZone("x", 3600))); *got != "2026-11-21T00:02:03Z" {
		t.Errorf("stamp %s", *got)
	}
	if stamp(time.Time{}) != nil {
		t.Error("a zero time is stamped")
	}
	for n, want := range map[int]string{0: "0.00", 5: "0.05", 97: "0.97", 100: "1.00"} {
		if got := hundredths(n); got != want {
			t.Errorf("%d hundredths are %s", n, got)
		}
	}
}

func TestProvenanceListsStoredAndComputedFields(t *testing.T) {
	s := &snapshot.Scored{Row: &catalog.Row{
		Entry: catalog.Entry{ID: "e"},
		Provenance: catalog.Provenance{Rows: []catalog.FieldRow{{Field: "name", Basis: catalog.BasisPublisher, SourceID: "s"},
			{Field: "name", Basis: catalog.BasisInherited, SourceID: "other"}, {Field: "is_public_sector", Basis: catalog.BasisCurator}}},
		Overrides: []catalog.Override{{Field: "tags", Value: json.RawMessage(`["x"]`), Reason: "r"}},
	}, Source: &catalog.Source{ID: "s", Title: "Portal"}, Result: score.Result{}}
	p := NewProvenance(s)
	counts, derived := map[string]int{}, map[string]bool{}
	for _, row := range p.Fields {
		counts[row.Field]++
		derived[row.Field] = derived[row.Field] || row.Derived
		if row.Derived == (row.Basis == catalog.BasisPublisher) {
			t.Errorf("%+v", row)
		}
	}
	if *p.Fields[0].Source != "Portal" || *p.Fields[1].Source != "other" || p.Fields[2].Source != nil {
		t.Errorf("sources %+v", p.Fields[:3])
	}
	want := map[string]int{"name": 2, "is_public_sector": 1}
	for _, f := range fields {
		if f.basis != catalog.BasisPublisher {
			want[f.name] = 1
		}
	}
	if d := cmp.Diff(want, counts); d != "" {
		t.Errorf("rows of each field (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]OverrideRow{{Field: "tags", Value: []any{"x"}, Reason: "r"}}, p.Overrides); d != "" {
		t.Errorf("overrides (-want +got):\n%s", d)
	}
}

// refFields is a Ref that does not write itself.
type refFields Ref

func TestRefWritesItself(t *testing.T) {
	english, country := "a \"quoted\" <name>", "FR"
	for _, r := range []Ref{{}, {ID: "id", Slug: "s", Name: "Κτίρια\n\u2028", NameEn: &english, Type: "api", CountryCode: &country,
		VerificationState: "verified", MQAScore: 64.1, MQATier: "good"}} {
		fields := refFields(r)
		want, err := jsonx.Marshal(&fields)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := jsonx.Marshal(&r); err != nil || string(got) != string(want) {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
}
