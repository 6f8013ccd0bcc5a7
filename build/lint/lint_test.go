package lint_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/lint"
	"github.com/assay-register/assay/render/catalog"
	rules "github.com/assay-register/assay/render/lint"
)

// run lints a document that lies in memory.
func run(t testing.TB, name, kind string, data []byte) ([]rules.Finding, rules.Summary) {
	t.Helper()
	in := source.Input{Name: name, Now: time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC), Size: int64(len(data)),
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
	return runInput(t, in, kind)
}

func runInput(t testing.TB, in source.Input, kind string) (list []rules.Finding, sum rules.Summary) {
	t.Helper()
	sum, err := lint.Run(t.Context(), lint.Options{Input: in, Kind: kind, Connectors: harvest.Connectors(), Found: func(f *rules.Finding) error {
		list = append(list, *f)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return list, sum
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// fixtures are documents with one fault after the other.
var fixtures = []string{"data.json", "packages.jsonl", "api.json", "catalogue.ttl", "catalogue.csv", "metas.json", "socrata.jsonl", "udata.json"}

// TestFixtures: each rule that a fixture breaks is told at the member that breaks it.
func TestFixtures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, rule, record, member string }{
		{"data.json", "text.space-around", "a", "/dataset/0/landingPage"}, {"data.json", "date.interval", "a", "/dataset/0/modified"},
		{"data.json", "licence.link", "a", "/dataset/0/license"}, {"data.json", "url.host", "a", "/dataset/0/distribution/0/accessURL"},
		{"data.json", "identifier.repeated", "a", ""}, {"data.json", "title.repeated", "a", ""}, {"data.json", "missing.description", "b", "/dataset/2/description"},
		{"data.json", "date.precision", "b", "/dataset/2/modified"}, {"data.json", "licence.unknown", "b", "/dataset/2/license"}, {"data.json", "datajson.access-level", "b", "/dataset/2/accessLevel"},
		{"data.json", "url.unusable", "b", "/dataset/2/distribution/0/accessURL"}, {"data.json", "frequency.form", "b", "/dataset/2/accrualPeriodicity"}, {"data.json", "record.no-title", "c", "/dataset/3/title"},
		{"packages.jsonl", "text.invisible", "p", "/title"}, {"packages.jsonl", "value.empty", "p", "/resources/0/url"}, {"packages.jsonl", "format.spelling", "p", "/resources/1/format"},
		{"packages.jsonl", "licence.unspecified", "p", "/license_id"}, {"packages.jsonl", "ckan.resource-count", "p", "/num_resources"}, {"packages.jsonl", "date.order", "p", "/metadata_modified"},
		{"packages.jsonl", "text.control", "q", "/notes"}, {"packages.jsonl", "text.line-separator", "q", "/title"}, {"packages.jsonl", "url.credentials", "q", "/resources/0/url"}, {"packages.jsonl", "date.form", "q", "/metadata_modified"},
		{"api.json", "url.not-public", "", "/servers/0/url"}, {"api.json", "value.empty", "", "/info/license/name"}, {"api.json", "text.literal-escape", "", "/info/description"},
		{"catalogue.ttl", "language.tag", "", "dct:title"}, {"catalogue.ttl", "text.mojibake", "", "dct:description"}, {"catalogue.ttl", "date.implausible", "", "dct:modified"},
		{"catalogue.ttl", "mail.scheme", "", "vcard:hasEmail"}, {"catalogue.ttl", "mail.characters", "", "vcard:hasEmail"}, {"catalogue.ttl", "url.credentials", "", "dcat:accessURL"},
		{"catalogue.ttl", "url.doubled", "", "dcat:accessURL"}, {"catalogue.ttl", "distribution.no-address", "", "dcat:accessURL"}, {"catalogue.ttl", "date.repeated", "", "dct:issued"}, {"catalogue.ttl", "record.no-title", "", "dct:title"},
		{"catalogue.ttl", "language.machine", "", "dct:title"}, {"catalogue.ttl", "date.types", "", "dct:modified, dct:issued"}, {"catalogue.ttl", "text.placeholder", "", "dct:description"},
		{"catalogue.csv", "date.unreadable", "", "startDate"}, {"catalogue.csv", "licence.software", "", "license"}, {"catalogue.csv", "value.empty", "", "url"}, {"catalogue.csv", "date.order", "", "dateUpdated"},
		{"metas.json", "catalogue.incomplete", "", "/total_count"}, {"socrata.jsonl", "record.hidden", "", ""}, {"socrata.jsonl", "record.community", "", "/resource/provenance"}, {"udata.json", "missing.license", "", "/data/0/license"},
	} {
		list, _ := run(t, c.file, "", fixture(t, c.file))
		ok := false
		for i := range list {
			f := &list[i]
			ok = ok || f.Rule == c.rule && (c.record == "" || f.Record.ID == c.record) && (c.member == "" || f.Member == c.member)
			if f.Why == "" || f.Remedy == "" || f.Source.URL == "" || f.Message == "" || f.Record.Document == "" {
				t.Errorf("%s: a finding says too little: %+v", c.file, f)
			}
		}
		if !ok {
			var told []string
			for i := range list {
				told = append(told, fmt.Sprint(list[i].Rule, " ", list[i].Record.ID, " ", list[i].Member))
			}
			t.Errorf("%s: %s of %q at %q is not told, but\n%s", c.file, c.rule, c.record, c.member, strings.Join(told, "\n"))
		}
	}
}

// TestClean: a catalogue without faults has no finding that must be mended.
func TestClean(t *testing.T) {
	t.Parallel()
	list, sum := run(t, "clean.json", "", fixture(t, "clean.json"))
	if sum.Must != 0 || sum.Should != 0 || sum.Records != 1 {
		t.Errorf("%+v %+v", sum, list)
	}
}

// TestIntervalIsMoved: the patch of an interval in place of a date keeps how often the data changes, unless the
// record says so already.
func TestIntervalIsMoved(t *testing.T) {
	t.Parallel()
	list, _ := run(t, "data.json", "", fixture(t, "data.json"))
	for at, want := range map[string]string{"/dataset/0/modified": "", "/dataset/4/modified": "R/P1D"} {
		moved := "no finding"
		for i := range list {
			if f := &list[i]; f.Rule == "date.interval" && f.Member == at {
				moved = ""
				for _, op := range f.Patch.Operations {
					if strings.HasSuffix(op.Path, "/accrualPeriodicity") {
						moved = fmt.Sprint(op.Value)
					}
				}
			}
		}
		if moved != want {
			t.Errorf("%s: moved %q, want %q", at, moved, want)
		}
	}
}

// FuzzDocuments: whatever lies in a document, a run ends without a panic.
// TestServiceWithoutName: what is wrong with a service that is a blank node is told of the node, and not of
// its endpoint, about which a patch would state what is no business of it.
func TestServiceWithoutName(t *testing.T) {
	const endpoint = "https://a.example/wms"
	for name, title := range map[string]string{"with a title": `dct:title "Waters"@en ;`, "refused": ""} {
		list, _ := run(t, "c.ttl", "dcat", []byte(`@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .
_:s a dcat:DataService ; `+title+` dcat:endpointURL <`+endpoint+`> .`))
		if len(list) == 0 {
			t.Errorf("%s: nothing is found", name)
		}
		for _, f := range list {
			if !strings.HasPrefix(f.Record.Subject, "_:") || f.Record.ID != "" || f.Patch != nil && strings.Contains(f.Patch.Add, endpoint) {
				t.Errorf("%s: %s of %+v, %+v", name, f.Rule, f.Record, f.Patch)
			}
		}
	}
}

func FuzzDocuments(f *testing.F) {
	for _, name := range fixtures {
		f.Add(name, fixture(f, name))
	}
	f.Add("x.md", []byte("---\na: [\n---\n"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		if strings.ContainsAny(name, "/\\") || len(data) > 1<<16 {
			return
		}
		in := source.Input{Name: name, Source: catalog.Source{}, Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
		_, _ = lint.Run(t.Context(), lint.Options{Input: in, Connectors: harvest.Connectors(), Found: func(*rules.Finding) error { return nil }})
	})
}
