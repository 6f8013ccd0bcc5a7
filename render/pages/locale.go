package pages

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/text/language"
	"gopkg.in/yaml.v3"

	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/site"
	"github.com/assay-register/assay/templates"
)

// languages are those of the interface; the first is that of the pages which
// exist in one language only.
var languages = site.Languages()

// Languages lists the codes of the interface languages.
func Languages() []string { return slices.Clone(languages) }

// Words are the words of an interface language, of the first one for a code that is none.
func Words(lang string) templates.Locale {
	if t := locales()[lang]; t != nil {
		return t
	}
	return locales()[languages[0]]
}

// matcher finds the interface language that a reader understands.
var matcher = sync.OnceValue(func() language.Matcher {
	tags := make([]language.Tag, len(languages))
	for i, code := range languages {
		tags[i] = language.Make(code)
	}
	return language.NewMatcher(tags)
})

// Preferred is the code of the interface language that an Accept-Language
// header wants most (RFC 9110, section 12.5.4), the first one's if it wants
// none of them.
func Preferred(accept string) string {
	_, i := language.MatchStrings(matcher(), accept)
	return languages[i]
}

// locale holds the interface strings of one language.
type locale struct {
	code, name string
	separator  []byte
	plain      map[string]string
	// sizes are the units of bytes, months and afterDay what days are written with.
	sizes  []string
	months [12]string
	// days are those that were written last.
	days     [256]atomic.Pointer[writtenDay]
	afterDay string
	// told are what the interface says in English, as the language says it.
	told map[string]string
	// shapes are those of them with values in them, the longest first.
	shapes []shape
	// regions and languages are what the language calls them.
	regions, languages *names
}

// locales reads the strings once; the files are part of the program.
var locales = sync.OnceValue(func() map[string]*locale {
	all := map[string]*locale{}
	for _, code := range languages {
		t, err := readTongue(code)
		if err != nil {
			panic(err)
		}
		all[code] = t
	}
	for _, t := range all {
		t.readTold(all[languages[0]])
	}
	return all
})

func readTongue(code string) (*locale, error) {
	b, err := fs.ReadFile(site.Files, "strings/"+code+".yaml")
	if err != nil {
		return nil, err
	}
	t := &locale{code: code, plain: map[string]string{}}
	if err := yaml.Unmarshal(b, &t.plain); err != nil {
		return nil, fmt.Errorf("strings/%s.yaml: %w", code, err)
	}
	if code == languages[0] {
		t.rubric()
	}
	t.regions, t.languages = regionNames(language.Make(code)), languageNames(language.Make(code))
	t.readDates()
	t.sizes = strings.Fields(t.plain["sizes"])
	t.name, t.separator = t.plain["language"], []byte(t.plain["thousands"])
	return t, nil
}

// rubric takes the words of the rules from the rules themselves.
func (t *locale) rubric() {
	for _, r := range score.Methodology() {
		t.plain["rule."+r.ID] = r.Meaning
		if r.Advice != "" {
			t.plain["advice."+r.ID] = r.Advice
		}
	}
}

// missing marks a string that no language file has; a test looks for it.
const missing = "⟦"

// The exported methods are what components read (templates.Locale).

// Code is the language.
func (t *locale) Code() string { return t.code }

// T is a string of the interface.
func (t *locale) T(key string) string {
	if s, ok := t.plain[key]; ok {
		return s
	}
	return missing + key + "⟧"
}

// Say is a string with its places filled in.
func (t *locale) Say(key string, pairs ...string) string { return t.str(key, pairs...) }

// Word is the name of a value of a closed vocabulary.
func (t *locale) Word(family, value string) string { return t.word(family, value) }

// Told is what the interface says in English, as the language says it.
func (t *locale) Told(text string) (string, bool) {
	if t.code == languages[0] {
		return text, true
	}
	if own, ok := t.told[text]; ok {
		return own, true
	}
	for i := range t.shapes {
		if own, ok := t.shapes[i].say(text, t); ok {
			return own, true
		}
	}
	return "", false
}

// toldKeys begin the keys of what the interface says in English.
const toldKeys = "told."

// readTold finds what the interface says by its English text.
func (t *locale) readTold(english *locale) {
	t.told, t.shapes = map[string]string{}, nil
	for _, key := range slices.Sorted(maps.Keys(english.plain)) {
		switch text := english.plain[key]; {
		case !strings.HasPrefix(key, toldKeys):
		case toldValue.MatchString(text):
			t.shapes = append(t.shapes, newShape(text, t.plain[key]))
		default:
			t.told[text] = t.plain[key]
		}
	}
	slices.SortStableFunc(t.shapes, func(a, b shape) int { return cmp.Compare(b.letters, a.letters) })
}

// Number groups the digits of a count.
func (t *locale) Number(n int) string { return t.number(n) }

// Country is the name of a country code.
func (t *locale) Country(code string) string { return t.country(code) }

// Language is the name of a language tag.
func (t *locale) Language(tag string) string { return t.languageOf(tag) }

// str is a string as text, with the values of its {names} filled in: name,
// value, name, value.
func (t *locale) str(key string, pairs ...string) string {
	s, ok := t.plain[key]
	if !ok {
		return missing + key + "⟧"
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		s = strings.ReplaceAll(s, "{"+pairs[i]+"}", pairs[i+1])
	}
	return s
}

// word is the name of a value of a closed vocabulary, the value itself when it
// has none.
func (t *locale) word(family, value string) string {
	if s, ok := t.plain[family+"."+value]; ok {
		return s
	}
	return value
}

// number groups the digits of a count as the language does.
func (t *locale) number(n int) string { return string(t.appendNumber(nil, n)) }

func (t *locale) appendNumber(b []byte, n int) []byte {
	from := len(b)
	if n < 0 {
		from++
	}
	b = strconv.AppendInt(b, int64(n), 10)
	for i := len(b) - 3; i > from; i -= 3 {
		b = slices.Insert(b, i, t.separator...)
	}
	return b
}
