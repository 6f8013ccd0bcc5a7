package score

import (
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

func TestProofSummary(t *testing.T) {
	sign := func(kinds ...catalog.SignalKind) (list []catalog.Signal) {
		for _, k := range kinds {
			list = append(list, catalog.Signal{Kind: k, Held: true})
		}
		return list
	}
	inst := &catalog.Institution{ID: "i"}
	official, plain := &catalog.Source{Official: "by law"}, &catalog.Source{}
	moderator := &catalog.Admission{Rule: catalog.AdmittedByModerator}
	full := sign(catalog.SignalDomain, catalog.SignalBacklink, catalog.SignalGithub)
	for _, tt := range []struct {
		name string
		e    catalog.Entry
		src  *catalog.Source
		inst *catalog.Institution
		want string
	}{
		{"proved", catalog.Entry{InstitutionID: "i", Signals: full}, official, inst, "Proved because its host is under an official domain of the institution, " +
			"a known portal lists it and its repository belongs to the institution's GitHub organisation."},
		{"proved but the institution is unknown", catalog.Entry{Signals: full}, official, nil, "An official catalogue lists it and vouches for it. 85 of 100 by its own proofs: " +
			"its host is under an official domain of the institution, a known portal lists it and its repository belongs to the institution's GitHub organisation."},
		{"inherited", catalog.Entry{InstitutionID: "i", Signals: sign(catalog.SignalBacklink)}, official, inst,
			"An official catalogue lists it and vouches for it. 25 of 100 by its own proofs: a known portal lists it."},
		{"inherited, nothing tried", catalog.Entry{}, official, nil, "An official catalogue lists it and vouches for it."},
		{"inherited, nothing held", catalog.Entry{Signals: []catalog.Signal{{Kind: catalog.SignalDomain}}}, official, nil,
			"An official catalogue lists it and vouches for it. No proof signal held."},
		{"moderated", catalog.Entry{InstitutionID: "i", Signals: sign(catalog.SignalDomain), Admission: moderator}, plain, inst,
			"A moderator admitted it. 40 of 100 by its own proofs: its host is under an official domain of the institution."},
		{"a third party's, moderated", catalog.Entry{ThirdParty: true, Signals: full, Admission: moderator}, official, nil,
			"Run by someone other than a public body, so not official; a moderator admitted it."},
		{"a third party's", catalog.Entry{ThirdParty: true, InstitutionID: "i", Signals: full}, official, inst, "Run by someone other than a public body, so not official."},
		{"let in by another source that is official", catalog.Entry{Admission: &catalog.Admission{Rule: catalog.AdmittedBySource}}, plain, nil,
			"An official catalogue lists it and vouches for it."},
		{"nobody vouches", catalog.Entry{InstitutionID: "i", Signals: sign(catalog.SignalDomain)}, plain, inst,
			"40 of 100 by its own proofs: its host is under an official domain of the institution."},
		{"nothing at all", catalog.Entry{}, nil, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Of(&Input{Row: &catalog.Row{Entry: tt.e}, Source: tt.src, Institution: tt.inst})
			if r.Proof != tt.want {
				t.Errorf("%q, want %q", r.Proof, tt.want)
			}
			if tt.e.ThirdParty && (r.PublicSector || strings.Contains(r.Proof, "Proved")) {
				t.Error("a third party's source is called official")
			}
		})
	}
}

// What an official source let in is of the public sector, even if another
// source lists it first.
func TestOfficialAdmissionIsPublicSector(t *testing.T) {
	for rule, want := range map[catalog.AdmissionRule]bool{catalog.AdmittedBySource: true, catalog.AdmittedByRule: false, catalog.AdmittedByModerator: false} {
		e := catalog.Entry{Admission: &catalog.Admission{Rule: rule}}
		in := &Input{Row: &catalog.Row{Entry: e}, Source: &catalog.Source{}}
		if in.PublicSector() != want {
			t.Errorf("%s: public sector is %v", rule, !want)
		}
		if in.Row.Entry.ThirdParty = true; in.PublicSector() {
			t.Errorf("%s: a third party's source is of the public sector", rule)
		}
	}
}
