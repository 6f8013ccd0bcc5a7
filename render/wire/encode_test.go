package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// answers are the bodies that show one entry alone.
func answers(t *testing.T, s *snapshot.Scored) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, live := range []bool{false, true} {
		page, err := wire.EncodeEntry(s, live)
		if err != nil {
			t.Fatal(err)
		}
		out[fmt.Sprintf("entry, live %t", live)] = page
	}
	for name, body := range map[string]any{"provenance": wire.NewProvenance(s), "quality-score": wire.NewQualityScore(s),
		"quality-history": wire.NewQualityHistory(s), "checks": wire.NewChecks(s.Row, s.Day), "preview": wire.NewPreview(s)} {
		b, err := wire.Seal(body, s.ChangedAt, false)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = b
	}
	return out
}

func TestAnswersAreCanonicalAndSealed(t *testing.T) {
	for _, s := range rendertest.Scored() {
		for name, body := range answers(t, s) {
			rendertest.CheckSealed(t, s.Entry().Slug+", "+name, body)
		}
		item, _, err := wire.EncodeItem(s)
		if err != nil {
			t.Fatal(err)
		}
		rendertest.CheckJSON(t, s.Entry().Slug+", item", item)
	}
}

// checkShape walks a type and its JSON: lists are never null, texts that may
// be null are never empty, and no member is missing or unknown.
func checkShape(t *testing.T, where string, kind reflect.Type, raw json.RawMessage) {
	t.Helper()
	if kind.Kind() == reflect.Pointer {
		if string(raw) == "null" {
			return
		}
		if string(raw) == `""` {
			t.Errorf("%s is an empty text, not null", where)
		}
		kind = kind.Elem()
	}
	switch kind.Kind() {
	case reflect.Slice:
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil || list == nil {
			t.Errorf("%s is %.40s, not a list", where, raw)
		}
		for i, e := range list {
			checkShape(t, fmt.Sprintf("%s[%d]", where, i), kind.Elem(), e)
		}
	case reflect.Struct:
		var object map[string]json.RawMessage
		if err := json.Unmarshal(raw, &object); err != nil || object == nil {
			t.Errorf("%s is %.40s, not an object", where, raw)
			return
		}
		for _, f := range reflect.VisibleFields(kind) {
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			member, ok := object[name]
			if f.Anonymous || !ok && options == "omitempty" {
				continue
			}
			if !ok {
				t.Errorf("%s.%s is missing", where, name)
				continue
			}
			delete(object, name)
			checkShape(t, where+"."+name, f.Type, member)
		}
		delete(object, "manifest")
		for name := range object {
			t.Errorf("%s.%s is unknown", where, name)
		}
	}
}

func TestNullsAndLists(t *testing.T) {
	for _, s := range rendertest.Scored() {
		slug := s.Entry().Slug
		bodies := answers(t, s)
		checkShape(t, slug, reflect.TypeFor[wire.Entry](), bodies["entry, live false"])
		checkShape(t, slug+" provenance", reflect.TypeFor[wire.Provenance](), bodies["provenance"])
		checkShape(t, slug+" quality-score", reflect.TypeFor[wire.QualityScore](), bodies["quality-score"])
		checkShape(t, slug+" quality-history", reflect.TypeFor[wire.QualityHistory](), bodies["quality-history"])
		checkShape(t, slug+" preview", reflect.TypeFor[wire.Preview](), bodies["preview"])
		checkShape(t, slug+" checks", reflect.TypeFor[wire.Checks](), bodies["checks"])
		item, _, err := wire.EncodeItem(s)
		if err != nil {
			t.Fatal(err)
		}
		checkShape(t, slug+" item", reflect.TypeFor[wire.Item](), item)
	}
}

func TestItemAndEntryAgree(t *testing.T) {
	for _, s := range rendertest.Scored() {
		item, cells, err := wire.EncodeItem(s)
		if err != nil {
			t.Fatal(err)
		}
		page, err := wire.EncodeEntry(s, false)
		if err != nil {
			t.Fatal(err)
		}
		var a, b map[string]json.RawMessage
		if json.Unmarshal(item, &a) != nil || json.Unmarshal(page, &b) != nil {
			t.Fatal("not JSON")
		}
		for name, v := range a {
			cut := name == "description" && cells.Truncated&(1<<4) != 0 || name == "description_en" && cells.Truncated&(1<<37) != 0
			if name != "maturity" && name != "search_vector" && !cut && string(v) != string(b[name]) {
				t.Errorf("%s: %s is %s in lists and %s on its page", s.Entry().Slug, name, v, b[name])
			}
		}
	}
}

func TestLongTextsAreCutInLists(t *testing.T) {
	s := rendertest.Find(t, rendertest.HostileServer)
	item, cells, err := wire.EncodeItem(s)
	if err != nil {
		t.Fatal(err)
	}
	var got wire.Item
	if err := json.Unmarshal(item, &got); err != nil {
		t.Fatal(err)
	}
	for name, short := range map[string]*string{"description": got.Description, "description_en": got.DescriptionEn} {
		if short == nil || len(*short) > wire.ListTextMax || !strings.HasSuffix(*short, "…") || !utf8.ValidString(*short) {
			t.Errorf("%s: %v", name, short)
		}
	}
	head := wire.NewProvenanceMap([]snapshot.Cells{cells})
	b, err := head.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]wire.FieldProvenance
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	for name, p := range m {
		if want := name == "description" || name == "description_en"; (p.Cells.Truncated == 1) != want {
			t.Errorf("%s: %d cut", name, p.Cells.Truncated)
		}
	}
	if got.SearchVector != search.Vector(s.Entry().Name, "", s.Entry().Description, s.Entry().DescriptionEn, strings.Join(s.Entry().Tags, " ")) {
		t.Error("the search vector is made of the cut text")
	}
}

func TestSealSaysWhatItCovers(t *testing.T) {
	at := time.Date(2026, 11, 21, 10, 0, 0, 5, time.FixedZone("x", 7200))
	for _, live := range []bool{false, true} {
		b, err := wire.Seal(map[string][]map[string]int{"items": {{"a": 1}, {"b": 2}}}, at, live)
		if err != nil {
			t.Fatal(err)
		}
		rendertest.CheckSealed(t, "sealed", b)
		var got struct {
			Manifest wire.Manifest `json:"manifest"`
		}
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		m := got.Manifest
		if m.Live != live || m.RowCount != 2 || m.CreatedAt != "2026-11-21T08:00:00Z" || m.AnswerSHA256Rule != wire.HashRule || m.LiveBasis == "" || m.DurableCitation == "" {
			t.Errorf("manifest %+v", m)
		}
	}
	if _, err := wire.Seal(func() {}, at, false); err == nil {
		t.Error("what cannot be encoded is sealed")
	}
	empty, err := wire.SealBytes([]byte("{}"), at, false)
	if err != nil {
		t.Fatal(err)
	}
	rendertest.CheckSealed(t, "empty", empty)
}

func TestPath(t *testing.T) {
	for base, want := range map[string]string{
		"https://example.org": "/a", "https://example.org/": "/a", "https://example.org/register": "/register/a",
		"https://example.org/x/y/": "/x/y/a", "http://127.0.0.1:8080": "/a", "": "/a",
	} {
		if got := wire.Path(snapshot.Site{BaseURL: base}, "/a"); got != want {
			t.Errorf("Path under %q is %q, want %q", base, got, want)
		}
	}
	if got := wire.PinnedPath(snapshot.Site{BaseURL: "https://example.org/r"}, "20261121-0a1b2c3d4e5f", 12); got != "/r/s/20261121-0a1b2c3d4e5f/api/v1/entries/pages/12" {
		t.Errorf("PinnedPath = %s", got)
	}
}

func TestTotalPages(t *testing.T) {
	for _, c := range [][3]int{{0, 20, 0}, {1, 20, 1}, {20, 20, 1}, {21, 20, 2}, {100, 1, 100}} {
		if got := wire.TotalPages(c[0], c[1]); got != c[2] {
			t.Errorf("%d entries by %d are %d pages, want %d", c[0], c[1], got, c[2])
		}
	}
}

func TestEncodePage(t *testing.T) {
	c := rendertest.Catalog(t)
	var lines []*snapshot.Line
	for _, i := range c.Order {
		lines = append(lines, &c.Lines[i])
	}
	next := "/next"
	for _, shown := range [][]*snapshot.Line{nil, lines[:1], lines} {
		head := wire.PageHead{Total: 8, Page: 1, Limit: 20, TotalPages: 1, Links: wire.Links{Self: "/self", First: "/first", Next: &next, Last: "/last"}}
		body, err := wire.EncodePage(c, shown, head, c.AsOf, true)
		if err != nil {
			t.Fatal(err)
		}
		rendertest.CheckSealed(t, "page", body)
		var page struct {
			Items []json.RawMessage `json:"items"`
			wire.Links
			Snapshot string                          `json:"snapshot"`
			Fields   map[string]wire.FieldProvenance `json:"field_provenance"`
			Note     string                          `json:"field_provenance_note"`
		}
		if err := json.Unmarshal(body, &page); err != nil {
			t.Fatal(err)
		}
		if len(page.Items) != len(shown) || page.Snapshot != c.ID || page.Note == "" || page.Items == nil {
			t.Errorf("%d items of snapshot %s", len(page.Items), page.Snapshot)
		}
		for name, p := range page.Fields {
			empty := 0
			for _, raw := range page.Items {
				var item map[string]json.RawMessage
				if err := json.Unmarshal(raw, &item); err != nil {
					t.Fatal(err)
				}
				if v := string(item[name]); v == "null" || v == `""` || v == "[]" {
					empty++
				}
			}
			if p.Cells.Rows != len(shown) || p.Cells.Empty != empty || p.Cells.Delivered != len(shown)-empty {
				t.Errorf("%s: %+v, %d are empty", name, p.Cells, empty)
			}
		}
		if !bytes.Contains(body, []byte(`"links":{"self":"/self","first":"/first","prev":null,"next":"/next","last":"/last"}`)) {
			t.Error("the links are not as given")
		}
	}
	broken := *lines[0]
	broken.Item.Offset = 1 << 40
	if _, err := wire.EncodePage(c, []*snapshot.Line{&broken}, wire.PageHead{}, c.AsOf, false); err == nil {
		t.Error("a page of an item that is not there")
	}
}

func TestQualityHistoryHoldsChanges(t *testing.T) {
	s := rendertest.Find(t, rendertest.BareDataset)
	day := func(n int) string { return s.Day.AddDate(0, 0, n).Format(time.DateOnly) }
	stored := func(n int) catalog.ScoreDay { return catalog.ScoreDay{EntryID: s.Entry().ID, Day: day(n), MQA: 1} }
	as := func(n int) catalog.ScoreDay { d := s.ScoreDay(); d.Day = day(n); return d }
	moved := as(-2)
	moved.Axes[1] = new(float64)
	for name, c := range map[string]struct {
		scores []catalog.ScoreDay
		want   []string
	}{
		"none":              {nil, []string{day(0)}},
		"days before":       {[]catalog.ScoreDay{stored(-2), stored(-1)}, []string{day(-2), day(0)}},
		"the same":          {[]catalog.ScoreDay{stored(-5), as(-4), as(-1)}, []string{day(-5), day(-4)}},
		"an axis":           {[]catalog.ScoreDay{as(-3), moved, as(-1)}, []string{day(-3), day(-2), day(-1)}},
		"stored today":      {[]catalog.ScoreDay{stored(-1), stored(0)}, []string{day(-1), day(0)}},
		"stored for future": {[]catalog.ScoreDay{stored(-1), stored(1)}, []string{day(-1), day(0)}},
	} {
		s.Row.Scores = c.scores
		var got []string
		h := wire.NewQualityHistory(s)
		for _, d := range h.Days {
			got = append(got, d.Day)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if last := h.Days[len(h.Days)-1]; last.MQAScore != s.Result.MQA.Float() || *last.RankingScore != s.Result.Ranking.Float() || last.Availability != nil {
			t.Errorf("%s: the snapshot's day is %+v", name, last)
		}
	}
}

// TestLastRanked finds the day on which the ranking took the value that is shown.
func TestLastRanked(t *testing.T) {
	s := rendertest.Find(t, rendertest.BareDataset)
	ranked := func(n int, by float64) catalog.ScoreDay {
		value := s.Result.Ranking.Float() + by
		return catalog.ScoreDay{EntryID: s.Entry().ID, Day: s.Day.AddDate(0, 0, n).Format(time.DateOnly), Ranking: &value}
	}
	for name, c := range map[string]struct {
		scores []catalog.ScoreDay
		want   int
	}{
		"none":                {nil, 0},
		"the same since":      {[]catalog.ScoreDay{ranked(-9, 1), ranked(-4, 0), ranked(-2, 0)}, -4},
		"always":              {[]catalog.ScoreDay{ranked(-9, 0)}, -9},
		"another, and back":   {[]catalog.ScoreDay{ranked(-9, 0), ranked(-4, 0.1), ranked(-2, 0)}, -2},
		"today is not before": {[]catalog.ScoreDay{ranked(-1, 2), ranked(0, 0)}, 0},
		"unknown":             {[]catalog.ScoreDay{{Day: s.Day.AddDate(0, 0, -1).Format(time.DateOnly)}}, 0},
	} {
		s.Row.Scores = c.scores
		b, err := wire.EncodeEntry(s, false)
		want := `"last_ranked_at":"` + s.Day.AddDate(0, 0, c.want).Format(time.RFC3339) + `"`
		if err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s: the entry does not have %s, %v", name, want, err)
		}
	}
}

func TestChecksAreNewestFirstAndOfThirtyDays(t *testing.T) {
	c := checksOf(t, rendertest.WeatherAPI)
	if c.Total != 5 || c.Up != 4 || len(c.Items) != 5 || *c.Uptime != 80 || c.LatestCheck == nil || *c.P50 == 0 {
		t.Errorf("checks %+v", c)
	}
	if !slices.IsSortedFunc(c.Items, func(a, b wire.Check) int { return strings.Compare(*b.At, *a.At) }) {
		t.Error("the checks are not newest first")
	}
	none := checksOf(t, rendertest.BareDataset)
	if none.Total != 0 || none.Uptime != nil || none.LatestCheck != nil || none.State != catalog.StateUnverified || none.Items == nil {
		t.Errorf("checks of an entry that was never checked: %+v", none)
	}
}

func TestReuse(t *testing.T) {
	yes, no, unknown := "known true", "known false", "unknown"
	text := func(r wire.RightStatus) string {
		if r.Value == nil {
			return r.Status
		}
		return fmt.Sprint(r.Status, " ", *r.Value)
	}
	for _, c := range []struct {
		slug         string
		rights       [6]string
		undetermined []string
		basis        string
	}{
		{rendertest.WeatherAPI, [6]string{yes, yes, yes, no, no, yes}, []string{}, "licence_table"},
		{rendertest.AirDataset, [6]string{no, yes, yes, unknown, unknown, yes}, []string{"share_alike", "personal_data_warning"}, "licence_table"},
		{rendertest.FrenchAir, [6]string{unknown, unknown, unknown, unknown, unknown, unknown},
			[]string{"commercial_use", "redistribution", "attribution_required", "share_alike", "personal_data_warning", "cache_and_mirror"}, "publisher_text_not_recognised"},
		{rendertest.CityRegister, [6]string{unknown, unknown, unknown, unknown, yes, unknown},
			[]string{"commercial_use", "redistribution", "attribution_required", "share_alike", "cache_and_mirror"}, "publisher_states_none"},
		{rendertest.BareDataset, [6]string{unknown, unknown, unknown, unknown, unknown, unknown},
			[]string{"commercial_use", "redistribution", "attribution_required", "share_alike", "personal_data_warning", "cache_and_mirror"}, "none"},
	} {
		page, err := wire.EncodeEntry(rendertest.Find(t, c.slug), false)
		if err != nil {
			t.Fatal(err)
		}
		var got wire.Entry
		if err := json.Unmarshal(page, &got); err != nil {
			t.Fatal(err)
		}
		r := got.Reuse
		rights := [6]string{text(r.CommercialUse), text(r.Redistribution), text(r.AttributionRequired), text(r.ShareAlike), text(r.PersonalDataWarning), text(r.CacheAndMirror)}
		if rights != c.rights || r.Basis != c.basis {
			t.Errorf("%s: rights %v, basis %s", c.slug, rights, r.Basis)
		}
		if d := cmp.Diff(c.undetermined, r.Undetermined); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.slug, d)
		}
	}
}

func TestWithheldSamplesAreNotShown(t *testing.T) {
	page, err := wire.EncodeEntry(rendertest.Find(t, rendertest.CityRegister), false)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(page, []byte("must not be shown")) {
		t.Error("the sample of a dataset with personal data is shown")
	}
}

func TestRelationTexts(t *testing.T) {
	c := rendertest.Catalog(t)
	texts := func(slug string) map[string]string {
		r, at := wire.NewRelations(c, c.ByID(rendertest.ID(slug)))
		out := map[string]string{}
		for _, x := range r.Items {
			if x.Label == "" || x.Reason == "" {
				t.Errorf("%s: %+v has no text", slug, x)
			}
			out[x.Kind+" "+x.Entry.Slug] = x.Label
		}
		for _, x := range r.MergedFrom {
			out["merged_from "+x.Slug] = x.Reason
		}
		if at.IsZero() || at.After(c.AsOf) || r.Items == nil || r.MergedFrom == nil {
			t.Errorf("%s: relations as of %s", slug, at)
		}
		return out
	}
	for slug, want := range map[string]map[string]string{
		rendertest.WeatherAPI: {"predecessor weather-v1": "Predecessor", "serves air-quality": "Serves", "same_institution air-quality": "Same institution"},
		rendertest.AirDataset: {"served_by weather-observations": "Served by", "same_institution weather-observations": "Same institution", "merged_from air-quality-copy": "merged"},
		rendertest.OldAPI: {"successor weather-observations": "Successor", "same_institution weather-observations": "Same institution",
			"same_institution air-quality": "Same institution"},
		rendertest.BareDataset: {},
	} {
		if d := cmp.Diff(want, texts(slug)); d != "" {
			t.Errorf("%s (-want +got):\n%s", slug, d)
		}
	}
}

func TestRelatedTexts(t *testing.T) {
	c := rendertest.Catalog(t)
	ordinal := c.ByID(rendertest.ID(rendertest.AirDataset))
	got := map[string]string{}
	related, _ := wire.NewRelated(c, ordinal, c.Related(ordinal))
	for _, r := range related.Items {
		got[r.Entry.Slug] = r.Reasons.Text
		if r.Points <= 0 || r.Reasons.Tags == nil || r.Reasons.Fields == nil {
			t.Errorf("%+v", r)
		}
	}
	want := map[string]string{
		rendertest.FrenchAir:  "shares the tags air, health",
		rendertest.WeatherAPI: "shares the tags air; same institution; same country",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	none, _ := wire.NewRelated(c, c.ByID(rendertest.ID(rendertest.BareDataset)), nil)
	if none.Items == nil || len(none.Items) != 0 {
		t.Errorf("%+v", none)
	}
}

func TestQualityScoreExplainsItsTotals(t *testing.T) {
	for _, s := range rendertest.Scored() {
		q := wire.NewQualityScore(s)
		inputs := map[string]float64{"verification": *q.Verification.Value}
		if q.Freshness.Value != nil {
			inputs["freshness"] = *q.Freshness.Value
		}
		unknown := []string{}
		for _, a := range q.Axes {
			if a.Value == nil {
				unknown = append(unknown, a.ID)
				continue
			}
			inputs[a.ID] = *a.Value
		}
		if !slices.Equal(unknown, q.Unknown) {
			t.Errorf("%s: unknown %v, said %v", s.Entry().Slug, unknown, q.Unknown)
		}
		totals := map[string]float64{"mqa_score": q.MQAScore, "trust_score": q.TrustScore, "ranking_score": q.RankingScore}
		for _, f := range q.Formulas {
			sum, weights := 0.0, 0.0
			for _, term := range f.Terms {
				sum += float64(term.Weight) * inputs[term.Input]
				weights += float64(term.Weight)
			}
			if got := totals[f.Score]; got-sum/weights > 0.05+1e-9 || sum/weights-got > 0.05+1e-9 {
				t.Errorf("%s: %s is %v, its formula gives %v", s.Entry().Slug, f.Score, got, sum/weights)
			}
		}
	}
}

func FuzzEncodeEntry(f *testing.F) {
	f.Add("Name", "Description")
	f.Add(rendertest.Hostile, strings.Repeat(rendertest.Hostile, 5))
	f.Add("\u2028\u2029\\u2028", "\u202e\u200f\ufeff\ufffd\x7f")
	f.Add("\x00\x08\x0c\x1f", "\U0001f3db\u0301")
	f.Add(`"search_vector":"x"`, `\"}],"manifest":{`)
	s := rendertest.Find(f, rendertest.WeatherAPI)
	f.Fuzz(func(t *testing.T, name, description string) {
		if !utf8.ValidString(name) || !utf8.ValidString(description) {
			t.Skip("the harvest cleans such text")
		}
		e := s.Entry()
		e.Name, e.NameEn, e.Description, e.StatusReason, e.Tags = name, name, description, description, []string{name}
		s.Row.Provenance.Rows[0].Note = description
		for label, body := range answers(t, s) {
			rendertest.CheckSealed(t, label, body)
		}
		item, _, err := wire.EncodeItem(s)
		if err != nil {
			t.Fatal(err)
		}
		rendertest.CheckJSON(t, "item", item)
		var back wire.Item
		if err := json.Unmarshal(item, &back); err != nil || back.Name != name {
			t.Errorf("name %q came back as %q, %v", name, back.Name, err)
		}
	})
}

func checksOf(t *testing.T, slug string) wire.Checks {
	s := rendertest.Find(t, slug)
	return wire.NewChecks(s.Row, s.Day)
}
