package wire

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
)

// preview makes the preview of an entry with a profile.
func preview(t *testing.T, p *catalog.Profile, licence *catalog.Licence) Preview {
	t.Helper()
	frame := snapshot.NewFrame(snapshot.Site{}, time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), nil, nil, nil)
	s := frame.Score(&catalog.Row{Entry: catalog.Entry{ID: "e"}, Profile: p}, "e")
	s.Licence = licence
	return NewPreview(s)
}

func sampled() *catalog.Profile {
	n := int64(2)
	return &catalog.Profile{Source: "https://data.example/x.csv", Kind: "csv", Status: catalog.ProfileOK, RecordCount: &n,
		Fields:        []catalog.ProfileField{{Name: "station", Type: "string"}, {Name: "name", Type: "string", Personal: "full_name"}},
		SampleRecords: []json.RawMessage{json.RawMessage(`{"station":"A-SECRET","name":"***"}`)}, PersonalData: catalog.PersonalData{Status: "none", Allowed: true}}
}

func TestPreviewShowsRowsOnlyWhenItMay(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*catalog.Profile)
		licence *catalog.Licence
		reason  string
	}{
		"shown":               {func(*catalog.Profile) {}, nil, ""},
		"licence unknown":     {func(*catalog.Profile) {}, &catalog.Licence{Redistribution: catalog.RightUnknown}, ""},
		"licence forbids":     {func(*catalog.Profile) {}, &catalog.Licence{Redistribution: catalog.RightNo}, "licence"},
		"about single person": {func(p *catalog.Profile) { p.PersonalData.Allowed = false }, nil, "persons"},
		"unreadable":          {func(p *catalog.Profile) { p.Status = catalog.ProfileError }, nil, "could not be read"},
		"unsupported":         {func(p *catalog.Profile) { p.Status = catalog.ProfileUnsupported }, nil, "could not be read"},
		"no rows":             {func(p *catalog.Profile) { p.SampleRecords = nil }, nil, "no rows"},
	} {
		p := sampled()
		c.change(p)
		got := preview(t, p, c.licence)
		b, err := jsonx.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		shown := c.reason == ""
		if got.Previewable != shown || (got.Reason == nil) != shown || strings.Contains(string(b), "A-SECRET") != shown || len(got.Fields) != 2 {
			t.Errorf("%s: %s", name, b)
		}
		if !shown && (!strings.Contains(*got.Reason, c.reason) || got.Provenance[0].Basis != catalog.BasisNotDelivered) {
			t.Errorf("%s: reason %q, %+v", name, *got.Reason, got.Provenance[0])
		}
	}
}

func TestPreviewWithoutProfile(t *testing.T) {
	got := preview(t, nil, nil)
	if got.Previewable || got.Reason == nil || got.PersonalData != nil || len(got.Records) != 0 || got.Provenance[1].Basis != catalog.BasisNotDelivered {
		t.Errorf("%+v", got)
	}
}

func TestPreviewSaysHowRowsWereCounted(t *testing.T) {
	p := sampled()
	if got := preview(t, p, nil).Provenance[2].Basis; got != catalog.BasisObserved {
		t.Errorf("counted: %s", got)
	}
	p.CountEstimated = true
	if got := preview(t, p, nil).Provenance[2].Basis; got != catalog.BasisComputed {
		t.Errorf("estimated: %s", got)
	}
	p.RecordCount = nil
	if got := preview(t, p, nil).Provenance[2].Basis; got != catalog.BasisNotDelivered {
		t.Errorf("unknown: %s", got)
	}
}

func TestBasisVocabularyIsComplete(t *testing.T) {
	var words []catalog.Basis
	for _, m := range basisMeanings {
		if m.Meaning == "" {
			t.Errorf("%s has no meaning", m.Basis)
		}
		words = append(words, m.Basis)
	}
	if !slices.Equal(words, catalog.Bases()) {
		t.Errorf("%v", words)
	}
}
