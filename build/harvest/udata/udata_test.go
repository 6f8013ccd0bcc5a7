package udata

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

const portal = "https://portail.example.fr"

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func run(t testing.TB, name string, data []byte) sourcetest.Outcome {
	t.Helper()
	o := sourcetest.Run(t, Connector{}, feedtest.File(name, data, portal+"/"))
	feedtest.CheckOutcome(t, o)
	return o
}

func TestDataset(t *testing.T) {
	o := run(t, "datasets.json", fixture(t, "datasets.json"))
	d := o.ByName(t, "Points d'eau")
	e := &d.Entry
	for _, c := range []struct{ field, got, want string }{
		{"type", string(e.Type), "DATASET"}, {"primary", e.PrimarySourceURL, "https://portail.example.fr/fr/datasets/points-deau/"}, {"homepage", e.HomepageURL, "https://www.agence.example.fr/points"},
		{"ref", e.UpstreamRef, "portail.example.fr:udata:d1"}, {"description", e.Description, "Les points d'eau."}, {"licence", e.LicenseRaw, "lov2"},
		{"frequency", e.Dataset.Frequency, "ANNUAL_3"}, {"publisher", d.PublisherName, "Agence de l'Eau"}, {"publisher url", d.PublisherURL, "https://www.agence.example.fr"},
		{"spatial", strings.Join(e.Dataset.Spatial, ","), "country:fr"}, {"end", e.Dataset.TemporalEnd.Format(time.DateOnly), "2020-12-31"},
		{"formats", strings.Join(e.Formats, ","), "CSV,HTML"}, {"issued", e.SourceIssuedAt.Format(time.DateOnly), "2019-05-01"}, {"modified", e.SourceModifiedAt.Format(time.DateOnly), "2024-05-20"},
		{"contact", fmt.Sprint(*e.Contact), "{ https://www.agence.example.fr/contact }"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.field, c.got, c.want)
		}
	}
	if f := e.Dataset.Distributions; len(f) != 3 || f[0].DownloadURL == "" || f[1].DownloadURL != "" || f[1].Format != "HTML" || f[2].Format != "HTML" {
		t.Errorf("distributions %+v", e.Dataset.Distributions)
	}
	if two := o.ByName(t, "Deux mots").Entry; two.PrimarySourceURL != portal+"/datasets/deux-mots/" {
		t.Errorf("page %q", two.PrimarySourceURL)
	}
	want := map[source.Code]int{source.CodeDeleted: 2, source.CodePrivate: 1, source.CodeTest: 1, source.CodeMissingName: 1}
	if len(o.Drafts) != 2 || fmt.Sprint(o.Codes()) != fmt.Sprint(want) {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Codes())
	}
}

func TestDataservice(t *testing.T) {
	o := run(t, "dataservices.json", fixture(t, "dataservices.json"))
	e := o.ByName(t, "API Eau").Entry
	if e.Type != catalog.TypeAPI || e.API.BaseURL != "https://api.example.fr/eau/v1" || e.API.OpenAPIURL == "" || e.API.SpecFormat != "openapi" || e.DocsURL != "https://api.example.fr/eau/doc" ||
		e.PrimarySourceURL != e.API.BaseURL || e.FreeAccessClass != catalog.AccessFreeNoAuth || e.AuthType != catalog.AuthNone || e.API.RateLimitInfo == "" || len(e.Limits) != 1 ||
		e.HomepageURL != "https://portail.example.fr/dataservices/api-eau/" {
		t.Errorf("%+v %+v", e, e.API)
	}
	// The address of a function comes before a form of who knows whom.
	if e.Contact == nil || e.Contact.Email != "eau@agence.example.fr" {
		t.Errorf("contact %+v", e.Contact)
	}
	closed := o.ByName(t, "API fermée").Entry
	if closed.FreeAccessClass != catalog.AccessFreeKey || closed.API.TermsURL == "" || closed.PrimarySourceURL != "https://api.example.fr/doc" || closed.AuthType != "" {
		t.Errorf("%+v", closed)
	}
	if account := o.ByName(t, "API compte").Entry; account.API.SpecFormat != "ogc-wms" || account.FreeAccessClass != catalog.AccessFreeKey {
		t.Errorf("%+v", account.API)
	}
	if len(o.Drafts) != 3 || o.Codes()[source.CodeDeleted] != 1 {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Codes())
	}
}

// site has n datasets and one dataservice, at most ten on a page.
func site(n int) *feedtest.Site {
	return &feedtest.Site{Answer: func(raw string) string {
		u, _ := url.Parse(raw)
		var page int
		fmt.Sscan(u.Query().Get("page"), &page)
		if strings.Contains(u.Path, "dataservices") {
			return `{"data":[{"id":"s","title":"API","base_api_url":"https://api.example.fr/"}],"next_page":null}`
		}
		var list []string
		for i := (page - 1) * 10; i < min(page*10, n); i++ {
			list = append(list, fmt.Sprintf(`{"id":"d%d","title":"T%d","slug":"t%d","resources":[]}`, i, i, i))
		}
		next := "null"
		if page*10 < n {
			next = fmt.Sprintf("%q", "http://internal:7000/api/1/datasets/?page="+fmt.Sprint(page+1))
		}
		return fmt.Sprintf(`{"data":[%s],"page":%d,"next_page":%s,"total":%d}`, strings.Join(list, ","), page, next, n)
	}}
}

func TestLive(t *testing.T) {
	s := site(25)
	o := sourcetest.Run(t, Connector{}, s.Input(portal+"/fr/datasets/", map[string]string{"organization": "o1", "nonsense": "x"}))
	if len(o.Drafts) != 26 || len(s.Asked) != 4 || len(s.Marks) != 3 || len(o.Rejections) != 0 {
		t.Fatalf("%d drafts, asked %v", len(o.Drafts), s.Asked)
	}
	for _, asked := range s.Asked {
		if !strings.HasPrefix(asked, portal+"/api/1/") || !strings.Contains(asked, "organization=o1") || strings.Contains(asked, "nonsense") {
			t.Errorf("asked %s", asked)
		}
	}
	again := site(25)
	in := again.Input(portal, nil)
	in.Cursor = s.Marks[2]
	if rest := sourcetest.Run(t, Connector{}, in); len(rest.Drafts) != 1 || rest.Drafts[0].Entry.Type != catalog.TypeAPI {
		t.Errorf("resumed: %d drafts", len(rest.Drafts))
	}
	only := site(5)
	if o := sourcetest.Run(t, Connector{}, only.Input(portal, map[string]string{"only": "datasets"})); len(o.Drafts) != 5 || len(only.Asked) != 1 {
		t.Errorf("only datasets: %d drafts", len(o.Drafts))
	}
	services := site(5)
	if o := sourcetest.Run(t, Connector{}, services.Input(portal, map[string]string{"only": "dataservices"})); len(o.Drafts) != 1 {
		t.Errorf("only dataservices: %d drafts", len(o.Drafts))
	}
}

func TestSamePageTwice(t *testing.T) {
	s := &feedtest.Site{Answer: func(string) string {
		return `{"data":[{"id":"1","title":"T","slug":"t","resources":[]}],"next_page":"https://x/?page=2"}`
	}}
	o := sourcetest.Run(t, Connector{}, s.Input(portal, nil))
	if len(o.Drafts) != 1 || o.Codes()[source.CodeRepeatedPage] != 1 {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Codes())
	}
}

func TestRealPortal(t *testing.T) {
	all := feedtest.Family(t, Connector{}, "data/udata", "https://www.data.gouv.fr", func(_ string, data []byte) int {
		var list []struct {
			Dataservices []any
		}
		if json.Unmarshal(data, &list) != nil {
			return -1
		}
		n := len(list)
		for _, x := range list {
			n += len(x.Dataservices)
		}
		return n
	})
	o := all["results_2025-02.json"]
	apis := 0
	for i := range o.Drafts {
		e := &o.Drafts[i].Entry
		if e.Type == catalog.TypeAPI {
			apis++
		}
		if e.LicenseRaw != "" {
			t.Errorf("%s: a licence out of nowhere: %s", e.Name, e.LicenseRaw)
		}
		if e.Contact != nil && strings.Contains(e.Contact.URL, "davis.com") {
			t.Errorf("%s: the form of a stranger is its contact", e.Name)
		}
		for _, f := range e.Formats {
			if strings.Contains(f, "WWW") || strings.Contains(f, " ") {
				t.Errorf("%s: format %q", e.Name, f)
			}
		}
		if e.SourceIssuedAt.IsZero() {
			t.Errorf("%s: no date of issue", e.Name)
		}
	}
	if len(o.Drafts) != 18 || apis != 3 {
		t.Errorf("%d drafts, %d APIs", len(o.Drafts), apis)
	}
	// A joke is a data set too: nothing in its record says otherwise.
	o.ByName(t, "Nombre de personnes rickrollées sur data.gouv.fr")
}

func FuzzUdata(f *testing.F) {
	f.Add(fixture(f, "datasets.json"))
	f.Add(fixture(f, "dataservices.json"))
	f.Add([]byte(`[{"dataset":{"title":"x"},"dataservices":[{}],"resources":[{"url":1}]}]`))
	f.Fuzz(func(t *testing.T, data []byte) { run(t, "in", data) })
}
