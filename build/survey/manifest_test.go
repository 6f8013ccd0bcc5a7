package survey_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/survey"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

// kept are the manifests that are kept of the entry.
func (d *desk) kept() (list []catalog.Evidence) {
	d.t.Helper()
	d.update(func(ctx context.Context, tx catalog.Tx) error {
		list = nil
		return tx.Evidences().Scan(ctx, catalog.Only(d.id), func(e *catalog.Evidence) error {
			if e.Kept {
				list = append(list, *e)
			}
			return nil
		})
	})
	return list
}

// TestManifestsAreKept: one for the first good sample and one for each change
// of the schema, none for the same again nor for a failure.
func TestManifestsAreKept(t *testing.T) {
	const url = "https://x.example/data.csv"
	d := newDesk(t, dataset(url))
	wider := strings.ReplaceAll(csv, "\n", ",1\n")
	for i, s := range []struct {
		body, result string
		kept         int
	}{
		{"broken", verify.SurveyFailed, 0}, {csv, survey.First, 1}, {csv, survey.Unchanged, 1},
		{strings.Replace(csv, "19", "20", 1), survey.Unchanged, 1}, {wider, "additive", 2}, {"\x00\x01", survey.Unsupported, 2}, {csv, "breaking", 2},
	} {
		d.pages[url] = s.body
		if result := d.look(nil); result != s.result || len(d.kept()) != s.kept {
			t.Fatalf("step %d: %s (%v), %d kept, want %s, %d", i, result, d.said, len(d.kept()), s.result, s.kept)
		}
	}
}

// TestManifestProvesWhatWasSampled: whoever has the bytes can compare them, the
// manifest has its own hash, and no value of the data stands in it.
func TestManifestProvesWhatWasSampled(t *testing.T) {
	const url = "https://x.example/data.csv"
	d := newDesk(t, dataset(url))
	d.pages[url] = csv
	d.look(nil)
	e := d.kept()[0]
	if sum := sha256.Sum256(e.Body); e.SHA256 != hex.EncodeToString(sum[:]) || !strings.HasPrefix(e.Media, "application/json") || !e.CreatedAt.Equal(d.now) {
		t.Errorf("%+v", e)
	}
	var m struct {
		Manifest, URL, SHA256, Slug string
		Bytes                       int
		Fields                      []struct{ Name, Type string }
	}
	if err := json.Unmarshal(e.Body, &m); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(csv))
	if m.Manifest != "assay.survey/1" || m.URL != url || m.Slug != "x" || m.SHA256 != hex.EncodeToString(sum[:]) || m.Bytes != len(csv) || len(m.Fields) != 3 {
		t.Errorf("%s", e.Body)
	}
	for _, value := range []string{"GR", "2024-01-01", `"80"`} {
		if strings.Contains(string(e.Body), value) {
			t.Errorf("the manifest holds the value %s: %s", value, e.Body)
		}
	}
}

// TestManifestIsMadeUp: of a source that was sampled before manifests were kept
// one is kept at the next look.
func TestManifestIsMadeUp(t *testing.T) {
	const url = "https://x.example/data.csv"
	d := newDesk(t, dataset(url))
	d.pages[url] = csv
	d.look(nil)
	other := newDesk(t, dataset(url))
	other.pages[url] = csv
	_, p, _, _ := d.state()
	other.update(func(ctx context.Context, tx catalog.Tx) error { return tx.Profiles().Put(ctx, *p) })
	if result := other.look(nil); result != survey.Unchanged || len(other.kept()) != 1 {
		t.Errorf("%s, %d kept", result, len(other.kept()))
	}
}

// TestTextsOfFields: what an English source says of its fields is the English
// text, too; the profile names the run.
func TestTextsOfFields(t *testing.T) {
	const text = `"id":{"type":"string","title":"Id","description":"Number of the station."}`
	for lang, want := range map[string]string{"en": "Number of the station.", "de": ""} {
		d := newDesk(t, catalog.Entry{Type: catalog.TypeAPI, NativeLang: lang, API: &catalog.APIDetails{OpenAPIURL: "https://x.example/o"}})
		d.pages["https://x.example/o"] = strings.Replace(document, `"id":{"type":"string"}`, text, 1)
		d.look(nil)
		_, p, _, _ := d.state()
		for _, f := range p.Fields {
			if strings.HasSuffix(f.Name, "id") && (f.Label != "Id" || f.Description != "Number of the station." || f.DescriptionEn != want) {
				t.Errorf("%s: %+v", lang, f)
			}
		}
		if p.RunID != "run" || len(p.Fields) == 0 {
			t.Errorf("%+v", p)
		}
	}
}
