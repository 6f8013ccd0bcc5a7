package apigouvfr

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

func tree(dir string) source.Input {
	return source.Input{Name: "api-gouv-fr", Files: os.DirFS(dir), Source: catalog.Source{ID: "s", URL: "https://api.gouv.fr/"}}
}

func archive(data []byte) source.Input {
	in := tree("")
	in.Files = nil
	in.Open = func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	return in
}

func rowOf(d *source.Draft, field string) catalog.FieldRow {
	for _, r := range d.Rows {
		if r.Field == field {
			return r
		}
	}
	return catalog.FieldRow{}
}

func TestMapping(t *testing.T) {
	o := sourcetest.Run(t, Connector{}, tree("testdata"))
	if got := o.Codes(); !maps.Equal(got, map[source.Code]int{source.CodeMissingName: 1, source.CodeFrontMatter: 2}) || len(o.Drafts) != 3 {
		t.Fatalf("%d drafts, rejections %v", len(o.Drafts), o.Rejections)
	}
	d := o.ByName(t, "API Marées")
	e := d.Entry
	want := "Les heures des pleines mers\n\nUne introduction avec un lien.\n\nPrésentation\n\nLe texte.\n\nRechercher une autre API"
	if e.Description != want {
		t.Errorf("description %q", e.Description)
	}
	if e.HomepageURL != "https://marees.exemple.gouv.fr" || rowOf(d, "homepage_url").UpstreamField != "extrenal_site" ||
		!strings.Contains(rowOf(d, "homepage_url").Note, "misspelt") {
		t.Errorf("misspelt key: %q, %+v", e.HomepageURL, rowOf(d, "homepage_url"))
	}
	if e.API.OpenAPIURL != "https://api.gouv.fr/swaggers/marees.json" || e.RepoURL != "https://github.com/service-maritime/marees" ||
		e.PrimarySourceURL != e.HomepageURL || e.SourceSeedURL != "https://api.gouv.fr/les-api/api-marees" {
		t.Errorf("addresses %+v %+v", e, e.API)
	}
	if e.FreeAccessClass != catalog.AccessFreeNoAuth || e.AuthType != catalog.AuthNone || e.Contact.Email != "contact.marees@exemple.gouv.fr" {
		t.Errorf("access and contact %+v", e)
	}
	if len(e.Limits) != 3 || e.Limits[0].PeriodSeconds != 1 || e.Limits[1].Quantity != 2000 || e.Limits[1].PeriodSeconds != 600 ||
		e.Limits[2].Quantity != 0 || e.API.RateLimitInfo != "Voir les conditions." {
		t.Errorf("limits %+v %q", e.Limits, e.API.RateLimitInfo)
	}
	if !slices.Equal(e.Tags, []string{"administration & législation", "marées", "mer ports", "transport"}) || !slices.Equal(e.Themes, []string{"GOVE", "TRAN"}) {
		t.Errorf("tags %q, themes %q", e.Tags, e.Themes)
	}
	if e.UpstreamRef != "api.gouv.fr:api-gouv-fr:api-marees" || e.SourceModifiedAt.Format("2006-01-02") != "2021-11-23" ||
		d.PublisherKey != "fr-service-maritime" || e.PublisherName != "Service maritime" || d.PublisherURL != "https://www.maritime.exemple.gouv.fr" {
		t.Errorf("draft %+v", d)
	}
}

func TestQuirks(t *testing.T) {
	o := sourcetest.Run(t, Connector{}, tree("testdata"))
	d := o.ByName(t, "API Fermée")
	e := d.Entry
	if e.HomepageURL != "" || rowOf(d, "homepage_url").Basis != catalog.BasisNotDelivered {
		t.Errorf("an intranet address was kept: %+v", rowOf(d, "homepage_url"))
	}
	if e.DocsURL != "https://exemple.gouv.fr/api/redoc/" || e.API.OpenAPIURL != "" || e.Contact.URL == "" {
		t.Errorf("addresses %+v", e)
	}
	if e.FreeAccessClass != "" || e.AccessRights != catalog.RightsRestricted || e.AuthType != "" || !e.SourceModifiedAt.IsZero() ||
		rowOf(d, "source_modified_at").Basis != catalog.BasisNotDelivered {
		t.Errorf("access and date %+v", e)
	}
	zero := o.ByName(t, "API Zéro").Entry
	if zero.FreeAccessClass != catalog.AccessFreeKey || zero.PrimarySourceURL != "https://api.gouv.fr/les-api/API_Zero" || zero.Description != "Texte." {
		t.Errorf("bare page %+v", zero)
	}
	for _, r := range o.Rejections {
		if r.UpstreamRef == "" || r.Reason == "" || r.Remedy == "" {
			t.Errorf("rejection %+v", r)
		}
	}
}

func TestArchives(t *testing.T) {
	var tgz, zipped bytes.Buffer
	z := gzip.NewWriter(&tgz)
	tw, zw := tar.NewWriter(z), zip.NewWriter(&zipped)
	files := os.DirFS("testdata")
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if err := tw.WriteHeader(&tar.Header{Name: "repo-main/_data/" + name, Size: int64(len(data)), Mode: 0o644, Typeflag: tar.TypeReg}); err != nil {
			return err
		}
		if _, err := tw.Write(data); err != nil {
			return err
		}
		w, err := zw.Create("repo-main/_data/" + name)
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_, _, _ = tw.Close(), z.Close(), zw.Close()
	for name, data := range map[string][]byte{"tar.gz": tgz.Bytes(), "zip": zipped.Bytes()} {
		if o := sourcetest.Run(t, Connector{}, archive(data)); len(o.Drafts) != 3 || len(o.Rejections) != 3 {
			t.Errorf("%s: %d drafts, %v", name, len(o.Drafts), o.Codes())
		}
	}
	o := sourcetest.Run(t, Connector{}, archive(tgz.Bytes()[:tgz.Len()-40]))
	if o.Codes()[source.CodeTruncatedGzip] != 1 || len(o.Drafts) == 0 {
		t.Errorf("truncated: %d drafts, %v", len(o.Drafts), o.Codes())
	}
}

func TestRealCatalogue(t *testing.T) {
	o := sourcetest.Run(t, Connector{}, tree(sourcetest.Shared(t, "data/api-gouv-fr")))
	t.Logf("%d drafts, %v", len(o.Drafts), o.Codes())
	if len(o.Drafts) != 114 || len(o.Rejections) != 0 {
		t.Fatalf("%d drafts, rejections %v", len(o.Drafts), o.Rejections)
	}
	unnamed := 0
	for _, d := range o.Drafts {
		if strings.Contains(d.Entry.Description, "<Button") || strings.Contains(d.Entry.Description, "](http") {
			t.Errorf("%s: markup is left in the description", d.Place)
		}
		if d.Entry.SourceModifiedAt.IsZero() || (d.Entry.FreeAccessClass == "") != d.Entry.AccessRights.Excludes() || d.PublisherKey == "" {
			t.Errorf("%s: incomplete: %+v", d.Place, d.Entry)
		}
		if strings.Contains(rowOf(&d, "publisher_name").Note, "no page") {
			unnamed++
		}
	}
	if unnamed > 0 {
		t.Errorf("%d producers without a page", unnamed)
	}
	d := o.ByName(t, "API Ingres - Nomenclatures")
	if d.Entry.API.OpenAPIURL != "https://api.gouv.fr/swaggers/api-ingres-nomenclatures-V2.json" || d.Entry.HomepageURL != "" {
		t.Errorf("quirk 20: %+v", d.Entry)
	}
	if c := o.ByName(t, "API Service Finances Publiques (SFiP)").Entry.Contact; c == nil || !strings.HasSuffix(c.Email, "@dgfip.finances.gouv.fr") {
		t.Errorf("quirk 21: %+v", c)
	}
}

func FuzzFrontMatter(f *testing.F) {
	for _, name := range []string{"api-marees", "api-fermee", "yaml-casse", "API_Zero"} {
		data, err := os.ReadFile("testdata/api/" + name + ".md")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	in := tree("testdata")
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parse(data)
		if err != nil {
			return
		}
		m := mapper{in: &in, host: "api.gouv.fr"}
		if d, bad := m.draft("x", "x", "x", &p); bad == nil {
			if err := catalog.CheckURL("primary_source_url", d.Entry.PrimarySourceURL); err != nil {
				t.Fatal(err)
			}
			if err := catalog.CheckText("description", d.Entry.Description, catalog.DescriptionMax); err != nil {
				t.Fatal(err)
			}
		}
	})
}
