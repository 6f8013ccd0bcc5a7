package dynamic

import (
	"html"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

func TestSearchPageAnswersTheForm(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 60})
	put(t, s, site, map[string]string{"/search/index.html": "<p>the static page</p>"})
	for target, want := range map[string]string{
		"/search":                             "the static page",
		"/search?q=":                          "the static page",
		"/search?q=budget":                    `data-slug=`,
		"/fr/search?q=budget":                 `lang="fr"`,
		"/search?type=API&type=DATASET":       `value="DATASET" checked`,
		"/search?q=&type=API":                 `data-slug=`,
		"/search?q=budget&nonsense=1":         "nonsense",
		"/search?q=<script>alert(1)</script>": "&lt;script&gt;",
		"/search?q=zzzzzzzzzz":                "Nothing matches",
		"/search?type=API,DATASET,MCP_SERVER&page=2&verification_state=": `rel="prev"`,
	} {
		w := get(s, http.MethodGet, target, "Accept", "text/html")
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s answers %d without %q", target, w.Code, want)
		}
		if strings.Contains(w.Body.String(), "<script>alert") {
			t.Errorf("%s shows markup of the reader's", target)
		}
		if p := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(p, wire.PagePolicy) || !strings.Contains(p, "frame-ancestors 'none'") {
			t.Errorf("%s has the policy %q", target, p)
		}
	}
}

func TestSearchPageIsTheInterfacesAnswer(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 60})
	answer := decode[wire.SearchPage](t, get(s, http.MethodGet, "/api/v1/entries/search?q=budget&collapse=series"))
	if len(answer.Items) == 0 {
		t.Fatal("nothing is found")
	}
	body, at := get(s, http.MethodGet, "/search?q=budget").Body.String(), 0
	for _, i := range answer.Items {
		n := strings.Index(body[at:], `href="/entry/`+i.Entry.Slug+`"`)
		if n < 0 {
			t.Fatalf("%s is not on the page, or not in order", i.Entry.Slug)
		}
		at += n
	}
}

// A page says when what it lists has only a part of the words, and does not when all have all.
func TestSearchPageSaysWhatHasAPartOfTheWords(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 60})
	for q, match := range map[string]string{"budget": wire.MatchAll, "budget+maps+transport+air+ecole": wire.MatchSome, "qqxxqqxxqq": wire.MatchAll} {
		if answer := decode[wire.SearchPage](t, get(s, http.MethodGet, "/api/v1/entries/search?q="+q)); answer.Match != match {
			t.Errorf("%s: matches %s, want %s", q, answer.Match, match)
		}
		page := html.UnescapeString(get(s, http.MethodGet, "/fr/search?q="+q).Body.String())
		if says := strings.Contains(page, "n’en avoir qu’une partie"); says != (match == wire.MatchSome) {
			t.Errorf("%s: the page says that parts match: %t", q, says)
		}
	}
}

// TestFiltersCountWhatWasFound: the form counts the values of the question that was asked,
// and offers what the reader chose though nothing has it.
func TestFiltersCountWhatWasFound(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 60})
	body := sitetest.Institutions(sitetest.At)[2]
	found := decode[wire.SearchPage](t, get(s, http.MethodGet, "/api/v1/entries/search?q=budget&collapse=series")).Facets
	listed := decode[wire.FacetsPage](t, get(s, http.MethodGet, "/api/v1/entries/facets?collapse=series&institution_id="+body.ID)).Facets
	every := decode[wire.FacetsPage](t, get(s, http.MethodGet, "/api/v1/entries/facets?collapse=series")).Facets
	if len(found.Type) == 0 || len(listed.Lang) == 0 || len(found.InstitutionID) == 0 || site.Catalog == nil {
		t.Fatalf("nothing is counted: %+v, %+v", found, listed)
	}
	for _, c := range []struct {
		target, param string
		want          []snapshot.Count
	}{
		{"/search?q=budget", "type", found.Type}, {"/search?q=budget", "institution_id", found.InstitutionID}, {"/search?q=budget", "mqa_tier", found.Tier},
		{"/search?q=budget", "lang", found.Lang}, {"/search?q=budget", "free_access_class", found.FreeAccessClass}, {"/search?q=budget", "license", found.License},
		{"/search?institution_id=" + body.ID, "lang", listed.Lang},
		// What was chosen comes first, and what could be added to it follows with its counts.
		{"/search?institution_id=" + body.ID, "institution_id", first(body.ID, every.InstitutionID)},
		{"/search?q=budget&license=GPL-3.0-only", "license", first("GPL-3.0-only", found.License)},
	} {
		page := get(s, http.MethodGet, c.target).Body.String()
		rows := regexp.MustCompile(`name="`+c.param+`" value="([^"]+)"( checked)?> <span[^>]*>[^<]*</span> <span class=count>([0-9]+)<`).FindAllStringSubmatch(page, -1)
		if len(c.want) == 1 && !strings.Contains(c.target, c.param) && c.want[0].Count == all(found.Type) {
			continue // what all have narrows nothing
		}
		if len(rows) < min(len(c.want), 6) {
			t.Errorf("%s offers %d values of %s, want %+v", c.target, len(rows), c.param, c.want)
			continue
		}
		for i, row := range rows {
			if row[1] != c.want[i].Value || row[3] != strconv.Itoa(c.want[i].Count) || (row[2] != "") != strings.Contains(c.target, c.param+"="+row[1]) {
				t.Errorf("%s: %v, want %+v", c.target, row[1:], c.want[i])
			}
		}
	}
	page := get(s, http.MethodGet, "/search?period_start=2013&period_end=20x").Body.String()
	if !strings.Contains(page, `name="period_start" value="2013"`) || !strings.Contains(page, "period_end: use a year, a month or a day") {
		t.Errorf("the period: %s", page)
	}
}

// first puts the count of a value, 0 for none, before those of the others.
func first(value string, counts []snapshot.Count) []snapshot.Count {
	out := []snapshot.Count{{Value: value}}
	for _, n := range counts {
		if n.Value == value {
			out[0] = n
		} else {
			out = append(out, n)
		}
	}
	return out
}

// all adds up counts.
func all(counts []snapshot.Count) (n int) {
	for _, c := range counts {
		n += c.Count
	}
	return n
}

func TestComparePage(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 10})
	a, b := site.Catalog.Lines[0].Slug, site.Catalog.Lines[1].Slug
	for target, want := range map[string]string{
		"/compare?ids=" + a + "," + b:             `class="differs"`,
		"/compare?ids=" + a + "%20" + b:           "format=csv",
		"/compare?ids=" + a + "," + b + ",nobody": "nobody",
		"/compare?ids=" + a:                       `class="note bad"`,
		"/de/compare?ids=" + a + "," + b:          "verschieden",
	} {
		if w := get(s, http.MethodGet, target); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s answers %d without %q", target, w.Code, want)
		}
	}
}

// A browser that is lost gets a page; a program gets the problem.
func TestLostReadersGetAPage(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 5})
	put(t, s, site, map[string]string{"/404.html": "<h1>This page does not exist</h1>"})
	for _, c := range []struct{ target, accept, media string }{
		{"/nothing", "text/html,*/*", pages.HTML}, {"/nothing", "application/json", wire.MediaProblem}, {"/nothing", "", wire.MediaProblem},
		{"/api/v1/entries/nothing", "text/html,*/*", wire.MediaProblem}, {"/entry/nothing", "text/html", pages.HTML},
		{"/nothing.html", "text/html", pages.HTML}, {"/id/nothing", "text/html", pages.HTML}, {"/id/nothing.ttl", "text/html,*/*", wire.MediaProblem},
		{"/log/nothing", "text/html", wire.MediaProblem}, {"/nothing.json", "text/html", wire.MediaProblem}, {"/.well-known/nothing", "text/html", wire.MediaProblem},
		{"/s/2026-11-20-000000000000/api/v1/nothing", "text/html", wire.MediaProblem}, {"/health/nothing", "text/html", wire.MediaProblem},
		{"/id/nothing/croissant.json", "text/html", wire.MediaProblem},
	} {
		w := get(s, http.MethodGet, c.target, "Accept", c.accept)
		if w.Code != http.StatusNotFound || w.Header().Get("Content-Type") != c.media {
			t.Errorf("%s for %q answers %d as %s", c.target, c.accept, w.Code, w.Header().Get("Content-Type"))
		}
	}
	if w := get(s, http.MethodHead, "/nothing", "Accept", "text/html"); w.Code != http.StatusNotFound || w.Body.Len() > 0 {
		t.Errorf("HEAD answers %d with %d bytes", w.Code, w.Body.Len())
	}
}

func TestPageOfAnEntryHasOneAddress(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 5})
	l := site.Catalog.Lines[0]
	put(t, s, site, map[string]string{"/entry/" + l.Slug + "/index.html": "<h1>entry</h1>", "/assets/site.0123456789.css": "p{}"})
	w := get(s, http.MethodGet, "/entry/"+l.ID)
	if w.Code != http.StatusPermanentRedirect || w.Header().Get("Location") != "/entry/"+l.Slug {
		t.Errorf("%d to %q", w.Code, w.Header().Get("Location"))
	}
	if w := get(s, http.MethodGet, "/entry/"+l.Slug); w.Code != http.StatusOK || w.Header().Get("Content-Security-Policy") == "" {
		t.Errorf("%d with %v", w.Code, w.Header())
	}
	if w := get(s, http.MethodGet, "/assets/site.0123456789.css"); !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
		t.Errorf("asset with %v", w.Header())
	}
}

// A snapshot of another release has other assets; the service's own pages find
// theirs all the same.
func TestOwnAssets(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 5})
	body := get(s, http.MethodGet, "/search?q=budget").Body.String()
	_, rest, found := strings.Cut(body, `rel="stylesheet" href="`)
	if !found {
		t.Fatal("the page has no style")
	}
	style, _, _ := strings.Cut(rest, `"`)
	w := get(s, http.MethodGet, style)
	if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/css") || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
		t.Errorf("%s answers %d with %v", style, w.Code, w.Header())
	}
	if w := get(s, http.MethodGet, "/assets/none.css"); w.Code != http.StatusNotFound {
		t.Errorf("an unknown asset answers %d", w.Code)
	}
}

// The results are described in the reader's language where the entry is, by people or by a machine, with
// the words of the question marked in any form; elsewhere as the interface has it.
func TestResultsAreDescribedInTheReadersLanguage(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 60})
	answer := decode[wire.SearchPage](t, get(s, http.MethodGet, "/api/v1/entries/search?q=budget&collapse=series"))
	documents := map[string]string{}
	for i, r := range answer.Items {
		text := `{"nl-t-en":"Alle begrotingen & budgetten"}`
		if i%2 == 0 {
			text = `{"fr":"Les budgétaires prévues & votées","de-t-fr":"Die Haushalte"}`
		}
		documents["/api/v1/entries/"+r.Entry.ID] = `{"id":"` + r.Entry.ID + `","descriptions":` + text + `}`
	}
	put(t, s, site, documents)
	for target, want := range map[string]string{
		"/nl/search?q=budget":                    "Alle begrotingen &amp; <mark>budgetten</mark>",
		"/fr/search?q=budget":                    "Les <mark>budgétaires</mark> prévues &amp; votées",
		"/de/search?q=budget":                    "Die Haushalte",
		"/de/search?type=API,DATASET,MCP_SERVER": "Die Haushalte",
		"/de/search?q=budget&sort_by=name":       `lang="de"`,
		"/fr/search?q=budget&type=API,DATASET":   "votées",
	} {
		body := get(s, http.MethodGet, target).Body.String()
		if !strings.Contains(body, want) {
			t.Errorf("%s lacks %q", target, want)
		}
		if strings.Contains(body, "& b") || strings.Contains(body, "<script>") {
			t.Errorf("%s has text as markup", target)
		}
	}
	var slugs []string
	for _, r := range answer.Items[:6] {
		slugs = append(slugs, r.Entry.Slug)
	}
	for lang, want := range map[string]string{"/de": "Die Haushalte", "/nl": "Alle begrotingen", "/fr": "budgétaires"} {
		if body := get(s, http.MethodGet, lang+"/compare?ids="+strings.Join(slugs, ",")).Body.String(); !strings.Contains(body, want) {
			t.Errorf("the comparison in %s lacks %q", lang, want)
		}
	}
	if body := get(s, http.MethodGet, "/search?q=budget").Body.String(); strings.Contains(body, "votées") || strings.Contains(body, "begrotingen") {
		t.Error("the English page describes in another language what has no English description")
	}
}
