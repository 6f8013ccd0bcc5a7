package pages

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/templates/entry"
)

func testWriter() *writer {
	return newKit(rendertest.Site).writer(nil, locales()["en"])
}

func TestTextIsEscaped(t *testing.T) {
	for in, want := range map[string]string{
		"a & b < c > d":      "a &amp; b &lt; c &gt; d",
		`"quoted" 'single'`:  "&#34;quoted&#34; &#39;single&#39;",
		"nul\x00bell\x07end": "nulbellend",
		"tab\tline\n":        "tab\tline\n",
		"bad\xffutf8":        "bad\uFFFDutf8",
		"c1\u0085x":          "c1\uFFFDx",
		"noncharacter\uFFFE": "noncharacter\uFFFD",
		"עברית 🏛":            "עברית 🏛",
		"":                   "",
	} {
		if got := string(appendEscaped(nil, in)); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// FuzzText lets a browser's parser read what was written: it must find the text
// again, as text, inside an element and inside an attribute.
func FuzzText(f *testing.F) {
	f.Add(rendertest.Hostile)
	f.Add("</p><script>")
	f.Add(`" onload="x`)
	f.Fuzz(func(t *testing.T, text string) {
		w := testWriter()
		w.raw(`<p title="`)
		w.text(text)
		w.raw(`">x`)
		w.text(text)
		w.raw("</p>")
		if !utf8.Valid(w.b) || strings.ContainsRune(string(w.b), 0) {
			t.Fatalf("%q is no text", w.b)
		}
		z := html.NewTokenizer(strings.NewReader(string(w.b)))
		var tags, texts []string
		for z.Next() != html.ErrorToken {
			switch token := z.Token(); token.Type {
			case html.TextToken:
				texts = append(texts, token.Data)
			default:
				tags = append(tags, token.Data)
				if len(token.Attr) > 1 {
					t.Errorf("attributes %v", token.Attr)
				}
			}
		}
		if strings.Join(tags, " ") != "p p" {
			t.Errorf("elements %v of %q", tags, w.b)
		}
		if strings.Join(texts, "") == "" {
			t.Errorf("no text in %q", w.b)
		}
	})
}

func TestOnlyWebAddressesAreLinked(t *testing.T) {
	for address, linked := range map[string]bool{
		"https://data.example/a?b=c": true, "http://data.example": true, "javascript:alert(1)": false, "data:text/html,x": false,
		"//evil.example": false, "ftp://x.example": false, "": false, " https://x.example": false, "https://x.example ": false, "https://": false,
	} {
		if got := linkable(address); got != linked {
			t.Errorf("%q is linked: %t", address, got)
		}
	}
	if got := encodeAddress(`https://x.example/a{b}|"c" d`); strings.ContainsAny(got, `{}|" `) {
		t.Errorf("address %s", got)
	}
}

// FuzzSimpleAddresses: what passes without a second look is well-formed.
func FuzzSimpleAddresses(f *testing.F) {
	for _, rest := range []string{"data.example/a?b=c#d", "x/", "x.example:80/", "u@x.example/", "x.example", "/a", "x/%zz", "x/[a]"} {
		f.Add(rest)
	}
	f.Fuzz(func(t *testing.T, rest string) {
		for _, scheme := range []string{"http://", "https://"} {
			if err := catalog.CheckURL("url", scheme+rest); simple(rest) && err != nil {
				t.Errorf("%q passes, but %v", scheme+rest, err)
			}
		}
	})
}

func TestSegment(t *testing.T) {
	seen := map[string]string{}
	for value, want := range map[string]string{
		"api": "api", "MCP_SERVER": "mcp-server", "VERIFIED": "verified", "air-quality": "air-quality",
		"2024": "", "Air quality": "", "Ποιότητα": "", "a/b": "", "..": "", "東京": "", "CSV": "csv", "air quality": "",
	} {
		got := segment(value)
		if want != "" && got != want {
			t.Errorf("%q becomes %q, want %q", value, got, want)
		}
		if got == "" || digits(got) || strings.ContainsAny(got, "/.?#% ") || strings.ToLower(got) != got {
			t.Errorf("%q becomes %q", value, got)
		}
		if other := seen[got]; other != "" {
			t.Errorf("%q and %q both become %q", value, other, got)
		}
		seen[got] = value
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		in, want string
		n        int
	}{
		{"short", "short", 10}, {"two\nlines  here", "two lines here", 20}, {"αβγδε", "αβγδε", 5}, {"αβγδεζ", "αβγδ…", 5}, {"one two three", "one two…", 9},
		{"ends in a space ", "ends in a space ", 20}, {"one\u00a0two three", "one two…", 9}, {" one two three", "one two…", 9}, {"αβγ δε", "αβγ…", 5},
	} {
		if got := clip(c.in, c.n); got != c.want {
			t.Errorf("clip(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
		w := testWriter()
		w.clip(c.in, c.n)
		if got := string(w.b); got != c.want {
			t.Errorf("the writer clips %q to %q, want %q", c.in, got, c.want)
		}
	}
}

func TestSizesPercentAndNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 861_000_000: "861 MB", 1_500_000_000_000: "1.5 TB"} {
		if got := strings.ReplaceAll(locales()["en"].Size(n), "\u00a0", " "); got != want {
			t.Errorf("%d bytes are %q, want %q", n, got, want)
		}
	}
	for _, c := range []struct {
		part, whole int
		want        string
	}{{1, 1, "100"}, {999, 1000, "99.9"}, {9999, 10000, "99.9"}, {0, 5, "0"}, {0, 0, "0"}, {1, 3, "33.3"}} {
		if got := percent(c.part, c.whole); got != c.want {
			t.Errorf("%d of %d is %s %%, want %s", c.part, c.whole, got, c.want)
		}
	}
	for lang, want := range map[string]string{"en": "1,234,567", "de": "1.234.567"} {
		if got := locales()[lang].number(1_234_567); got != want {
			t.Errorf("%s writes %s", lang, got)
		}
	}
	at := time.Date(2026, 3, 1, 23, 30, 0, 0, time.FixedZone("", -3600))
	for lang, want := range map[string]string{"en": "2 March 2026 1.5", "fr": "2 mars 2026 1,5", "de": "2. März 2026 1,5", "nl": "2 maart 2026 1,5"} {
		if got := locales()[lang].Day(at) + " " + locales()[lang].Decimal(1.5, -1); got != want {
			t.Errorf("%s writes %s", lang, got)
		}
	}
	if got := locales()["en"].number(-12); got != "-12" {
		t.Errorf("negative %s", got)
	}
}

// The strip takes the stored sums, and the checks where they are more complete.
func TestCheckDays(t *testing.T) {
	s := rendertest.Find(t, rendertest.BareDataset)
	day := func(ago int) time.Time { return s.Day.AddDate(0, 0, -ago) }
	s.Row.Days = []catalog.CheckDay{{Day: day(100).Format(time.DateOnly), Checks: 4, Up: 4}, {Day: day(60).Format(time.DateOnly), Checks: 4, Up: 2, P50MS: 70},
		{Day: day(1).Format(time.DateOnly), Checks: 1, Up: 0}}
	s.Row.Checks = []catalog.Check{{At: day(1).Add(time.Hour), Up: true, LatencyMS: 30}, {At: day(1).Add(2 * time.Hour), Up: true, LatencyMS: 50},
		{At: day(0).Add(time.Hour), Up: false}}
	v := &view{Scored: s, e: s.Entry()}
	days, any := v.checkDays()
	if !any {
		t.Fatal("no checks")
	}
	want := map[int]dayChecks{stripDays - 61: {4, 2, 70}, stripDays - 2: {2, 2, 30}, stripDays - 1: {1, 0, 0}}
	for n, d := range days {
		if d != want[n] {
			t.Errorf("day %d holds %+v, want %+v", n, d, want[n])
		}
	}
	runs := stretches(v.Result.CheckedDay, &days)
	var kinds []int
	total := 0
	for _, r := range runs {
		kinds = append(kinds, r.Kind)
		total += int(r.To.Sub(r.From).Hours()/24) + 1
	}
	if total != stripDays || len(kinds) != 5 || kinds[0] != dayDown || kinds[1] != dayUp || kinds[2] != dayNone || kinds[3] != dayPart {
		t.Errorf("stretches %+v", runs)
	}
}

// TestAccessKey: pages say how one gets in, and who may where that is not known.
func TestAccessKey(t *testing.T) {
	for _, class := range catalog.FreeAccessClasses() {
		for _, rights := range append(catalog.AccessRightsValues(), "") {
			key, want := accessKey(class, rights), "access."+string(class)
			if class == catalog.AccessUnknown && rights != "" {
				want = "access." + string(rights)
			}
			if key != want {
				t.Errorf("%s, %s: %s, want %s", class, rights, key, want)
			}
			for _, lang := range languages {
				for _, k := range []string{key, entry.AboutKey(key)} {
					if locales()[lang].plain[k] == "" {
						t.Errorf("%s has no text %s", lang, k)
					}
				}
			}
		}
	}
}
