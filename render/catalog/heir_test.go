package catalog

import (
	"reflect"
	"slices"
	"testing"
	"time"
)

func TestInherit(t *testing.T) {
	t.Parallel()
	at := func(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, time.UTC) }
	list := []Institution{
		{ID: "a", Key: "statbel", Name: "Statbel", Names: Texts{"nl": "Statbel", "fr": "Statbel"}, Aliases: []string{"INS"}, Identifiers: []string{"urn:1"}, OfficialDomains: []string{"statbel.example"}, CountryCode: "BE", UpdatedAt: at(1)},
		{ID: "b", Key: "old", Name: "Oude dienst", NameEn: "Old office", Names: Texts{"nl": "Oude dienst", "de": "Altes Amt"}, Aliases: []string{"INS", "Statbel"}, Identifiers: []string{"urn:1", "urn:2"},
			OfficialDomains: []string{"old.example"}, GithubOrgs: []string{"old"}, CountryCode: "FR", HomepageURL: "https://old.example/", ParentID: "d", MergedIntoID: "c", UpdatedAt: at(3)},
		{ID: "c", Key: "between", Name: "Between", MergedIntoID: "a", UpdatedAt: at(2)},
		{ID: "d", Key: "ministry", Name: "Ministry", Type: InstGovernment, UpdatedAt: at(1)},
		{ID: "e", Key: "named", Name: "Named", State: InstitutionStated, Type: InstAgency, OfficialDomains: []string{"named.example"}, Identifiers: []string{"urn:3"}, MergedIntoID: "a", ParentID: "a", UpdatedAt: at(1)},
		{ID: "f", Key: "x", Name: "Circle", MergedIntoID: "g"}, {ID: "g", Key: "y", Name: "Circle, too", MergedIntoID: "f"},
		{ID: "h", Key: "lost", Name: "Lost", MergedIntoID: "gone"},
	}
	before := slices.Clone(list)
	got := Inherit(list)
	if !reflect.DeepEqual(list, before) {
		t.Error("the list that was given was changed")
	}
	want := Institution{ID: "a", Key: "statbel", Name: "Statbel", NameEn: "Old office", Names: Texts{"nl": "Statbel", "fr": "Statbel", "de": "Altes Amt"},
		Aliases: []string{"INS", "Oude dienst", "Old office", "Between", "Named"}, Identifiers: []string{"urn:1", "urn:2", "urn:3"}, OfficialDomains: []string{"statbel.example", "old.example"},
		GithubOrgs: []string{"old"}, CountryCode: "BE", HomepageURL: "https://old.example/", ParentID: "d", Type: InstAgency, UpdatedAt: at(3)}
	if !reflect.DeepEqual(got[0], want) {
		t.Errorf("the heir is\n%+v, want\n%+v", got[0], want)
	}
	if !reflect.DeepEqual(got[1:5], before[1:5]) || !reflect.DeepEqual(got[7], before[7]) {
		t.Errorf("the others are %+v", got[1:])
	}
	heirs := Heirs(list)
	if heirs["b"] != &list[0] || heirs["c"] != &list[0] || heirs["a"] != nil || heirs["h"] != nil {
		t.Errorf("heirs %+v", heirs)
	}
}
