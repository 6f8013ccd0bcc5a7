package iso19115

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

// reader is a connector of one document.
type reader struct{}

func (reader) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	r, err := in.Open(ctx)
	if err != nil {
		return err
	}
	return Read(ctx, r, Origin{In: &in, Kind: "iso", Place: in.Name, Seed: in.PageURL()}, emit, reject)
}

func run(t testing.TB, data []byte) sourcetest.Outcome {
	t.Helper()
	o := sourcetest.Run(t, reader{}, feedtest.File("records.xml", data, "https://geo.example.gov/"))
	feedtest.CheckOutcome(t, o)
	return o
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func one(t testing.TB, name string) *source.Draft {
	t.Helper()
	o := run(t, fixture(t, name))
	if len(o.Drafts) != 1 || len(o.Rejections) != 0 {
		t.Fatalf("%s: %d drafts, %v", name, len(o.Drafts), o.Rejections)
	}
	return &o.Drafts[0]
}

// TestDataset reads one record as a profile of ISO 19139 and as ISO 19115-3.
func TestDataset(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"dataset-19139.xml", "dataset-19115-3.xml"} {
		d := one(t, file)
		e := &d.Entry
		day := func(at time.Time) string { return at.Format(time.DateOnly) }
		for _, c := range []struct{ field, got, want string }{
			{"type", string(e.Type), "DATASET"}, {"ref", e.UpstreamRef, "geo.example.gov:iso:6f1c0a52-0b51-4a6e-9b07-1f0f6b3d7a10"},
			{"name", e.Name, "Grundwasserstände"}, {"name_en", e.NameEn, "Groundwater levels"}, {"language", e.NativeLang, "de"},
			{"titles", fmt.Sprint(e.Titles), "map[de:Grundwasserstände en:Groundwater levels fr:Niveaux des eaux souterraines rm:Nivels da l'aua sutterrana]"},
			{"descriptions", fmt.Sprint(e.Descriptions), "map[de:Pegel aller Messstellen. en:Levels of all stations.]"},
			{"keywords", fmt.Sprint(e.Keywords), "map[de:[Brunnen, Quellen Erdbeobachtung und Umwelt Grundwasser Verkehrsnetze] en:[groundwater] fr:[eaux souterraines]]"},
			{"alternative", fmt.Sprint(e.AlternativeTitles), "[GW-Pegel]"}, {"languages", fmt.Sprint(e.Languages), "[de]"},
			{"description", e.Description, "Pegel aller Messstellen."}, {"description_en", e.DescriptionEn, "Levels of all stations."},
			{"identifiers", fmt.Sprint(e.Identifiers), "[https://doi.org/10.12345/gw.7 https://water.example.gov/id/gw-7]"},
			{"address", e.PrimarySourceURL, "https://water.example.gov/levels"}, {"landing page", e.Dataset.LandingPage, "https://water.example.gov/levels"},
			{"docs", e.DocsURL, "https://water.example.gov/about-levels"},
			{"publisher", d.PublisherName, "Umweltministerium"}, {"publisher page", d.PublisherURL, "https://water.example.gov/"},
			{"publisher IRI", e.Publisher.IRI, "https://id.example.gov/org/ministry"}, {"publisher in French", e.Publisher.Names["fr"], "Ministère de l'environnement"},
			{"rights holder", e.RightsHolder.Names["de"], "Kanton Beispiel"}, {"creator", e.Creators[0].Names["de"], "Institut für Hydrologie"},
			{"contact", e.Contact.Email, "info@water.example.gov"},
			{"access", string(e.AccessRights), "PUBLIC"}, {"licence", e.LicenseRaw, "https://creativecommons.org/licenses/by/4.0/"},
			{"themes", fmt.Sprint(e.Themes), "[ENVI TRAN]"}, {"hvd", fmt.Sprint(e.HVDCategories), "[c_dd313021]"},
			{"subjects", fmt.Sprint(e.Subjects), "[http://data.europa.eu/bna/c_dd313021 http://inspire.ec.europa.eu/theme/tn inlandWaters]"},
			{"issued", day(e.SourceIssuedAt), "2019-03-01"}, {"modified", day(e.SourceModifiedAt), "2024-05-22"}, {"version", e.Dataset.Version, "2.1"},
			{"frequency", e.Dataset.Frequency, "MONTHLY"}, {"spatial", strings.Join(e.Dataset.Spatial, " "), "5.956,45.818,10.4921,47.808 Schweiz"},
			{"start", day(e.Dataset.TemporalStart), "2001-01-01"}, {"end", day(e.Dataset.TemporalEnd), "0001-01-01"},
			{"formats", fmt.Sprint(e.Formats), "[CSV GPKG JSON WMS_SRVC]"}, {"conforms", fmt.Sprint(e.ConformsTo), "[http://data.europa.eu/eli/reg/2010/1089]"},
			{"relation", fmt.Sprint(e.Relations), "[{in_series geo.example.gov:iso:aaaaaaaa-0b51-4a6e-9b07-1f0f6b3d7a10  }]"},
		} {
			if c.got != c.want {
				t.Errorf("%s: %s: got %q, want %q", file, c.field, c.got, c.want)
			}
		}
		files(t, file, e.Dataset.Distributions)
	}
}

func files(t *testing.T, file string, got []catalog.Distribution) {
	t.Helper()
	want := []catalog.Distribution{
		{Title: "Alle Pegel", AccessURL: "https://water.example.gov/gw.zip", DownloadURL: "https://water.example.gov/gw.zip", Format: "CSV", ByteSize: 1572864},
		{AccessURL: "https://maps.example.gov/wms", Format: "WMS_SRVC"},
		{Title: "Niveaux", AccessURL: "https://water.example.gov/levels-fr.json", DownloadURL: "https://water.example.gov/levels-fr.json", Format: "JSON",
			Description: "Dataset;JSON;fra,eng", Languages: []string{"fr", "en"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: distributions\ngot  %+v\nwant %+v", file, got, want)
	}
}

// One record in two profiles has one identity and one content.
func TestProfilesAgree(t *testing.T) {
	t.Parallel()
	a, b := one(t, "dataset-19139.xml").Entry, one(t, "dataset-19115-3.xml").Entry
	if !reflect.DeepEqual(a, b) {
		t.Errorf("got  %+v\nwant %+v", b, a)
	}
}

func TestService(t *testing.T) {
	t.Parallel()
	o := run(t, fixture(t, "others.xml"))
	e := o.ByName(t, "Groundwater features").Entry
	refs := []string{}
	for _, r := range e.Relations {
		refs = append(refs, string(r.Kind)+" "+r.Ref+" "+r.Title)
	}
	for _, c := range []struct{ field, got, want string }{
		{"type", string(e.Type), "API"}, {"format", e.API.SpecFormat, "ogc-wfs"}, {"endpoint", e.API.BaseURL, "https://maps.example.gov/wfs?map=gw"},
		{"address", e.PrimarySourceURL, "https://maps.example.gov/wfs?map=gw&SERVICE=WFS&REQUEST=GetCapabilities"}, {"ping", e.API.PingURL, e.PrimarySourceURL},
		{"version", e.API.Version, "2.0.0"}, {"access", string(e.AccessRights), "RESTRICTED"},
		{"serves", strings.Join(refs, ","), "serves_dataset geo.example.gov:iso:6f1c0a52-0b51-4a6e-9b07-1f0f6b3d7a10 Groundwater levels," +
			"serves_dataset geo.example.gov:iso:data-2 ,serves_dataset geo.example.gov:iso:12345678-0b51-4a6e-9b07-1f0f6b3d7a10 "},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.field, c.got, c.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	o := run(t, fixture(t, "others.xml"))
	want := map[source.Code]int{source.CodeNotData: 1, source.CodeMissingName: 1, source.CodeInvalidField: 1, source.CodeMissingURL: 1, source.CodeTest: 1}
	if fmt.Sprint(o.Codes()) != fmt.Sprint(want) || len(o.Drafts) != 1 {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
	app := o.Rejections[0]
	if app.Place != "records.xml:24" || app.UpstreamRef != "geo.example.gov:iso:app-1" || !strings.Contains(app.Reason, `"application"`) {
		t.Errorf("%+v", app)
	}
	for name, c := range map[string]struct {
		in   string
		code source.Code
	}{
		"empty": {"", source.CodeNoRecords}, "RDF": {"<RDF/>", source.CodeNoRecords}, "HTML": {"<!DOCTYPE html><html>", source.CodeBrokenXML},
		"breaks off": {"<MD_Metadata><a>", source.CodeBrokenXML}, "entities": {`<!DOCTYPE a [<!ENTITY b "c">]><a/>`, source.CodeBrokenXML},
	} {
		if o := run(t, []byte(c.in)); len(o.Drafts) != 0 || o.Codes()[c.code] != 1 || len(o.Rejections) != 1 {
			t.Errorf("%s: %v", name, o.Rejections)
		}
	}
}

// record is a record with parts in the identification of a dataset.
func inRecord(parts string) []byte {
	return []byte(`<MD_Metadata><fileIdentifier><CharacterString>x</CharacterString></fileIdentifier><metadataLinkage><CI_OnlineResource><linkage><CharacterString>https://geo.example.gov/x</CharacterString></linkage></CI_OnlineResource></metadataLinkage>` +
		`<identificationInfo><MD_DataIdentification><citation><CI_Citation><title><CharacterString>Name</CharacterString></title></CI_Citation></citation>` + parts + `</MD_DataIdentification></identificationInfo></MD_Metadata>`)
}

func constraint(parts string) string {
	return "<resourceConstraints><MD_LegalConstraints>" + parts + "</MD_LegalConstraints></resourceConstraints>"
}

func TestRights(t *testing.T) {
	t.Parallel()
	const (
		access = `<accessConstraints><MD_RestrictionCode codeListValue="otherRestrictions"/></accessConstraints>`
		usage  = `<useConstraints><MD_RestrictionCode codeListValue="otherRestrictions"/></useConstraints>`
	)
	other := func(s string) string {
		return "<otherConstraints><CharacterString>" + s + "</CharacterString></otherConstraints>"
	}
	anchor := func(iri string) string {
		return `<otherConstraints><Anchor href="` + iri + `">text</Anchor></otherConstraints>`
	}
	limit := "<useLimitation><CharacterString>No guarantee.</CharacterString></useLimitation>"
	for _, c := range []struct{ name, in, rights, licence string }{
		{"nothing", "", "", ""},
		{"words for no limitations", constraint(access + other("Pas de restriction d'accès public")), "PUBLIC", ""},
		{"EU table", constraint(anchor("http://publications.europa.eu/resource/authority/access-right/NON_PUBLIC")), "NON_PUBLIC", ""},
		{"unrestricted", constraint(`<accessConstraints><MD_RestrictionCode codeListValue="unrestricted"/></accessConstraints>`), "PUBLIC", ""},
		{"restricted by the text of the code", constraint(`<accessConstraints><MD_RestrictionCode codeListValue="RI_608">restricted; restreint</MD_RestrictionCode></accessConstraints>`), "RESTRICTED", ""},
		{"secret", `<resourceConstraints><MD_SecurityConstraints><classification><MD_ClassificationCode codeListValue="secret"/></classification></MD_SecurityConstraints></resourceConstraints>`, "NON_PUBLIC", ""},
		{"a licence says nothing of access", constraint(`<accessConstraints><MD_RestrictionCode codeListValue="license"/></accessConstraints>` + other("CC BY 4.0")), "", "CC BY 4.0"},
		{"a licence before a limitation", constraint(limit + usage + other("Ask us.") + other("Licence Ouverte 2.0")), "", "Licence Ouverte 2.0"},
		{"no conditions", constraint(usage + anchor("http://inspire.ec.europa.eu/metadata-codelist/ConditionsApplyingToAccessAndUse/noConditionsApply")), "", "text"},
		{"a licence before no conditions", constraint(usage + other("No conditions apply to access and use") + other("CC BY 4.0")), "", "CC BY 4.0"},
		{"no conditions in words", constraint(other("Aucune restriction")), "", "Aucune restriction"},
		{"a limitation alone", constraint(limit), "", "No guarantee."},
		{"the licence among anchors", constraint(usage + anchor("https://portal.example/terms-of-use#by") + anchor("https://creativecommons.org/licenses/by/4.0/")), "", "https://creativecommons.org/licenses/by/4.0/"},
		{"ISO 19115-3 reference", constraint(`<reference><CI_Citation><title><CharacterString>OGL</CharacterString></title><onlineResource><CI_OnlineResource><linkage><CharacterString>https://example.gov/ogl</CharacterString></linkage></CI_OnlineResource></onlineResource></CI_Citation></reference>`), "", "https://example.gov/ogl"},
	} {
		e := run(t, inRecord(c.in)).Drafts[0].Entry
		if string(e.AccessRights) != c.rights || e.LicenseRaw != c.licence {
			t.Errorf("%s: %q, %q", c.name, e.AccessRights, e.LicenseRaw)
		}
	}
}

func TestBoundingBox(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"5.9 45.8 10.5 47.8": {"5.9,45.8,10.5,47.8"}, "5,9 45,8 10,5 47,8": {"5.9,45.8,10.5,47.8"}, "1.234,5 45 10 47": nil, "5.9 47.8 10.5 45.8": nil, "5.9 45.8 10.5 91": nil,
	} {
		parts := "<extent><EX_Extent><geographicElement><EX_GeographicBoundingBox>"
		for i, side := range strings.Fields(in) {
			name := []string{"westBoundLongitude", "southBoundLatitude", "eastBoundLongitude", "northBoundLatitude"}[i]
			parts += "<" + name + "><Decimal>" + side + "</Decimal></" + name + ">"
		}
		parts += "</EX_GeographicBoundingBox></geographicElement></EX_Extent></extent>"
		if got := run(t, inRecord(parts)).Drafts[0].Entry.Dataset.Spatial; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestBoundingPolygon(t *testing.T) {
	t.Parallel()
	polygon := func(attr, numbers string) string {
		return "<extent><EX_Extent><geographicElement><EX_BoundingPolygon><polygon><MultiSurface><surfaceMember><Polygon" + attr + "><exterior><LinearRing>" + numbers +
			"</LinearRing></exterior></Polygon></surfaceMember></MultiSurface></polygon></EX_BoundingPolygon></geographicElement></EX_Extent></extent>"
	}
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"longitude first":   {polygon("", "<posList>5.9 45.8 10.5 45.8 10.5 47.8 5.9 45.8</posList>"), []string{"5.9,45.8,10.5,47.8"}},
		"latitude first":    {polygon(` srsName="urn:ogc:def:crs:EPSG::4326"`, "<posList>45.8 5.9 47.8 10.5</posList>"), []string{"5.9,45.8,10.5,47.8"}},
		"three dimensions":  {polygon("", `<posList srsDimension="3">5.9 45.8 100 10.5 47.8 200</posList>`), []string{"5.9,45.8,10.5,47.8"}},
		"points":            {polygon("", "<pos>5.9 45.8</pos><pos>10.5 47.8</pos>"), []string{"5.9,45.8,10.5,47.8"}},
		"GML 2":             {polygon("", "<coordinates>5.9,45.8 10.5,47.8</coordinates>"), []string{"5.9,45.8,10.5,47.8"}},
		"metres":            {polygon(` srsName="EPSG:21781"`, "<posList>600000 200000 610000 210000</posList>"), nil},
		"off the globe":     {polygon("", "<posList>600 20 610 21</posList>"), nil},
		"no numbers":        {polygon("", "<posList>a b</posList>"), nil},
		"an odd coordinate": {polygon("", "<posList>5.9 45.8 10.5</posList>"), nil},
	} {
		if got := run(t, inRecord(c.in)).Drafts[0].Entry.Dataset.Spatial; !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func FuzzISO(f *testing.F) {
	f.Add(fixture(f, "dataset-19139.xml"))
	f.Add(fixture(f, "dataset-19115-3.xml"))
	f.Add(fixture(f, "others.xml"))
	f.Add(inRecord(constraint("<useLimitation/>")))
	f.Fuzz(func(t *testing.T, data []byte) { run(t, bytes.Clone(data)) })
}
