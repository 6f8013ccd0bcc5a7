package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/cmd/internal/setup"
	"github.com/assay-register/assay/render/catalog"
)

const apiCSV = "dateAdded,dateUpdated,url,name,description,documentation,license,maintainer,areaServed,startDate,endDate,provider\n"

// portal serves a catalogue of n APIs, with a validator.
func portal(t *testing.T, n *int) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/broken" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		etag := fmt.Sprintf(`"%d"`, *n)
		w.Header().Set("ETag", etag)
		if r.Header.Get("If-None-Match") == etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, apiCSV)
		for i := range *n {
			fmt.Fprintf(w, "2020-01-08,2020-08-24,https://api%d.tides.example.gov.uk/v1,Tides %d,About tides.,,,,,,,harbour-board\n", i, i)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestConfiguredSources(t *testing.T) {
	t.Parallel()
	n := 10
	url := portal(t, &n)
	dir := t.TempDir()
	config := filepath.Join(dir, "assay.yaml")
	text := fmt.Sprintf(`db: sqlite:%s
gap: 1ms
sources:
  - key: tides
    kind: uk-api-catalogue
    url: %s/tides.csv
    title: Tides
    country: gb
    official: by law
  - key: broken
    kind: uk-api-catalogue
    url: %s/broken
  - key: lv-data-gov
    schedule: weekly
    enabled: false
`, filepath.Join(dir, "assay.db"), url, url)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(dir, "report.json")
	args := func(more ...string) []string { return append(more, "--config", config, "--allow-private") }

	code, _, stderr := assay(t, args("harvest", "--report", report)...)
	if code != 1 || !strings.Contains(stderr, "tides") || !strings.Contains(stderr, "404") {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	var r batchReport
	readJSON(t, report, &r)
	if len(r.Sources) != 2 || r.Sources[0].Key != "broken" || r.Sources[0].State != catalog.RunFailed || r.Sources[0].Error == "" ||
		r.Sources[1].State != catalog.RunComplete || r.Sources[1].Created != 10 || r.Sources[1].Error != "" {
		t.Errorf("report %+v", r)
	}
	// Neither is due again; the one that is named is asked all the same, and
	// has not changed.
	if code, _, stderr := assay(t, args("harvest")...); code != 0 || !strings.Contains(stderr, "no source is due") ||
		!regexp.MustCompile(`broken: failed at [0-9: -]{16} \(http_status: .*404.*\); due again at [0-9: -]{16}\n`).MatchString(stderr) ||
		!strings.Contains(stderr, "the next one is broken, at ") || strings.Contains(stderr, "tides") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	if code, _, stderr := assay(t, args("harvest", "tides")...); code != 0 || !strings.Contains(stderr, "unchanged") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	var rows []sourceRow
	out := must(t, args("sources", "--json", "--enabled")...)
	if err := json.Unmarshal([]byte(out), &rows); err != nil || len(rows) != 2 {
		t.Fatalf("%v: %s", err, out)
	}
	if last := rows[1].Last; rows[1].Source.Key != "tides" || last == nil || last.State != catalog.RunUnchanged || rows[1].Due == nil || rows[0].Last.Errors[0].Status != 404 {
		t.Errorf("%s", out)
	}
	if table := must(t, args("sources", "--enabled")...); strings.Count(table, "\n") != 3 || !strings.Contains(table, "http_status") {
		t.Errorf("table\n%s", table)
	}
	if log := must(t, args("sources", "tides", "broken", "lv-data-gov")...); strings.Count(log, "  complete ")+strings.Count(log, "  unchanged ") != 2 ||
		!strings.Contains(log, "http_status: fetch ") || !strings.Contains(log, "never harvested") || !strings.Contains(log, "not enabled; `assay harvest lv-data-gov`") {
		t.Errorf("log\n%s", log)
	}
	out = must(t, args("sources", "tides", "--json")...)
	if err := json.Unmarshal([]byte(out), &rows); err != nil || len(rows) != 1 || len(rows[0].Runs) != 2 {
		t.Errorf("%v: %s", err, out)
	}
	// A shrunken listing waits for a person.
	n = 3
	if code, _, stderr := assay(t, args("harvest", "tides")...); code != 0 || !strings.Contains(stderr, "assay sources confirm tides") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	if code, _, stderr := assay(t, args("sources", "confirm", "tides")...); code != 0 || !strings.Contains(stderr, "7 entries count as missing") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	if code, _, _ := assay(t, args("sources", "confirm", "tides")...); code != 1 {
		t.Error("confirmed twice")
	}
	if code, _, stderr := assay(t, args("harvest", "--jobs")...); code != 0 || !strings.Contains(stderr, "0 queued harvests") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	// Without leave no private address is reached.
	if code, _, stderr := assay(t, "harvest", "tides", "--restart", "--config", config); code != 1 || !strings.Contains(stderr, "private_address") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

// TestRunsThatRejectEverything end with exit code 1, the reasons with their
// counts, and what helps; the log of the source keeps them.
func TestRunsThatRejectEverything(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config, list := filepath.Join(dir, "assay.yaml"), filepath.Join(dir, "list.csv")
	lines := apiCSV + "2020-01-08,2020-08-24,https://tides.example/v1,Tides,About tides.,,,,,,,nobody\n" +
		"2020-01-08,2020-08-24,https://winds.example/v1,Winds,About winds.,,,,,,,nobody\n,,no address,,,,,,,,,\n"
	text := fmt.Sprintf("db: sqlite:%s\nsources:\n  - key: strangers\n    kind: uk-api-catalogue\n    file: %s\n    url: https://tides.example/\n", filepath.Join(dir, "assay.db"), list)
	if err := errors.Join(os.WriteFile(config, []byte(text), 0o600), os.WriteFile(list, []byte(lines), 0o600)); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := assay(t, "harvest", "--config", config)
	for _, want := range []string{"strangers  failed", "3 of 3 records were rejected: not_official 2, ", "harvest it from a source marked official", "such as "} {
		if code != 1 || !strings.Contains(stderr, want) {
			t.Errorf("exit code %d, %q is not said:\n%s", code, want, stderr)
		}
	}
	log := must(t, "sources", "strangers", "--config", config)
	for _, want := range []string{"failed", "rejected: not_official 2, ", "all_rejected: all 3 records were rejected", "rejected " + filepath.Base(list)} {
		if !strings.Contains(log, want) {
			t.Errorf("%q is not in the log:\n%s", want, log)
		}
	}
}

// TestFoldersInWhichNothingIsFound: an operator who names a wrong folder or
// address is told.
func TestFoldersInWhichNothingIsFound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	api := filepath.Join(dir, "repository", "api")
	if err := errors.Join(os.MkdirAll(api, 0o755), os.WriteFile(filepath.Join(api, "tides.md"), []byte("---\ntitle: Tides\n---\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"servers": [], "dataset": [], "results": [], "data": []}`)
	}))
	t.Cleanup(live.Close)
	empty := filepath.Join(dir, "empty.json")
	if err := os.WriteFile(empty, []byte(`{"results": []}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for kind, place := range map[string]string{"api-gouv-fr": filepath.Dir(api) + "/none", "ckan": dir, "mcp-registry": live.URL, "datajson": live.URL, "ods": live.URL, "udata": live.URL, "socrata": empty} {
		if kind == "api-gouv-fr" {
			if err := os.MkdirAll(place, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		code, _, stderr := assay(t, "harvest", "--kind", kind, "--file", place, "--db", "sqlite:"+filepath.Join(dir, kind+".db"), "--allow-private", "--gap", "1ms")
		if code != 1 || !strings.Contains(stderr, "no record was found in "+place) || !strings.Contains(stderr, "--confirmed accepts") {
			t.Errorf("%s: exit code %d\n%s", kind, code, stderr)
		}
	}
}

// TestOnceThatBreaksOff: a source that is described on the command line and not
// read to its end ends with exit code 1, as a configured one does.
func TestOnceThatBreaksOff(t *testing.T) {
	t.Parallel()
	circles := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"results": [{"dataset_id": "tides", "metas": {"default": {"title": "Tides"}}}]}`)
	}))
	t.Cleanup(circles.Close)
	code, _, stderr := assay(t, "harvest", "--kind", "ods", "--file", circles.URL, "--official", "by law", "--allow-private", "--gap", "1ms",
		"--db", "sqlite:"+filepath.Join(t.TempDir(), "a.db"))
	if code != 1 || !strings.Contains(stderr, "not read to its end") || !strings.Contains(stderr, "created      1") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatal(err)
	}
}

func TestBadSourcesAreNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := filepath.Join(dir, "assay.yaml")
	for text, want := range map[string]string{
		"- key: x\n    kind: ftp\n    url: https://x.example/":                  ":3: kind: \"ftp\": ",
		"- key: x\n    kind: uk-api-catalogue":                                  ":2: source \"x\": it has neither url nor file",
		"- key: x\n    url: https://x.example/":                                 ":2: source \"x\": it has no kind: use one of",
		"- kind: uk-api-catalogue\n    url: https://x.example/":                 ":2: the source has no key: give it one",
		"- key: x\n    kind: uk-api-catalogue\n    url: ftp://x":                ":4: url: \"ftp://x\": use an http or https URL",
		"- key: x\n    colour: red":                                             ":3: a source has no key \"colour\"",
		"- key: lv-data-gov\n    schedule: often":                               ":3: schedule: \"often\": use hourly",
		"- key: lv-data-gov\n    country: Latvia":                               ":3: country: \"Latvia\": use two letters",
		"- key: lv-data-gov\n  - key: lv-data-gov":                              ":3: the key \"lv-data-gov\" stands at " + config + ":2",
		"- key: x\n    kind: uk-api-catalogue\n    url: https://u:p@x.example/": ":4: url: ",
	} {
		if err := os.WriteFile(config, []byte("sources:\n  "+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, stderr := assay(t, "sources", "--config", config, "--db", "sqlite:"+filepath.Join(dir, "a.db"))
		if code != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit code %d, %s", text, code, stderr)
		}
	}
	for _, args := range [][]string{{"harvest", "nobody"}, {"harvest", "x", "--kind", "ckan", "--file", "y"}, {"sources", "nobody"}} {
		if code, _, stderr := assay(t, append(args, "--db", "sqlite:"+filepath.Join(dir, "b.db"))...); code != 1 || stderr == "" {
			t.Errorf("%v: exit code %d, %s", args, code, stderr)
		}
	}
}

// TestTheServiceTakesTheSources: what the configuration file lists is the
// business of `assay serve` as of `assay worker`: it is judged at the start, and
// due without another command. A service without a file leaves the sources of
// the store alone.
func TestTheServiceTakesTheSources(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config, db, site := filepath.Join(dir, "assay.yaml"), "sqlite:"+filepath.Join(dir, "assay.db"), filepath.Join(dir, "site")
	write := func(text string) {
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("sources: [{key: x, kind: ftp, url: https://x.example/}]\n")
	// An address that no machine has (RFC 5737) ends a service that begins all the same.
	code, _, stderr := assay(t, "serve", "--config", config, "--db", db, "--site", site, "--addr", "192.0.2.1:9")
	if code != 1 || !strings.Contains(stderr, config+`:1: kind: "ftp": `) {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	enabled := func() (keys []string) {
		var rows []struct {
			Source catalog.Source `json:"source"`
		}
		if err := json.Unmarshal([]byte(must(t, "sources", "--enabled", "--json", "--db", db)), &rows); err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			keys = append(keys, r.Source.Key)
		}
		return keys
	}
	write("sources: [{key: ours, kind: csv, file: ours.csv}]\n")
	t.Run("with a file", func(t *testing.T) {
		start(t, "serve", "--config", config, "--db", db, "--site", site, "--addr", "127.0.0.1:0", "--probe=false")
	})
	t.Run("without", func(t *testing.T) {
		start(t, "serve", "--db", db, "--site", site, "--addr", "127.0.0.1:0", "--probe=false")
	})
	if keys := enabled(); !slices.Equal(keys, []string{"ours"}) {
		t.Errorf("enabled are %v", keys)
	}
}

// TestPublishersOfASourceAreListed: as a table and as JSON, for one source only.
func TestPublishersOfASourceAreListed(t *testing.T) {
	t.Parallel()
	n := 3
	url := portal(t, &n)
	dir := t.TempDir()
	config := filepath.Join(dir, "assay.yaml")
	text := fmt.Sprintf("db: sqlite:%s\ngap: 1ms\nallow_private: true\nsources:\n  - key: tides\n    kind: uk-api-catalogue\n    url: %s/tides.csv\n    country: gb\n    official: by law\n", filepath.Join(dir, "a.db"), url)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, "harvest", "tides", "--config", config)
	if table := must(t, "sources", "tides", "--publishers", "--config", config); !strings.Contains(table, "harbour-board") || !strings.HasPrefix(table, "ENTRIES") {
		t.Error(table)
	}
	var rows []struct{ Records int }
	if err := json.Unmarshal([]byte(must(t, "sources", "tides", "--publishers", "--json", "--config", config)), &rows); err != nil || len(rows) != 1 || rows[0].Records != n {
		t.Errorf("%+v, %v", rows, err)
	}
	if code, _, stderr := assay(t, "sources", "--publishers", "--config", config); code == 0 || !strings.Contains(stderr, "name it") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// TestConfiguredPortal: what the file does not say of a shipped source stays.
func TestConfiguredPortal(t *testing.T) {
	t.Parallel()
	on, off := true, false
	for _, c := range []struct {
		shipped bool
		file    *bool
		want    bool
	}{{true, nil, true}, {true, &off, false}, {false, &on, true}, {false, nil, false}} {
		row := catalog.Source{Portal: c.shipped}
		overlay(&row, &setup.Source{Portal: c.file})
		if row.Portal != c.want {
			t.Errorf("shipped %v, in the file %v: %v", c.shipped, c.file, row.Portal)
		}
	}
}
