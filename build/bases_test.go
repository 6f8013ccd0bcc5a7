package build_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/render/catalog"
)

// TestBasesNameWhatIsShown changes, one after the other, what pages of lists and of other entries
// show of an entry: a page that is copied because of its basis is the one that rendering gives.
func TestBasesNameWhatIsShown(t *testing.T) {
	t.Parallel()
	r := register(t, 24)
	o := recorded(filepath.Join(tempDir(t), "snapshots"), r.Now)
	likeFromNothing(t, "first", r.Store, o)
	at := 0
	for _, step := range []struct {
		what   string
		change func(e, other *catalog.Entry)
	}{
		{"a title in a language", func(e, _ *catalog.Entry) {
			e.Titles = catalog.Texts{"de": "Auf Deutsch", "nl": "In het Nederlands", "fr": "En français"}
		}},
		{"the beginning of the description", func(e, _ *catalog.Entry) {
			e.Description, e.DescriptionEn = "New. "+e.Description, "New. "+e.DescriptionEn
		}},
		{"the end of it", func(e, _ *catalog.Entry) { e.Description += " And more at its end." }},
		{"tags, and with them neighbours", func(e, other *catalog.Entry) { e.Tags = slices.Clone(other.Tags) }},
		{"a tag that nobody else has", func(e, _ *catalog.Entry) { e.Tags = append(slices.Clone(e.Tags), "a tag of its own") }},
		{"the country", func(e, other *catalog.Entry) { e.CountryCode = "IS" }},
		{"the publisher", func(e, other *catalog.Entry) {
			e.InstitutionID, e.PublisherName = other.InstitutionID, other.PublisherName
		}},
		{"the licence", func(e, other *catalog.Entry) { e.LicenseID = other.LicenseID }},
		{"themes and formats", func(e, other *catalog.Entry) { e.Themes, e.Formats = []string{"TRAN"}, []string{"CSV", "XML"} }},
		{"rights", func(e, _ *catalog.Entry) { e.FreeAccessClass, e.AccessRights = catalog.AccessUnknown, "" }},
		{"the language", func(e, _ *catalog.Entry) { e.NativeLang = "nl" }},
		{"a series", func(e, other *catalog.Entry) {
			for _, x := range []*catalog.Entry{e, other} {
				x.Relations = append(x.Relations, catalog.Relation{Kind: catalog.RelationSeries, Ref: "https://series.example/1", Title: "One series"})
			}
		}},
		{"the name of the series", func(e, other *catalog.Entry) {
			for _, x := range []*catalog.Entry{e, other} {
				x.Relations[len(x.Relations)-1].Title = "The same by another name"
			}
		}},
		{"a possible duplicate", func(e, other *catalog.Entry) {
			e.Relations = append(e.Relations, catalog.Relation{Kind: catalog.RelationDuplicate, EntryID: other.ID})
		}},
	} {
		list := slices.DeleteFunc(visible(t, r), func(e catalog.Entry) bool { return e.Status != catalog.StatusActive })
		pair := []catalog.Entry{list[at%len(list)], list[(at+7)%len(list)]}
		if at++; step.what == "the name of the series" {
			at--
			pair = []catalog.Entry{list[(at-1)%len(list)], list[(at+6)%len(list)]}
		}
		r.Now = r.Now.Add(time.Minute)
		step.change(&pair[0], &pair[1])
		err := r.Store.Update(t.Context(), func(tx catalog.Tx) error {
			for i := range pair {
				pair[i].UpdatedAt = r.Now
				write := catalog.Write{Entry: &pair[i], Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: r.Now}}}
				if err := tx.Entries().Put(t.Context(), write); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", step.what, err)
		}
		// Several changes, each of other entries, move pages as one does.
		if o.At = r.Now; at%3 == 0 || strings.Contains(step.what, "series") {
			likeFromNothing(t, step.what, r.Store, o)
		}
	}
	likeFromNothing(t, "last", r.Store, o)
}

// TestDamagedBases are of no use and do no harm.
func TestDamagedBases(t *testing.T) {
	t.Parallel()
	r := register(t, 12)
	o := recorded(filepath.Join(tempDir(t), "snapshots"), r.Now)
	mustBuild(t, r.Store, o)
	path := filepath.Join(o.Out, ".assay", "bases")
	for what, spoil := range map[string]func(b []byte) []byte{
		"cut":           func(b []byte) []byte { return b[:len(b)/2] },
		"a flipped bit": func(b []byte) []byte { b[len(b)/2] ^= 4; return b },
		"empty":         func([]byte) []byte { return nil },
	} {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, spoil(b), 0o600); err != nil {
			t.Fatal(err)
		}
		mustChange(t, r, buildtest.Edit)
		o.At = r.Now
		likeFromNothing(t, what, r.Store, o)
	}
}
