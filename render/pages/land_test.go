package pages

import (
	"bytes"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/rendertest"
)

// The first page of a register with one country says so, and draws that country with what its
// entries cover; the dots are as many entries as have an extent of their own.
func TestHomeOfOneCountry(t *testing.T) {
	rows := rendertest.Rows()
	small, whole := 0, 0
	n := 0
	for _, r := range rows {
		r.Entry.CountryCode = "BE"
		d := r.Entry.Dataset
		if d == nil || !r.Entry.Visible(rendertest.At) {
			continue
		}
		switch n++; n % 3 {
		case 0:
			d.Spatial = []string{"4.3,50.8,4.4,50.9", "https://sws.geonames.org/2800867/"}
			small++
		case 1:
			d.Spatial = [][]string{{"2.5,49.4,6.4,51.5"}, {"https://sws.geonames.org/2802361/"}}[n/3%2]
			whole++
		default:
			d.Spatial = []string{"https://sws.geonames.org/3337388/", "https://sws.geonames.org/1/", "http://places.example/51_84-3_37"}
		}
	}
	c := rendertest.Freeze(t, rendertest.Site, rendertest.At, rows)
	b := New().bookOf(c)
	if b.home() != "BE" {
		t.Fatalf("the register is of %q", b.home())
	}
	for lang, want := range map[string][]string{"en": {"Belgium: official public data", "Flanders", "Brussels"}, "nl": {"België: officiële overheidsdata", "Vlaanderen", "Brussel"}, "fr": {"Belgique : les données", "Région flamande"}} {
		main, err := homePage(b, locales()[lang])
		if err != nil {
			t.Fatal(err)
		}
		body, err := b.component(&Head{Lang: lang, Route: "/", Translated: true}, main)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range append(want, `class="m1"`, "<circle") {
			if !bytes.Contains(body, []byte(text)) {
				t.Errorf("the first page in %s lacks %q", lang, text)
			}
		}
		if strings.Contains(string(body), "GeoNames") || strings.Contains(string(body), "places.example") {
			t.Errorf("the first page in %s has the number or the address of a place", lang)
		}
	}
	land := b.coverage(locales()["en"])
	if land == nil || !strings.Contains(land.Lead, locales()["en"].number(whole)+" cover the whole country. "+locales()["en"].number(small)+" state") {
		t.Errorf("%d cover the country and %d less: %+v", whole, small, land)
	}
}
