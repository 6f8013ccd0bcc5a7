package mail

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/wire"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; run the test with -update if the change is meant (-golden +got):\n%s", name, diff)
	}
}

const base = "https://register.example"

var english = view.Words("en")

func digest() *Digest { return digestIn(english) }

func digestIn(w Words) *Digest {
	at := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	event := func(kind catalog.EventKind, fields ...string) Event {
		e := wire.FeedEvent{Type: kind}
		for _, f := range fields {
			e.Changes = append(e.Changes, wire.Changed{Field: f, FieldDelta: wire.FieldDelta{To: json.RawMessage(`"x"`)}})
		}
		return NewEvent(w, &e, at)
	}
	air := NewEntry(w, base, &catalog.Entry{Name: "Ποιότητα αέρα", NameEn: "Air quality in Athens, hourly measurements", Slug: "air-quality-athens", Type: catalog.TypeDataset, Status: catalog.StatusActive})
	air.Events = []Event{event(catalog.EventUpdated, "license_id", "description", "tags", "formats", "docs_url", "contact", "name"), event(catalog.EventFailing)}
	bus := NewEntry(w, base, &catalog.Entry{Name: `<b>Bus & "tram"</b>`, Slug: "bus-stops", Type: catalog.TypeAPI, Status: catalog.StatusActive})
	bus.Events = []Event{event(catalog.EventVerified)}
	ends := wire.FeedEvent{Type: catalog.EventUpdated, Changes: wire.Changes{{Field: "sunset_at", FieldDelta: wire.FieldDelta{To: json.RawMessage(`"2027-05-01T00:00:00Z"`)}}, {Field: catalog.FieldStatements, FieldDelta: wire.FieldDelta{To: json.RawMessage(`"shown"`)}}, {Field: "verification_state", FieldDelta: wire.FieldDelta{To: json.RawMessage(`"FAILING"`)}}}}
	bus.Events = append(bus.Events, NewEvent(w, &ends, at))
	gone := NewEntry(w, base, &catalog.Entry{Name: "Old register of\r\nbridges", Slug: "bridges", Type: catalog.TypeDataset, Status: catalog.StatusRemoved})
	gone.Events = []Event{event(catalog.EventRemoved)}
	return &Digest{Words: w, Register: "Assay", BaseURL: base, What: "entries of the country GR", Often: "at most one mail a day", Entries: []Entry{air, bus, gone}, Total: 5,
		Manage: base + "/m/TOKEN", Unsubscribe: base + "/u/TOKEN"}
}

func TestMailIsGolden(t *testing.T) {
	m, err := digest().Message("reader@readers.example", "m1")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "digest.txt", m.Text)
	golden(t, "digest.html", m.HTML)
	if m.Subject != "5 changes: entries of the country GR" || m.ID != "m1@register.example" || m.List != `"Assay" <watches.register.example>` || m.Unsubscribe != base+"/u/TOKEN" {
		t.Errorf("got %+v", m)
	}
	c := Confirm{Words: english, Register: "Assay", BaseURL: base, What: "Air quality in Athens", Often: "at most one mail a day", Link: base + "/v/TOKEN"}
	if m, err = c.Message("reader@readers.example", "m2"); err != nil {
		t.Fatal(err)
	}
	golden(t, "confirm.txt", m.Text)
	golden(t, "confirm.html", m.HTML)
	if m.Subject != "Confirm your watch: Air quality in Athens" || m.Unsubscribe != "" {
		t.Errorf("got %+v", m)
	}
}

// disabled is a webhook whose endpoint tries to write headers and markup.
func disabled() *Disabled {
	return NewDisabled("Assay", base, &catalog.Webhook{ID: "w1", URL: "https://hooks.example.org/a?key=<x>", Description: "Rain\r\nBcc: victim@readers.example",
		DisabledReason: "the endpoint answered 410 Gone", DisabledAt: time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)})
}

func TestTheNoticeIsGolden(t *testing.T) {
	m, err := disabled().Message("operator@register.example", "m3")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "disabled.txt", m.Text)
	golden(t, "disabled.html", m.HTML)
	if m.Subject != "Webhook disabled: Rain Bcc: victim@readers.example" || m.To != "operator@register.example" || m.ID != "m3@register.example" || m.Unsubscribe != "" {
		t.Errorf("got %+v", m)
	}
	d := disabled()
	d.Name = ""
	if m, err = d.Message("operator@register.example", "m3"); err != nil || m.Subject != "Webhook disabled: hooks.example.org" {
		t.Errorf("without a description: %q, %v", m.Subject, err)
	}
	for _, s := range []string{d.Reason, d.At, d.Link, d.BaseURL} {
		if !strings.Contains(m.Text, s) || !strings.Contains(m.HTML, s) {
			t.Errorf("%q is missing in a form", s)
		}
	}
}

// TestBothFormsSayTheSame finds every name, link and label in both forms.
func TestBothFormsSayTheSame(t *testing.T) {
	d := digest()
	d.Entries[1].Name = "Bus and tram"
	m, err := d.Message("reader@readers.example", "m1")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{d.What, d.Often, d.Manage, d.Unsubscribe}
	for _, e := range d.Entries {
		want = append(want, e.Name, e.Link)
		for _, x := range e.Events {
			want = append(want, x.Label, x.At, x.Detail)
		}
	}
	for _, s := range want {
		if !strings.Contains(m.Text, s) || !strings.Contains(m.HTML, s) {
			t.Errorf("%q is missing in a form", s)
		}
	}
}

func TestLine(t *testing.T) {
	for in, want := range map[string]string{"a\r\nBcc: b": "a Bcc: b", "  a \t b ": "a b", "a\x00b\u2028c\u0085d": "a b c d", strings.Repeat("é", 300): strings.Repeat("é", 149) + "…", "\xff": ""} {
		if got := Line(in, 150); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

func TestEveryKindHasWords(t *testing.T) {
	for _, lang := range view.Languages() {
		for _, kind := range catalog.EventKinds() {
			if label := view.Words(lang).Word("mail.event", string(kind)); label == string(kind) && strings.HasPrefix(string(kind), "entry.") {
				t.Errorf("%s has no words in %s", kind, lang)
			}
		}
	}
}

// TestMailSpeaksTheReadersLanguage finds no English text of ours in the mail of other languages.
func TestMailSpeaksTheReadersLanguage(t *testing.T) {
	plain := regexp.MustCompile(`https?://\S+`)
	for _, lang := range view.Languages()[1:] {
		w := view.Words(lang)
		d := digestIn(w)
		d.What, d.Often = w.Say("mail.what.country", "name", w.Country("GR")), w.T("mail.often.daily")
		c := &Confirm{Words: w, Register: "Assay", BaseURL: base, What: d.What, Often: d.Often, Link: base + "/v/TOKEN"}
		for name, write := range map[string]func(to, id string) (*Message, error){"digest": d.Message, "confirm": c.Message,
			"claim": (&Claim{Words: w, Register: "Assay", BaseURL: base, Domain: "office.example", Enter: "CODE", Page: base + "/claim/ID"}).Message} {
			m, err := write("reader@readers.example", "m1")
			if err != nil {
				t.Fatal(err)
			}
			said := plain.ReplaceAllString(m.Subject+" "+m.Text, "")
			for _, english := range []string{"You ", "you ", "mail about", "changes:", "Confirm your", "Unsubscribe", "at most", "Changed", "Fails", "Greece", "The address", "deleted", "Somebody", "secret that", "⟦"} {
				if strings.Contains(said, english) {
					t.Errorf("%s in %s says %q:\n%s", name, lang, english, said)
				}
			}
			if !strings.Contains(m.HTML, `<html lang="`+lang+`">`) {
				t.Errorf("%s in %s does not say its language", name, lang)
			}
		}
		golden(t, "digest."+lang+".txt", must(t, d).Text)
	}
}

func must(t *testing.T, d *Digest) *Message {
	t.Helper()
	m, err := d.Message("reader@readers.example", "m1")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func FuzzLine(f *testing.F) {
	f.Add("a\r\nb", 10)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		if limit < 1 || limit > 1000 {
			return
		}
		if got := Line(s, limit); strings.ContainsAny(got, "\r\n\x00\u2028") || len([]rune(got)) > limit {
			t.Errorf("%q gives %q", s, got)
		}
	})
}
