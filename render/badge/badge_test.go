package badge

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
)

// everyBadge draws each kind with each value that it can have.
func everyBadge() []Badge {
	base := facts{name: `Κτίρια & "Εταιρείες" <a>`, typ: catalog.TypeAPI, status: catalog.StatusActive, state: catalog.StateVerified,
		access: catalog.AccessFreeNoAuth, tier: catalog.TierExcellent, mqa: 912}
	var out []Badge
	add := func(k Kind, change func(*facts)) {
		f := base
		change(&f)
		out = append(out, f.badge(k))
	}
	scores := map[catalog.MQATier]score.Tenths{catalog.TierExcellent: 1000, catalog.TierGood: 601, catalog.TierFair: 400, catalog.TierPoor: 1}
	for _, t := range catalog.MQATiers() {
		for _, k := range []Kind{KindScore, KindTier, KindCombined} {
			add(k, func(f *facts) { f.tier, f.mqa = t, scores[t] })
		}
	}
	for _, s := range catalog.VerificationStates() {
		add(KindVerified, func(f *facts) { f.state = s })
		add(KindCombined, func(f *facts) { f.state = s })
	}
	add(KindVerified, func(f *facts) { f.status = catalog.StatusDeprecated })
	add(KindCombined, func(f *facts) { f.status = catalog.StatusDeprecated })
	for _, v := range catalog.EntryTypes() {
		add(KindType, func(f *facts) { f.typ = v })
	}
	for _, v := range catalog.FreeAccessClasses() {
		add(KindAccess, func(f *facts) { f.access = v })
	}
	return append(out, Unknown())
}

// The golden file holds one badge a line; .ci/badges/judge compares their
// widths with badge-maker's.
func TestBadgesAreGolden(t *testing.T) {
	var b bytes.Buffer
	for _, badge := range everyBadge() {
		b.Write(badge.draw(nil))
		b.WriteByte('\n')
	}
	rendertest.Golden(t, "badges.txt", b.Bytes())
}

// TestNothingIsSaidByColourAlone: equal kinds with different colours differ in
// their words, and every badge says its kind.
func TestNothingIsSaidByColourAlone(t *testing.T) {
	colours := map[string]Colour{}
	for _, b := range everyBadge() {
		words := b.Label + ": " + b.Message
		if c, ok := colours[words]; ok && c != b.Colour {
			t.Errorf("%q has two colours", words)
		}
		colours[words] = b.Colour
		d := parse(t, b.draw(nil))
		if d.Role != "img" || d.Label != words || !strings.HasPrefix(d.Title, words) || d.Height != 20 {
			t.Errorf("%q: role %q, label %q, title %q, height %d", words, d.Role, d.Label, d.Title, d.Height)
		}
		if b.Label == "" || b.Message == "" || strings.ContainsAny(b.Message, "_") {
			t.Errorf("%+v has no words", b)
		}
	}
}

// luminance is the relative luminance of WCAG 2.2.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	rgb, err := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 24)
	if err != nil || len(colour) != 7 {
		t.Fatalf("%q is no colour: %v", colour, err)
	}
	channel := func(shift int) float64 {
		v := float64(rgb>>shift&0xff) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(16) + 0.7152*channel(8) + 0.0722*channel(0)
}

func TestContrast(t *testing.T) {
	check := func(name string, fill, text string) {
		a, b := luminance(t, fill), luminance(t, text)
		if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < 4.5 {
			t.Errorf("%s: contrast %.2f to 1", name, ratio)
		}
	}
	check("label", labelFill, light)
	for c, p := range paints {
		check(Colour(c).Hex(), p.fill, p.text)
	}
	if Colour(200).Hex() != Grey.Hex() {
		t.Error("a number that is no colour is not grey")
	}
}

func scored() *snapshot.Scored {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	row := &catalog.Row{Entry: catalog.Entry{ID: catalog.NewID("entry", "a"), Slug: "air-quality", Name: "Air \"quality\" <i>\u2028\x01", Type: catalog.TypeAPI,
		Status: catalog.StatusActive, FreeAccessClass: catalog.AccessFreeKey, PublishedAt: at, UpdatedAt: at, Description: "d", Tags: []string{"air"}},
		State: &catalog.CheckState{State: catalog.StateStale}}
	return snapshot.NewFrame(snapshot.Site{}, at, nil, nil, nil).Score(row, "air quality")
}

func TestEntryRendersEachKindUnderBothNames(t *testing.T) {
	s := scored()
	files, err := Entry(s)
	if err != nil || len(files) != 6 {
		t.Fatal(len(files), err)
	}
	line := snapshot.NewLine(s, "air quality")
	for i, k := range Kinds() {
		f := files[i]
		if f.Route != Prefix+line.ID+"/"+string(k) || f.Alias != Prefix+"air-quality/"+string(k) || f.Type != Type {
			t.Errorf("%s: %s, %s, %s", k, f.Route, f.Alias, f.Type)
		}
		live := Of(&line, k)
		if !bytes.Equal(f.Body, live.draw(nil)) {
			t.Errorf("%s: the static and the live badge differ", k)
		}
		if title := parse(t, f.Body).Title; !strings.HasSuffix(title, " – Air \"quality\" <i> \uFFFD") {
			t.Errorf("%s: title %q", k, title)
		}
		if !IsKind(string(k)) {
			t.Error(k, "is no kind")
		}
	}
	if IsKind("scores") {
		t.Error("scores is a kind")
	}
	if b := Of(&line, "none"); b.Message != "not found" {
		t.Errorf("%+v", b)
	}
}

func TestEndpointIsWhatShieldsAccepts(t *testing.T) {
	b := Badge{Label: "quality\n", Message: "good", Colour: Olive}
	got, err := json.Marshal(b.Endpoint(false))
	if want := `{"schemaVersion":1,"label":"quality","message":"good","color":"#4d7c0f","labelColor":"#555555","cacheSeconds":300}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}
