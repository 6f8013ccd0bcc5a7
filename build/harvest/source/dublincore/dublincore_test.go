package dublincore

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/source/xmltree"
	"github.com/assay-register/assay/build/harvest/sourcetest"
)

// draft maps a record with an address and these elements.
func draft(t *testing.T, untyped bool, elements string) (source.Draft, *source.Rejection) {
	t.Helper()
	x := xmltree.New(strings.NewReader("<dc><identifier>https://repo.example.gov/1</identifier>"+elements+"</dc>"), 1<<20)
	x.Take = func(xml.Name) bool { return true }
	n, err := x.Next()
	if err != nil {
		t.Fatal(err)
	}
	in := feedtest.File("a.xml", nil, "https://repo.example.gov/")
	d, bad := Draft(n, Origin{In: &in, Kind: "dc", Place: "a.xml:1", Seed: in.PageURL(), Untyped: untyped})
	if bad == nil {
		feedtest.CheckOutcome(t, sourcetest.Outcome{Drafts: []source.Draft{d}})
	}
	return d, bad
}

func TestTypes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		types   string
		untyped bool
		want    string
	}{
		{"<type>Dataset</type>", false, "DATASET"}, {"<type>http://purl.org/dc/dcmitype/Dataset</type>", false, "DATASET"},
		{"<type>text</type><type>info:eu-repo/semantics/dataset</type>", false, "DATASET"}, {"<type>nonGeographicDataset</type>", false, "DATASET"},
		{"<type>Research Data</type>", false, "DATASET"}, {"<type>service</type>", false, "API"}, {"", true, "DATASET"},
		{"", false, "not_data"}, {"<type>info:eu-repo/semantics/article</type>", true, "not_data"}, {"<type>Image</type>", true, "not_data"},
	} {
		d, bad := draft(t, c.untyped, "<title>Rivers</title>"+c.types)
		got := string(d.Entry.Type)
		if bad != nil {
			got = string(bad.Code)
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.types, got, c.want)
		}
	}
	if _, bad := draft(t, true, "<title>Test</title>"); bad == nil || bad.Code != source.CodeTest {
		t.Errorf("%+v", bad)
	}
}

func TestRights(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rights, access, licence string }{
		{"<rights>info:eu-repo/semantics/openAccess</rights><rights>CC BY 4.0</rights>", "PUBLIC", "CC BY 4.0"},
		{"<rights>info:eu-repo/semantics/embargoedAccess</rights>", "RESTRICTED", ""}, {"<rights>info:eu-repo/semantics/closedAccess</rights>", "NON_PUBLIC", ""},
		{"<accessRights>http://publications.europa.eu/resource/authority/access-right/RESTRICTED</accessRights><license>https://example.gov/l</license>", "RESTRICTED", "https://example.gov/l"},
		{"<accessRights>ask the office</accessRights>", "", ""}, {"<rights>Cite us</rights><rights>https://example.gov/terms</rights>", "", "https://example.gov/terms"},
	} {
		d, bad := draft(t, true, "<title>Rivers</title>"+c.rights)
		if bad != nil || string(d.Entry.AccessRights) != c.access || d.Entry.LicenseRaw != c.licence {
			t.Errorf("%s: %q, %q, %v", c.rights, d.Entry.AccessRights, d.Entry.LicenseRaw, bad)
		}
	}
}

// Every language is kept; parts of a description stay in their order.
func TestLanguages(t *testing.T) {
	t.Parallel()
	d, bad := draft(t, true, `<title lang="nl">Rivieren</title><title lang="fr">Rivières</title><language>dut</language><subject lang="nl">Water, zoet</subject>
		<description lang="nl">Zeker.</description><description lang="nl">Alle.</description><description lang="fr">Tout.</description>`)
	e := &d.Entry
	got := fmt.Sprintln(e.Name, e.Titles, e.Descriptions, e.Keywords, e.Languages, bad)
	if want := "Rivieren map[fr:Rivières nl:Rivieren] map[fr:Tout. nl:Zeker.\n\nAlle.] map[nl:[Water, zoet]] [nl] <nil>\n"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestBox(t *testing.T) {
	t.Parallel()
	for corners, want := range map[string]string{"5.9 45.8 10.5 47.8": "5.9,45.8,10.5,47.8", "45.8 100 5 6": "", "1 2 3": "", "a b c d": "", "NaN 1 2 3": ""} {
		if got := box(strings.Fields(corners)); got != want {
			t.Errorf("%s: got %q, want %q", corners, got, want)
		}
	}
}
