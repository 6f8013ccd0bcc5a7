package pages

import (
	"bytes"
	"github.com/assay-register/assay/render/catalog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/wire"
)

// A translation is data: every language has the same strings with the same
// places for values, and no text is left empty.
func TestEveryLanguageHasEveryString(t *testing.T) {
	english, err := readTongue("en")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range languages {
		other, err := readTongue(code)
		if err != nil {
			t.Fatal(err)
		}
		for key, text := range english.plain {
			if other.plain[key] == "" {
				t.Errorf("%s.yaml lacks %s", code, key)
			}
			if got, want := places(other.plain[key]), places(text); got != want {
				t.Errorf("%s.yaml: %s has the places %s, English has %s", code, key, got, want)
			}
		}
		for key := range other.plain {
			if _, ok := english.plain[key]; !ok {
				t.Errorf("%s.yaml has %s, which English has not", code, key)
			}
		}
	}
}

// An entry is called one thing in Dutch; only what stands in braces has another name.
func TestOneDutchWordForAnEntry(t *testing.T) {
	dutch, err := readTongue("nl")
	if err != nil {
		t.Fatal(err)
	}
	other, value := regexp.MustCompile(`(?i)\bitems?\b`), regexp.MustCompile(`\{[^}]*\}`)
	for key, text := range dutch.plain {
		if other.MatchString(value.ReplaceAllString(text, "")) {
			t.Errorf("%s says item, other pages vermelding: %s", key, text)
		}
	}
}

// What the methodology says of axes and outcomes, and profiles of masked rows, is known in every language.
func TestRulesAreToldInEveryLanguage(t *testing.T) {
	m := wire.NewMethodology()
	said := []string{m.Proof.Rule, catalog.NoticeMasked, catalog.NoticeWithheld}
	for _, a := range m.Axes {
		said = append(said, a.Meaning)
		if a.Unknown != nil {
			said = append(said, *a.Unknown)
		}
	}
	for i := range m.Rules {
		for _, l := range m.Rules[i].Levels {
			said = append(said, l.Meaning)
		}
	}
	for _, code := range languages[1:] {
		for _, text := range said {
			if own, ok := locales()[code].Told(text); !ok || own == text || strings.Contains(own, "{n}") {
				t.Errorf("%s does not tell %q: %q", code, text, own)
			}
		}
	}
}

var place = regexp.MustCompile(`\{[a-z]+\}`)

func places(text string) string {
	found := place.FindAllString(text, -1)
	slices.Sort(found)
	return strings.Join(found, " ")
}

// Every string of the interface is used: by its name, or by a name that is put
// together from a family and a value.
func TestEveryStringIsUsed(t *testing.T) {
	var sources []byte
	for _, pattern := range []string{"*.go", "../../templates/*.templ", "../../templates/*/*.templ", "../../templates/*/*.go", "../../site/assets/*.js", "../../dynamic/screens/*.go", "../../dynamic/mail/*.go", "../../dynamic/mail/templates/*", "../../dynamic/notify/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			sources = append(sources, b...)
		}
	}
	for key, text := range locales()["en"].plain {
		family, _, _ := strings.Cut(key, ".")
		if slices.Contains([]string{"language", "thousands", "rule", "advice", "told", "nav"}, family) || named(sources, key) || bytes.Contains(sources, []byte(`say("`+text)) {
			continue
		}
		if !slices.ContainsFunc(singleList, func(s single) bool { return s.id == family }) {
			t.Errorf("no page uses the string %s", key)
		}
	}
}

// named tells whether the sources name a string, or a beginning or an end of
// its name from which the rest is put together.
func named(sources []byte, key string) bool {
	if bytes.Contains(sources, []byte(`"`+key+`"`)) {
		return true
	}
	for i, c := range key {
		if c == '.' && (bytes.Contains(sources, []byte(`"`+key[:i+1]+`"`)) || bytes.Contains(sources, []byte(`"`+key[:i]+`"`)) ||
			bytes.Contains(sources, []byte(`"`+key[:i+1]+`%s"`)) || bytes.Contains(sources, []byte(`"`+key[i:]+`"`))) {
			return true
		}
	}
	return false
}

// onRequest are scripts that a page loads when a reader asks for what they do, or that only
// the page of verification has.
var onRequest = map[string]bool{"look.lib.js": true, "console.lib.js": true, "parquet.lib.js": true, "picture.lib.js": true, "verify.lib.js": true, "recompute.lib.js": true, "verify.js": true}

// The style sheet and the scripts stay small, before compression, and load
// nothing from elsewhere.
func TestAssetsAreSmallAndOurOwn(t *testing.T) {
	style, scripts := 0, 0
	for name, a := range assets() {
		switch {
		case strings.HasSuffix(name, ".css"):
			style += len(a.body)
		case onRequest[name]:
		case strings.HasSuffix(name, ".js"):
			scripts += len(a.body)
		default:
			continue
		}
		text := strings.ReplaceAll(string(a.body), "http://www.w3.org/2000/svg", "")
		if strings.Contains(text, "http:") || strings.Contains(text, "https:") || strings.Contains(text, "//cdn") {
			t.Errorf("%s names an address elsewhere", name)
		}
	}
	if style > 24_000 || scripts > 30_000 {
		t.Errorf("%d bytes of CSS (24,000 at most), %d of JavaScript (30,000 at most)", style, scripts)
	}
}
