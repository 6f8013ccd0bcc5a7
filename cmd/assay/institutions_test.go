package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// TestInstitutionsOnTheCommandLine names, places and merges institutions, one of
// them without a kind as a catalogue may state it, and takes that back; each
// change has its audit row, and what leads nowhere changes nothing.
func TestInstitutionsOnTheCommandLine(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	st, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	ministry, stated := catalog.NewID("institution", "be-eco"), catalog.NewID("institution", "https://kbo.example/1")
	err = st.Update(t.Context(), func(tx catalog.Tx) error {
		return tx.Institutions().Put(t.Context(),
			catalog.Institution{ID: ministry, Key: "be-eco", Name: "SPF Économie", Type: catalog.InstAgency, CountryCode: "BE"},
			catalog.Institution{ID: stated, Key: "be-statbel", Name: "Statbel", CountryCode: "BE", State: catalog.InstitutionStated,
				Aliases: []string{"INS"}, Identifiers: []string{"https://kbo.example/1"}})
	})
	if err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		return must(t, append([]string{"institutions", "--db", "sqlite:" + path}, args...)...)
	}
	show := func(name string) (i wire.AdminInstitution) {
		if err := json.Unmarshal([]byte(run("show", name)), &i); err != nil {
			t.Fatal(err)
		}
		return i
	}
	run("alias", "be-statbel", "NIS", "INS", "--reason", "its names before 2003")
	run("domain", stated, "statbel.example", "--reason", "its own site")
	run("parent", "be-statbel", "be-eco", "--reason", "organisation chart")
	if i := show("be-statbel"); !slices.Equal(i.Aliases, []string{"NIS", "INS"}) || !slices.Equal(i.OfficialDomains, []string{"statbel.example"}) ||
		i.ParentID == nil || *i.ParentID != ministry || i.State != catalog.InstitutionStated || i.Name != "Statbel" || i.Type != nil {
		t.Errorf("after three changes: %+v", i)
	}
	run("alias", "be-statbel", "NIS", "--remove", "--reason", "it was another office")
	run("merge", "be-statbel", "be-eco", "--reason", "the same office")
	if i := show(stated); !slices.Equal(i.Aliases, []string{"INS"}) || i.MergedIntoID == nil || *i.MergedIntoID != ministry {
		t.Errorf("after a merger: %+v", i)
	}
	if list := run("list", "--state", "stated", "--country", "be"); strings.Count(list, "\n") != 2 || !strings.Contains(list, "be-statbel  stated  BE       be-eco   be-eco       Statbel") {
		t.Errorf("stated ones: %s", list)
	}
	if list := run("list", "--json", "--state", "known"); !strings.Contains(list, `"key":"be-eco"`) || strings.Contains(list, "be-statbel") {
		t.Errorf("known ones: %s", list)
	}
	run("merge", "be-statbel", "--remove", "--reason", "two offices")
	run("parent", "be-statbel", "--remove", "--reason", "on its own since 2027")
	before := run("show", "be-statbel")
	for _, args := range [][]string{{"merge", "be-statbel", "be-statbel", "--reason", "x"}, {"merge", "be-statbel", "nobody", "--reason", "x"}, {"alias", "nobody", "x", "--reason", "x"},
		{"parent", "be-statbel", "--reason", "x"}, {"parent", "be-statbel", "be-eco", "--remove", "--reason", "x"}, {"domain", "be-statbel", "https://x.example/", "--reason", "x"},
		{"alias", "be-statbel", "x"}, {"show", "nobody"}, {"list", "--state", "some"}} {
		if code, out, said := assay(t, append([]string{"institutions", "--db", "sqlite:" + path}, args...)...); code != 1 || out != "" || !strings.Contains(said, "assay: ") {
			t.Errorf("%v: exit code %d, %q, %q", args, code, out, said)
		}
	}
	if after := run("show", "be-statbel"); after != before || strings.Contains(after, "merged_into_id\": \"") || strings.Contains(after, "parent_id\": \"") {
		t.Errorf("after what was taken back and refused: %s, before %s", after, before)
	}
	err = st.View(t.Context(), func(tx catalog.Tx) error {
		rows, err := tx.Audits().Before(t.Context(), 0, "", 100)
		if err == nil && (len(rows) != 7 || rows[0].Action != "putInstitution" || rows[0].By != "cli" || rows[0].Subject != stated) {
			t.Errorf("audit rows %+v", rows)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if out := must(t, "__complete", "institutions", "merge", "--db", "sqlite:"+path, "be-s"); !strings.Contains(out, "be-statbel\tStatbel") {
		t.Errorf("completion: %s", out)
	}
}
