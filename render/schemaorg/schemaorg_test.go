package schemaorg

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
)

// members are what schema.org defines for each type that the blocks use; a
// member that is not there says nothing to anybody. The golden files were
// compared with the types of the npm package schema-dts too.
var members = map[string]string{
	"Thing":                  "@context @type @id name alternateName description url identifier sameAs",
	"Dataset":                "inLanguage keywords license isAccessibleForFree version creativeWorkStatus datePublished dateModified creator publisher temporalCoverage spatialCoverage distribution includedInDataCatalog",
	"DataCatalog":            "inLanguage keywords license isAccessibleForFree version creativeWorkStatus datePublished dateModified creator publisher",
	"SoftwareApplication":    "inLanguage keywords license isAccessibleForFree version creativeWorkStatus datePublished dateModified creator publisher applicationCategory operatingSystem softwareVersion softwareHelp featureList offers",
	"WebAPI":                 "documentation termsOfService provider areaServed availableChannel offers",
	"DataDownload":           "contentUrl encodingFormat contentSize dateModified",
	"Offer":                  "price priceCurrency",
	"ServiceChannel":         "serviceUrl",
	"Organization":           "parentOrganization",
	"GovernmentOrganization": "",
	"Place":                  "geo",
	"GeoShape":               "box",
	"CreativeWork":           "",
	"WebPage":                "inLanguage mainEntity",
}

// check holds a value and what it contains to the vocabulary.
func check(t testing.TB, v any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			check(t, e)
		}
	case map[string]any:
		if id, _ := v["@id"].(string); len(v) == 1 && id != "" {
			return // what is described in the same block
		}
		kind, _ := v["@type"].(string)
		own, known := members[kind]
		if !known {
			t.Errorf("unknown type %q", kind)
		}
		allowed := strings.Fields(members["Thing"] + " " + own)
		for name, e := range v {
			if !slices.Contains(allowed, name) {
				t.Errorf("%s has no %s", kind, name)
			}
			if e == nil || e == "" {
				t.Errorf("%s.%s is empty", kind, name)
			}
			check(t, e)
		}
	}
}

// embed puts a block into a page as a template would and reads it back from
// there.
func embed(t testing.TB, block []byte) map[string]any {
	t.Helper()
	if bytes.ContainsAny(block, "<>&\n\u2028\u2029") || !utf8.Valid(block) {
		t.Fatalf("not safe in a script element: %s", block)
	}
	page, err := html.Parse(strings.NewReader(`<script type="application/ld+json">` + string(block) + `</script>`))
	if err != nil {
		t.Fatal(err)
	}
	var found map[string]any
	for n := range page.Descendants() {
		if n.Type == html.ElementNode && n.Data == "script" {
			if err := json.Unmarshal([]byte(n.FirstChild.Data), &found); err != nil {
				t.Fatalf("%v: %s", err, block)
			}
		}
	}
	check(t, found)
	return found
}

func TestBlocksAreGolden(t *testing.T) {
	for _, s := range rendertest.Scored() {
		block, err := Entry(rendertest.Site, s)
		if err != nil {
			t.Fatal(err)
		}
		got := embed(t, block)
		if got["name"] != s.Entry().Name || got["@id"] != "https://register.example/id/"+s.Entry().ID {
			t.Errorf("%s: %v %v", s.Entry().Slug, got["name"], got["@id"])
		}
		if n := utf8.RuneCountInString(got["description"].(string)); n == 0 || n > descriptionMax {
			t.Errorf("%s: the description has %d characters", s.Entry().Slug, n)
		}
		rendertest.Golden(t, s.Entry().Slug+".json", block)
		other, err := Page(rendertest.Site, s, "fr")
		if err != nil {
			t.Fatal(err)
		}
		if main := embed(t, other)["mainEntity"]; !reflect.DeepEqual(main, map[string]any{"@id": got["@id"]}) {
			t.Errorf("%s: the page in another language is about %v", s.Entry().Slug, main)
		}
	}
	c := rendertest.Catalog(t)
	c.ID = "20261121-000000000000" // else it is a hash of every page
	block, err := DataCatalog(c)
	if err != nil {
		t.Fatal(err)
	}
	embed(t, block)
	rendertest.Golden(t, "catalog.json", block)
}

// TestOrganization: an institution has its persistent identifiers as such, and those that are
// addresses as what is the same; a publisher of an entry has each once.
func TestOrganization(t *testing.T) {
	body := catalog.Institution{ID: rendertest.InstitutionID("xx-tides"), Name: "Tide </script> Office", NameEn: "Tide Office", Aliases: []string{"TO"}, HomepageURL: "https://tides.example/",
		Identifiers: []string{"https://ror.org/0000", "urn:lei:1"}}
	parent := catalog.Institution{ID: rendertest.InstitutionID("xx-sea"), Name: "Ministry of the Sea"}
	block, err := Organization(rendertest.Site, &body, &parent)
	if err != nil {
		t.Fatal(err)
	}
	got := embed(t, block)
	want := map[string]any{"@context": "https://schema.org", "@type": "Organization", "@id": "https://register.example/institution/" + body.ID, "name": body.Name, "url": body.HomepageURL,
		"alternateName": []any{"Tide Office", "TO"}, "identifier": []any{body.ID, "https://ror.org/0000", "urn:lei:1"}, "sameAs": []any{"https://ror.org/0000"},
		"parentOrganization": map[string]any{"@type": "Organization", "@id": "https://register.example/institution/" + parent.ID, "name": parent.Name}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if block, err = Organization(rendertest.Site, &parent, nil); err != nil || embed(t, block)["parentOrganization"] != nil {
		t.Errorf("%s %v", block, err)
	}
	frame := snapshot.NewFrame(rendertest.Site, rendertest.At, []catalog.Institution{body}, nil, nil)
	e := catalog.Entry{ID: catalog.NewID("entry", "x"), Slug: "x", Name: "Tides", Type: catalog.TypeDataset, Status: catalog.StatusActive, InstitutionID: body.ID, Dataset: &catalog.DatasetDetails{}}
	if block, err = Entry(rendertest.Site, frame.Score(&catalog.Row{Entry: e}, "tides")); err != nil {
		t.Fatal(err)
	}
	publisher, _ := embed(t, block)["creator"].(map[string]any)
	if !reflect.DeepEqual(publisher["identifier"], []any{"urn:lei:1"}) || !reflect.DeepEqual(publisher["sameAs"], []any{"https://ror.org/0000"}) {
		t.Errorf("publisher %v", publisher)
	}
}

func FuzzEntry(f *testing.F) {
	f.Add(rendertest.Hostile, "https://a.example/x", "</script>", uint8(0))
	f.Add("\xff\xed\xa0\x80", "javascript:alert(1)", "\u2028\u2029<!--", uint8(1))
	f.Add(strings.Repeat("ä", 6000), "http://[::1]/", "]]>", uint8(2))
	frame := rendertest.Frame()
	f.Fuzz(func(t *testing.T, text, link, tag string, kind uint8) {
		e := catalog.Entry{ID: catalog.NewID("entry", "x"), Slug: "x", Name: "n" + text, Type: catalog.EntryTypes()[kind%3], Description: text,
			DocsURL: link, HomepageURL: link, RepoURL: link, Tags: []string{"t" + tag}, PublisherName: tag, Status: catalog.StatusActive,
			FreeAccessClass: catalog.AccessFreeNoAuth, UpstreamRef: tag,
			API:     &catalog.APIDetails{BaseURL: link, TermsURL: link, OpenAPIURL: link},
			Dataset: &catalog.DatasetDetails{Spatial: []string{"s" + tag, link + "/"}, Distributions: []catalog.Distribution{{Title: text, DownloadURL: link}}},
			MCP:     &catalog.MCPDetails{Tools: []catalog.MCPTool{{Name: "t" + text}}}}
		block, err := Entry(snapshot.Site{BaseURL: "https://register.example", Name: "R"}, frame.Score(&catalog.Row{Entry: e}, "x"))
		if err != nil {
			t.Fatal(err)
		}
		if got := embed(t, block); strings.Contains(string(block), `:"javascript:`) && strings.HasPrefix(link, "javascript:") && got["sameAs"] != nil {
			t.Errorf("a link of %s", link)
		}
	})
}

// TestDescribe: what the source says is left as it is, and cut at a word where it is long.
func TestDescribe(t *testing.T) {
	for text, want := range map[string]string{
		"Bus stops.":                            "Bus stops.",
		" " + strings.Repeat("word ", 90):       strings.TrimSpace(strings.Repeat("word ", 90)),
		strings.Repeat("word ", 400):            strings.TrimSpace(strings.Repeat("word ", 99)) + "…",
		strings.Repeat("w", descriptionMax+100): strings.Repeat("w", descriptionMax-1) + "…",
	} {
		s := *rendertest.Scored()[0]
		s.Row = &catalog.Row{Entry: *s.Entry()}
		s.Row.Entry.Description = text
		if got := describe(rendertest.Site, &s); got != want {
			t.Errorf("%.20q… is %q", text, got)
		}
	}
}

// TestDownloads: the formats come first, then further files of a format.
func TestDownloads(t *testing.T) {
	file := func(name, format string) catalog.Distribution {
		return catalog.Distribution{DownloadURL: "https://x.example/" + name, Format: format}
	}
	for _, c := range []struct {
		files []catalog.Distribution
		want  []string
	}{
		{[]catalog.Distribution{file("1", "CSV"), file("2", "CSV")}, []string{"1", "2"}},
		{[]catalog.Distribution{file("1", "CSV"), file("2", "CSV"), file("3", "JSON"), file("4", "XML")}, []string{"1", "3", "4"}},
		{[]catalog.Distribution{file("1", "CSV"), file("2", "CSV"), file("2", "CSV"), file("3", "JSON")}, []string{"1", "3", "2"}},
	} {
		var got []string
		for _, d := range downloads(c.files, time.Time{}) {
			got = append(got, strings.TrimPrefix(d.ContentURL, "https://x.example/"))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}
