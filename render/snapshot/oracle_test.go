package snapshot

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/search"
)

var (
	at   = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	day  = at.Truncate(24 * time.Hour)
	site = Site{BaseURL: "https://register.example", Name: "Test", License: "CC0-1.0"}
)

func id(n int) string { return catalog.NewID("entry", fmt.Sprint(n)) }

func newFrame() *Frame { return NewFrame(site, at, nil, nil, nil) }

// failer is a test or a rapid check.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// freeze makes a snapshot of lines in any order, with an item for each.
func freeze(t failer, lines []Line) *Catalog {
	t.Helper()
	lines = slices.Clone(lines)
	slices.SortFunc(lines, func(a, b Line) int { return strings.Compare(a.ID, b.ID) })
	d := NewDraft(newFrame())
	var items bytes.Buffer
	for _, l := range lines {
		item := fmt.Sprintf(`{"id":%q,"search_vector":%q}`, l.ID, search.Vector(l.Name, strings.Join(l.Tags, " ")))
		l.Item = Span{int64(items.Len()), len(item)}
		items.WriteString(item + "\n")
		if err := d.Add(l, nil); err != nil {
			t.Fatalf("%v", err)
		}
	}
	return d.Finish(bytes.NewReader(items.Bytes()))
}

// reopen writes a snapshot and reads it again.
func reopen(t failer, c *Catalog) *Catalog {
	t.Helper()
	var head, lines bytes.Buffer
	if err := c.EncodeHead(&head); err != nil {
		t.Fatalf("%v", err)
	}
	if err := c.EncodeLines(&lines); err != nil {
		t.Fatalf("%v", err)
	}
	back, err := Decode(&head, &lines, c.Items)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return back
}

func oneOf[T any](t *rapid.T, name string, list ...T) T { return rapid.SampledFrom(list).Draw(t, name) }

func some[T any](t *rapid.T, name string, list ...T) []T {
	var out []T
	for _, v := range list {
		if rapid.IntRange(0, 2).Draw(t, name) == 0 {
			out = append(out, v)
		}
	}
	return out
}

var (
	tags      = []string{"air", "covid-19", "health", "traffic", "water", "weather"}
	formats   = []string{"CSV", "JSON", "PDF"}
	countries = []string{"", "DE", "FR", "GR"}
	langs     = []string{"", "de", "el"}
	names     = []string{"Air quality", "Κτίρια", "COVID-19 cases", "Water (level)", "air", "Ünïcode"}
)

func drawLine(t *rapid.T, n int) Line {
	name := oneOf(t, "name", names...)
	from, to := int64(rapid.IntRange(0, 3).Draw(t, "covers from")), int64(rapid.IntRange(0, 3).Draw(t, "covers to"))
	if to != 0 {
		to = max(from, to)
	}
	return Line{Traits: &Traits{Lang: oneOf(t, "lang", langs...), Type: oneOf(t, "type", catalog.EntryTypes()...), Status: oneOf(t, "status", catalog.StatusActive, catalog.StatusActive, catalog.StatusDeprecated), State: oneOf(t, "state", catalog.VerificationStates()...), Country: oneOf(t, "country", countries...), InstitutionID: oneOf(t, "institution", "", "i1", "i2"), InstType: oneOf(t, "kind", "", catalog.InstGovernment, catalog.InstRegion), Host: oneOf(t, "host", "", "a.example", "b.example"), FreeAccess: oneOf(t, "access", catalog.FreeAccessClasses()...), Auth: oneOf(t, "auth", catalog.AuthTypes()...), LicenseID: oneOf(t, "licence", "", "CC0-1.0"), Tier: oneOf(t, "tier", catalog.MQATiers()...), Maturity: oneOf(t, "maturity", catalog.Maturities()...), Public: rapid.Bool().Draw(t, "public"), Formats: some(t, "formats", formats...), Concepts: some(t, "concepts", "lei", "nuts"), Themes: some(t, "themes", "ENVI", "TRAN"), HVD: some(t, "categories", "c_1", "c_2"), Places: some(t, "places", "BE1", "Gent"), Allows: some(t, "allows", permissions...), Frequency: oneOf(t, "frequency", "", "DAILY", "ANNUAL"), Download: rapid.Bool().Draw(t, "download")},
		From: from, To: to,
		ID: id(n), Slug: fmt.Sprint("entry-", n), Name: name, Sort: search.Fold(name),

		Tags: some(t, "tags", tags...),

		MQA: score.Tenths(rapid.IntRange(0, 3).Draw(t, "mqa")), Ranking: score.Tenths(rapid.IntRange(0, 3).Draw(t, "ranking")),
		P50: int32(rapid.IntRange(-1, 2).Draw(t, "p50")), Created: int64(rapid.IntRange(0, 3).Draw(t, "created")),
		Verified: int64(rapid.IntRange(0, 3).Draw(t, "verified")), Updated: int64(rapid.IntRange(0, 3).Draw(t, "updated")),
	}
}

func drawCatalog(t *rapid.T, most int) *Catalog {
	lines := make([]Line, rapid.IntRange(0, most).Draw(t, "entries"))
	for i := range lines {
		lines[i] = drawLine(t, i)
	}
	for i := range lines {
		if rapid.IntRange(0, 3).Draw(t, "tied") == 0 {
			lines[i].Successor = id(rapid.IntRange(0, most).Draw(t, "successor"))
			lines[i].Serves = []string{id(rapid.IntRange(0, most).Draw(t, "serves"))}
		}
	}
	return freeze(t, lines)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
