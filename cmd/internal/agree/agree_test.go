package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fixture is a page of testdata beside what the register publishes of its entry; from and to doctor
// its HTML, or its JSON where that holds from.
func fixture(t *testing.T, name, lang, from, to string) *subject {
	t.Helper()
	page, err := os.ReadFile("testdata/" + name + "." + lang + ".html")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	page = bytes.ReplaceAll(page, []byte("\u00a0"), []byte(" "))
	switch {
	case from == "":
	case bytes.Contains(page, []byte(from)):
		page = bytes.Replace(page, []byte(from), []byte(to), 1)
	case bytes.Contains(data, []byte(from)):
		data = bytes.Replace(data, []byte(from), []byte(to), 1)
	default:
		t.Fatalf("%s has no %q to be doctored", name, from)
	}
	var published struct {
		Entry   *entry
		Score   *score
		Origins map[string]string
		Badges  map[string]string
	}
	if err := json.Unmarshal(data, &published); err != nil {
		t.Fatal(err)
	}
	s := &subject{words: vocabulary[lang], lang: lang, route: "/entry/" + published.Entry.Slug, entry: published.Entry, score: published.Score,
		origins: map[string][]string{}, badges: published.Badges, compared: map[string]int{}, states: map[string]string{}}
	for field, basis := range published.Origins {
		s.origins[field] = []string{basis}
	}
	if lang != "en" {
		s.route = "/" + lang + s.route
	}
	if err := s.open(page); err != nil {
		t.Fatal(err)
	}
	for _, slug := range []string{"registar-privrednih-drustava-otvoreni-podaci", "zefix-publicrest-api", "legifrance"} {
		s.states[slug] = "VERIFIED"
	}
	s.states["parliament-mcp"] = "UNVERIFIED"
	if s.forms, err = readForms("../../../render/usage/testdata/forms.json"); err != nil {
		t.Fatal(err)
	}
	return s
}

// found are the faults of some pages of one entry.
func found(list ...*subject) string {
	r := newReport()
	for _, s := range list {
		s.judge()
	}
	if len(list) > 1 {
		compare(list)
	}
	for _, s := range list {
		r.add(s)
	}
	faults := r.words()
	for _, of := range r.faults {
		faults = append(faults, of...)
	}
	return strings.Join(faults, "\n")
}

func TestPagesThatAgree(t *testing.T) {
	compared := map[string]int{}
	en, de, server := fixture(t, "dataset", "en", "", ""), fixture(t, "dataset", "de", "", ""), fixture(t, "server", "en", "", "")
	if faults := found(en, de); faults != "" {
		t.Error(faults)
	}
	if faults := found(server); faults != "" {
		t.Error(faults)
	}
	for _, s := range []*subject{en, de, server} {
		for rule, n := range s.compared {
			compared[rule] += n
		}
	}
	for _, name := range ruleNames() {
		if compared[name] == 0 && name != oneWord {
			t.Errorf("%s had nothing to compare", name)
		}
	}
}

// doctored are pages that contradict themselves or what is published of them: each rule has some.
var doctored = []struct{ rule, page, from, to, want string }{
	{"language", "dataset.en", `<html lang="en">`, `<html lang="fr">`, `is in "fr"`},
	{"language", "dataset.en", `hreflang="nl"`, `hreflang="sv"`, `does not name its page in nl`},
	{"language", "dataset.de", `lang="de" href="/de/entry/mitroo-engegrammenon-etaireion-kyprou" aria-current`, `lang="de" href="/de/entry/mitroo-engegrammenon-etaireion-kyprou" data-no`, `marks de`},
	{"terms", "dataset.en", `Free to use with attribution`, `No licence is stated`, `says "No licence is stated", and the register knows terms: true`},
	{"terms", "dataset.en", `<h2>What you may do</h2>`, `<h2>What you may do</h2><p>Without a licence, assume nothing.</p>`, `says "Without a licence"`},
	{"terms", "dataset.en", `"CC-BY-4.0",`, `"CC-BY-NC-4.0",`, `says "Free to use`},
	{"terms", "dataset.en", "\"commercial_use\": {\n    \"status\": \"known\",\n    \"value\": true", "\"commercial_use\": {\n    \"status\": \"known\",\n    \"value\": false", `of a licence that does not allow it`},
	{"terms", "dataset.en", "\"commercial_use\": {\n    \"status\": \"known\",\n    \"value\": true", "\"commercial_use\": {\n    \"status\": \"unknown\",\n    \"value\": null", `of a licence that does not allow it`},
	{"terms", "dataset.en", `Modification: Yes`, `Modification: No`, `says "Free to use.*and "No" of a right`},
	{"terms", "dataset.en", `Free to use with attribution`, `Free to use, without conditions`, `of a licence with duties`},
	{"terms", "dataset.de", `Frei verwendbar mit Namensnennung`, `Frei verwendbar mit Namensnennung, zu gleichen Bedingungen`, `the same terms are asked: false`},
	{"terms", "dataset.en", `translate=no>CC BY 4.0`, `translate=no>Other terms: CC BY 4.0`, `names "Free to use.*Other terms`},
	{"terms", "dataset.en", `href="https://creativecommons.org/licenses/by/4.0/" translate=no>CC BY 4.0`, `href="https://creativecommons.org/licenses/by/4.0/" translate=no>ODbL 1.0`, `names "Free to use.*ODbL`},
	{"rights", "dataset.en", `<li class="yes">Commercial use: Yes`, `<li class="no">Commercial use: No`, `says "Commercial use: No", which is "Yes"`},
	{"rights", "dataset.en", `<li class="yes">Commercial use: Yes`, `<li class="no">Commercial use: Yes`, `colours`},
	{"rights", "dataset.en", `"open": "yes"`, `"open": "unknown"`, `says of an open licence "Yes"`},
	{"access", "dataset.en", `Free, no key, answered`, `Free with a key, answered`, `of FREE_NO_AUTH`},
	{"access", "dataset.en", `"auth_type": "NONE"`, `"auth_type": "API_KEY"`, `authentication is by API_KEY`},
	{"access", "dataset.en", `-o data.csv`, `-H "Authorization: Bearer $TOKEN" -o data.csv`, `its code sends one`},
	{"access", "dataset.en", `"isAccessibleForFree":true`, `"isAccessibleForFree":false`, `that it is free: false`},
	{"answers", "server.en", `does not answer, last did 19 November 2026`, `answered 19 November 2026`, `of what is FAILING`},
	{"answers", "dataset.en", `answered 21 November 2026`, `answered 20 November 2026`, `which was 2026-11-21`},
	{"answers", "dataset.en", `Checked 21 November 2026`, `Checked 1 November 2026`, `was checked 2026-11-21`},
	{"answers", "dataset.en", `529 ms (p95 634 ms)`, `529 ms (p95 63 ms)`, `measured are`},
	{"answers", "dataset.en", `HTTP 200, text/csv`, `HTTP 404, text/csv`, `the answer was 200`},
	{"answers", "server.en", `cell s-bad`, `cell s-ok`, `colours FAILING as well`},
	{"dates", "dataset.en", `Changed by the publisher 2 November 2026`, `Changed by the publisher 2 December 2026`, `changed 2026-11-02`},
	{"dates", "dataset.de", `<time datetime="2026-10-22">22. Oktober 2026`, `<time datetime="2026-10-22">22. Oktober 2025`, `of 2026-10-22`},
	{"dates", "dataset.en", `"updated_at": "2026`, `"updated_at": "2016`, `before it was found`},
	{"buttons", "dataset.en", `<small>61.3 MB</small>`, `<small>61.3 GB</small>`, `which has another size`},
	{"buttons", "dataset.de", `61,3`, `16,3`, `which has another size`},
	{"buttons", "dataset.en", `Download CSV`, `Download Parquet`, `which has another format`},
	{"files", "dataset.en", `CSV, 38.8 MB`, `CSV, 38.9 MB`, `which has another size`},
	{"files", "dataset.en", `<ul class=files translate=no>`, `<ul class=files translate=no><li><a href="https://data.example/x.csv">x</a>`, `lists 2 files`},
	{"structured data", "dataset.en", `"contentSize":"61320448 B"`, `"contentSize":"61 B"`, `another size`},
	{"structured data", "dataset.en", `"encodingFormat":"text/csv"`, `"encodingFormat":"application/json"`, `and the page "Download CSV"`},
	{"structured data", "dataset.en", `"license":"https://creativecommons.org/licenses/by/4.0/"`, `"license":"https://creativecommons.org/licenses/by-nc/4.0/"`, `has the licence`},
	{"structured data", "dataset.en", `"dateModified":"2026-11-02`, `"dateModified":"2026-11-03`, `was modified`},
	{"structured data", "dataset.de", `"inLanguage":"de"`, `"inLanguage":"en"`, `in en`},
	{"figures of the data", "dataset.en", `Records<dd>25, of the sample`, `Records<dd>52, of the sample`, `of 25 records`},
	{"figures of the data", "dataset.en", `"record_count": 25`, `"record_count": 250`, `of 250 records`},
	{"figures of the data", "dataset.en", `<dt>Sampled<dd><time datetime="2026-11-21">21`, `<dt>Sampled<dd><time datetime="2026-11-20">20`, `was sampled 2026-11-21`},
	{"columns", "dataset.en", `and 4 more columns`, `and 5 more columns`, `of 7`},
	{"columns", "dataset.en", `<small>integer</small>`, `<small>string</small>`, `which is "integer"`},
	{"columns", "dataset.en", `and 3 more in the JSON`, `and 1 more in the JSON`, `names 4 fields and 1 more`},
	{"columns", "dataset.en", `<th scope=row>organisation_type<td>string<td> `, `<th scope=row>organisation_type<td>string<td><span class="state warn">Personal, masked</span>`, `that it is personal`},
	{"spread", "dataset.en", `20 % empty`, `70 % empty`, `where 5 of 25 are missing`},
	{"spread", "dataset.en", `10, 5, 5 values`, `10, 5, 6 values`, `draws 26 values`},
	{"spread", "dataset.en", `<li>C <b>20</b>`, `<li>C <b>21</b>`, `counts 26 values`},
	{"pictures", "dataset.en", `data-value="60.5">60.5`, `data-value="60.5">65.0`, `draws 60.5`},
	{"pictures", "dataset.en", `data-value="74.9">74.9`, `data-value="80">80`, `draws the quality up to 80`},
	{"pictures", "dataset.en", `<title>The data lie between 1.00`, `<title>The data lie between 3.00`, `draws "The data lie`},
	{"calls", "server.en", `and 2 more in the JSON`, `and 3 more in the JSON`, `lists 1 calls and 3 more, of 3`},
	{"calls", "server.en", `search_for_legislation_sections<`, `delete_everything<`, `not what the entry has there`},
	{"uptime", "dataset.en", `99.1 %`, `99.9 %`, `is 99.9 %, of 119 of 120`},
	{"uptime", "dataset.en", `119 of 120 checks`, `121 of 120 checks`, `of 121 of 120`},
	{"uptime", "dataset.en", `61/61`, `60/61`, `and draws c-ok`},
	{"uptime", "dataset.en", `class="c-part"`, `class="c-bad"`, `and draws c-bad`},
	{"uptime", "dataset.en", `119 of 120 checks answered, 22 October`, `119 of 120 checks answered, 12 October`, `begins 2026-10-12`},
	{"uptime", "dataset.en", `median 501 ms`, `median 701 ms`, `says "Latency`},
	{"scores", "dataset.en", `<b>74.9 <small>`, `<b>94.9 <small>`, `quality is said to be 94.9`},
	{"scores", "dataset.en", `Availability <small>25 %`, `Availability <small>35 %`, `the axes weigh 110 %`},
	{"scores", "dataset.en", `<dd>99.0`, `<dd>9.0`, `availability is said to be 9.0`},
	{"scores", "dataset.en", "\"score\": {\n  \"mqa_score\": 74.9", "\"score\": {\n  \"mqa_score\": 75", `differ between two documents`},
	{"scores", "dataset.en", `<small>+4.6</small>`, `<small>+46</small>`, `more than 100`},
	{"officialness", "dataset.en", `<b>25 <small>`, `<b>65 <small>`, `says 65, which is 25`},
	{"officialness", "dataset.en", `25/25`, `5/25`, `the proofs make 5 of 100`},
	{"officialness", "dataset.en", `0/40`, `40/40`, `counts 40/40 as no`},
	{"maturity", "dataset.en", `Step 4 of 7`, `Step 5 of 7`, `of step 4`},
	{"maturity", "dataset.en", `<li class="yes">Executable`, `<li class="no">Executable`, `step 4 is reached`},
	{"badges", "dataset.en", `"74.9/100"`, `"47.9/100"`, `the score is "47.9/100"`},
	{"badges", "dataset.en", `"tier": "good"`, `"tier": "poor"`, `the tier is "poor"`},
	{"contract", "dataset.en", `and 1 earlier versions`, `and 2 earlier versions`, `shows versions down to 2`},
	{"history", "dataset.en", `<time datetime="2026-10-22">22 October 2026</time>Listed`, `<time datetime="2026-10-23">23 October 2026</time>Listed`, `was listed 2026-10-22`},
	{"history", "dataset.en", `"status": "ACTIVE"`, `"status": "DEPRECATED"`, `does not warn`},
	{"neighbours", "dataset.en", `<span class="state ok">Verified</span>`, ``, `does not say that`},
	{"neighbours", "dataset.en", `href="/entry/zefix-publicrest-api"`, `href="/entry/gone"`, `which is not there`},
	{"origins", "dataset.en", `<code>admission</code>`, `<code>nothing</code>`, `names nothing`},
	{"origins", "dataset.en", `/source/281f907c-daf1-5fd5-a545-803eb906c7fc`, `/source/other`, `was found in`},
	{"percentages", "dataset.en", `Officialness <small>25 %`, `Officialness <small>125 %`, `says 125 %`},
	{"contents", "dataset.en", `<li><a href="#contract">What clients depend on</a>`, ``, `leaves out contract`},
	{"code", "dataset.en", `head -n 5 data.csv`, `tail -n 5 data.csv`, `shows a form of curl that no test executes`},
	{"code", "server.en", `"type": "http",`, `"kind": "http", "type": "http",`, `shows a form of VS Code`},
	{"contents", "dataset.en", `href="#cite"`, `href="#quote"`, `leads to quote`},
}

func TestDoctoredPagesAreFound(t *testing.T) {
	seen := map[string]bool{acrossLanguages: true, oneWord: true}
	for _, d := range doctored {
		name, lang, _ := strings.Cut(d.page, ".")
		faults := found(fixture(t, name, lang, d.from, d.to))
		if want := regexp.MustCompile("(?m)^" + regexp.QuoteMeta(d.rule) + ": .*" + d.want); !want.MatchString(faults) {
			t.Errorf("%s: %q for %q is not found, but\n%s", d.rule, d.to, d.from, faults)
		}
		seen[d.rule] = true
	}
	for _, name := range ruleNames() {
		if !seen[name] {
			t.Errorf("no page shows that %s can fail", name)
		}
	}
}

func TestOtherFiguresInAnotherLanguage(t *testing.T) {
	de := fixture(t, "dataset", "de", "74,9 <small>", "75,0 <small>")
	if faults := found(fixture(t, "dataset", "en", "", ""), de); !strings.Contains(faults, acrossLanguages) {
		t.Error("not found, but", faults)
	}
}

func TestOtherCodeInAnotherLanguage(t *testing.T) {
	de := fixture(t, "dataset", "de", "head -n 5 data.csv", "head -n 6 data.csv")
	if faults := found(fixture(t, "dataset", "en", "", ""), de); !strings.Contains(faults, "other code than in en") {
		t.Error("not found, but", faults)
	}
}

func TestTwoWordsForOneThing(t *testing.T) {
	r := newReport()
	a, b := fixture(t, "dataset", "en", "", ""), fixture(t, "server", "en", `<span class="state ok">Verified</span>`, `<span class="state ok">Failing</span>`)
	for _, s := range []*subject{a, b} {
		s.judge()
		r.add(s)
	}
	if faults := strings.Join(r.words(), "\n"); !strings.Contains(faults, `VERIFIED is called "Failing"`) {
		t.Error("not found, but", faults)
	}
	if r.compared[oneWord] == 0 {
		t.Error("no words were compared")
	}
}

// TestNothingToCompare: a rule that never had anything to compare is told with -all.
func TestNothingToCompare(t *testing.T) {
	r := newReport()
	s := fixture(t, "server", "en", "", "")
	s.judge()
	r.add(s)
	var out strings.Builder
	if r.tell(&out, true) || !strings.Contains(out.String(), "columns: had nothing to compare") {
		t.Error(out.String())
	}
	if !slices.Contains(slices.Collect(maps.Keys(r.compared)), "calls") {
		t.Error("the tools were not compared")
	}
}

func TestNumbersAndDays(t *testing.T) {
	for _, c := range []struct {
		lang, text string
		bytes      float64
		day        string
	}{
		{"en", "1,234.5 MB, 3 May 2024", 1234.5e6, "2024-05-03"}, {"fr", "1\u202f234,5\u00a0Mo, 1er août 2024", 1234.5e6, "2024-08-01"},
		{"de", "1.234,5\u00a0MB, 3. März 2024", 1234.5e6, "2024-03-03"}, {"nl", "12\u00a0kB, 3 mei 2024", 12e3, "2024-05-03"},
	} {
		n, _, err := vocabulary[c.lang].size(c.text)
		day := vocabulary[c.lang].day(c.text)
		if err != nil || n != c.bytes || on(&day) != c.day {
			t.Errorf("%s: %q is %v bytes, %s, %v", c.lang, c.text, n, on(&day), err)
		}
	}
}
