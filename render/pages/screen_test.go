package pages

import (
	"bytes"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates"
	"github.com/assay-register/assay/templates/forms"
)

// screensOf renders each kind of page that the service makes, in every
// language that it has.
func screensOf(p *Pages, c *snapshot.Catalog) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, lang := range Languages() {
		found, err := p.Search(c, lang, url.Values{"q": {"rivers"}}, &Found{Total: 3, Page: 1, TotalPages: 1})
		if err != nil {
			return nil, err
		}
		compared, err := p.Compare(c, lang, "a,b", nil, "no such entries")
		if err != nil {
			return nil, err
		}
		out["search "+lang], out["compare "+lang] = found, compared
	}
	sheet := &forms.Sheet{Values: map[string]string{"url": "https://a.example/"}}
	for id, main := range map[string]Main{"submit": (*forms.Submit)(sheet), "report": (*forms.Report)(sheet), "watch": (*forms.Watch)(sheet), "login": (*forms.Login)(sheet)} {
		body, err := p.Screen(c, Screen{ID: id, Main: main})
		if err != nil {
			return nil, err
		}
		out[id] = body
	}
	return out, nil
}

// TestPagesAreTheSameAtTheSameTime renders from many goroutines, with one
// renderer whose templates are parsed meanwhile.
func TestPagesAreTheSameAtTheSameTime(t *testing.T) {
	c := rendertest.Catalog(t)
	want, err := screensOf(New(), c)
	if err != nil {
		t.Fatal(err)
	}
	p := New()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			got, err := screensOf(p, c)
			if err != nil {
				t.Error(err)
			}
			for name, body := range got {
				if !bytes.Equal(body, want[name]) {
					t.Errorf("%s differs", name)
				}
			}
		})
	}
	all.Wait()
}

// BenchmarkSearchPage renders the page of a search, on as many cores as there
// are; BenchmarkScreen that of a form.
func BenchmarkSearchPage(b *testing.B) {
	p, c, asked := New(), rendertest.Catalog(b), url.Values{"q": {"rivers"}, "type": {"API"}}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := p.Search(c, "fr", asked, &Found{Total: 3, Page: 1, TotalPages: 1}); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func BenchmarkScreen(b *testing.B) {
	p, c, sheet := New(), rendertest.Catalog(b), &forms.Watch{}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := p.Screen(c, Screen{ID: "watch", Main: sheet}); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func TestPreferred(t *testing.T) {
	for accept, want := range map[string]string{
		"": "en", "*": "en", "fr": "fr", "de-AT,de;q=0.9,en;q=0.5": "de", "fr-CA": "fr", "el,sv;q=0.9": "en", "en;q=0.5,fr;q=0.9": "fr", "el,de;q=0.3": "de",
		"fr;q=0": "en", ";;;,,": "en", strings.Repeat("a-", 5000): "en",
	} {
		if got := Preferred(accept); got != want {
			t.Errorf("%.40q is answered in %s, not %s", accept, got, want)
		}
	}
}

// TestAScreenSpeaksTheReadersLanguage and falls back to English.
func TestAScreenSpeaksTheReadersLanguage(t *testing.T) {
	p, c := New(), rendertest.Catalog(t)
	for lang, want := range map[string]string{"": "Confirm your watch", "fr": "Confirmez", "de": "Bestätigen", "xx": "Confirm your watch"} {
		body, err := p.Screen(c, Screen{ID: "watch-step", Lang: lang, TitleKey: "watch.confirm", Main: &forms.WatchStep{Step: "confirm", Button: true}})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(body, []byte("<title>"+want)) || bytes.Contains(body, []byte(missing)) {
			t.Errorf("%q: %s", lang, body)
		}
	}
}

// What is wrong with a form is said with the labels of its fields in the reader's language.
func TestTroubleNamesFieldsAsTheFormDoes(t *testing.T) {
	p, c := New(), rendertest.Catalog(t)
	sheet := &forms.Sheet{Values: map[string]string{}, Problem: &templates.Trouble{Status: 422, Text: "x", Fields: map[string]string{"entry": "a", "contact_email": "b", "strange": "c"}}}
	for lang, want := range map[string][]string{"en": {"Entry", "Your mail address"}, "de": {"Eintrag", "Ihre Mailadresse"}, "fr": {"Entrée"}, "nl": {"Vermelding"}} {
		body, err := p.Screen(c, Screen{ID: "report", Lang: lang, Main: (*forms.Report)(sheet)})
		if err != nil {
			t.Fatal(err)
		}
		for _, label := range want {
			if !bytes.Contains(body, []byte("<li><b>"+label+"</b>")) {
				t.Errorf("%s: the summary does not name %q", lang, label)
			}
		}
		if bytes.Contains(body, []byte(">contact_email<")) || !bytes.Contains(body, []byte(">strange<")) {
			t.Errorf("%s: a field is named as programs do, or one is lost", lang)
		}
	}
}

// TestCompareWarnsOfFormulas finds the warning and the safe file beside the CSV
// of a comparison, in every language.
func TestCompareWarnsOfFormulas(t *testing.T) {
	t.Parallel()
	c, p := rendertest.Catalog(t), New()
	for lang, warning := range map[string]string{"en": "run a text that begins with =, +, - or @", "de": "als Formel ausführen", "fr": "comme formule un texte"} {
		m := &wire.ComparisonMatrix{Entries: []wire.Ref{{ID: "1", Slug: "a", Name: "A"}, {ID: "2", Slug: "b", Name: "B"}}, Rows: []wire.MatrixRow{{Field: "name", Values: []any{"A", "B"}}}}
		body, err := p.Compare(c, lang, "a,b", m, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{warning, `format=csv&amp;ids=a%2Cb"`, `format=csv&amp;ids=a%2Cb&amp;safe=1"`} {
			if !strings.Contains(string(body), want) {
				t.Errorf("%s: no %s", lang, want)
			}
		}
	}
}
