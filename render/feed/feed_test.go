package feed

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestEveryFeedKeepsItsRules(t *testing.T) {
	files := render(t, freeze(t, rows()...))
	want := []string{"atom", "country/FR/atom", "country/FR/json", "country/GR/atom", "country/GR/json", "json", "rss", "rss/verified", "maintenance.ics", "outages.rss", "host/x.example:8080/outages.rss", "host/x.example/outages.rss",
		"entry/" + catalog.NewID("entry", "hostile") + "/outages.rss", "entry/" + catalog.NewID("entry", "hostile") + "/maintenance.ics"}
	for _, i := range institutions {
		want = append(want, "institution/"+i.ID+"/atom", "institution/"+i.ID+"/json")
	}
	for _, r := range rows() {
		want = append(want, "entry/"+r.Entry.ID+".atom")
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, want) {
		t.Errorf("feeds are %q, want %q", got, want)
	}
	for _, f := range files {
		judge(t, f)
	}
}

func TestEmptyRegister(t *testing.T) {
	files := render(t, freeze(t))
	if len(files) != 7 {
		t.Errorf("%d feeds", len(files))
	}
	for _, f := range files {
		judge(t, f)
	}
}

func TestGolden(t *testing.T) {
	files := render(t, freeze(t, rows()...))
	for _, name := range []string{"rss", "atom", "json", "rss/verified", "country/GR/atom", "outages.rss", "maintenance.ics", "entry/" + catalog.NewID("entry", "changed") + ".atom",
		"entry/" + catalog.NewID("entry", "stale") + ".atom", "entry/" + catalog.NewID("entry", "deprecated") + ".atom"} {
		path := filepath.Join("testdata", strings.ReplaceAll(name, "/", "_"))
		if files[name].Body == nil {
			t.Fatalf("no %s", name)
		}
		body := bytes.ReplaceAll(files[name].Body, []byte("><"), []byte(">\n<"))
		if *update {
			if err := os.WriteFile(path, body, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(want, body) {
			t.Errorf("%s differs from its golden file (%v); run with -update and look at the difference", name, err)
		}
	}
}

func TestShuffledInputGivesTheSameBytes(t *testing.T) {
	want := render(t, freeze(t, rows()...))
	for seed := range uint64(5) {
		list := rows()
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		got := render(t, freeze(t, list...))
		for name, f := range want {
			if !bytes.Equal(f.Body, got[name].Body) {
				t.Errorf("%s differs", name)
			}
		}
	}
}

// TestListsStandStillUnderChecks renders the lists before and after checks that
// leave the state as it is.
func TestListsStandStillUnderChecks(t *testing.T) {
	want, later := render(t, freeze(t, rows()...)), rows()
	for _, r := range later {
		r.Checks = append(r.Checks, catalog.Check{At: noon, Up: true, LatencyMS: 7})
		r.Entry.UpdatedAt = noon
	}
	for name, f := range render(t, freeze(t, later...)) {
		if !strings.HasPrefix(name, "entry/") && !bytes.Equal(f.Body, want[name].Body) {
			t.Errorf("%s differs", name)
		}
	}
}

func TestLatestFifty(t *testing.T) {
	var list []*catalog.Row
	for i := range 60 {
		list = append(list, entry(fmt.Sprintf("n-%02d", i), i))
	}
	for name, f := range render(t, freeze(t, list...)) {
		judge(t, f)
		if name == "json" && (bytes.Count(f.Body, []byte(`"id":`)) != latestMax || !bytes.Contains(f.Body, []byte("n-49")) || bytes.Contains(f.Body, []byte("n-50"))) {
			t.Error("the JSON feed does not hold the latest 50")
		}
	}
}

func TestLife(t *testing.T) {
	files := render(t, freeze(t, rows()...))
	for slug, want := range map[string][]string{
		"changed": {"#changed-20261120T110000Z", "#verified-20261120T", "#failing-20261119T", "#score-20261119T000000Z", "#score-20261120T000000Z", "#verified-20261119T", "#created-20261119T"},
		"stale":   {"#stale-", "#created-"}, "deprecated": {"#deprecated-", "#created-"},
	} {
		body := string(files["entry/"+catalog.NewID("entry", slug)+".atom"].Body)
		for _, w := range want {
			if !strings.Contains(body, w) && !(w == "#verified-20261120T" && strings.Count(body, "#verified-") == 2) {
				t.Errorf("%s: no %s in %s", slug, w, body)
			}
		}
		if n := strings.Count(body, "<entry"); n != len(want) {
			t.Errorf("%s: %d events, want %d", slug, n, len(want))
		}
	}
}

// FuzzFeeds puts any text into every field of an entry and reads the feeds
// back.
func FuzzFeeds(f *testing.F) {
	for _, s := range []string{"", hostile, "\xed\xa0\x80", "]]>", "<![CDATA[", "&#0;", "\ufffe", "javascript:x", "a\n\nb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, file := range render(t, freeze(t, hostileRow(text))) {
			judge(t, file)
		}
	})
}
