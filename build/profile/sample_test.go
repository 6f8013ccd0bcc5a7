package profile

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
)

var update = flag.Bool("update", false, "rewrite testdata/expected.txt")

// files are the hand-made files of all formats.
func files(t testing.TB) map[string][]byte {
	t.Helper()
	all := made(t)
	paths, err := filepath.Glob("testdata/*_*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(p)] = text
	}
	return all
}

func profiled(t testing.TB, name string, data []byte) catalog.Profile {
	t.Helper()
	p, err := Sample(context.Background(), bytes.NewReader(data), Hint{URL: "https://data.example.org/" + name})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p
}

// outline is a profile as the expectations write it: each field with its type,
// =scheme if it is linked and !class if it is masked.
func outline(name string, p *catalog.Profile) string {
	var b strings.Builder
	count := "?"
	if p.RecordCount != nil {
		count = fmt.Sprint(*p.RecordCount)
	}
	fmt.Fprintf(&b, "%s: %s %s, %s records", name, p.Kind, p.Status, count)
	for _, part := range []string{p.Encoding, p.Separator, p.Records} {
		if part != "" {
			b.WriteString(", " + part)
		}
	}
	fmt.Fprintf(&b, "\n  %s %s %s %v\n", p.PersonalData.Status, p.PersonalData.Grain, p.ErrorMessage, p.Notes)
	for _, f := range p.Fields {
		fmt.Fprintf(&b, "  %s %s", f.Name, f.Type)
		for _, part := range [][2]string{{" of ", f.Items}, {" =", f.Concept}, {" !", f.Personal}, {" from ", f.Min}, {" to ", f.Max}} {
			if part[1] != "" {
				b.WriteString(part[0] + part[1])
			}
		}
		if f.Nullable {
			b.WriteString(" nullable")
		}
		b.WriteByte('\n')
	}
	if len(p.SampleRecords) > 0 {
		fmt.Fprintf(&b, "  %s\n", p.SampleRecords[0])
	}
	return b.String()
}

func TestFilesOfAllFormats(t *testing.T) {
	all := files(t)
	kinds := map[string]int{}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		p := profiled(t, name, all[name])
		kinds[p.Kind]++
		b.WriteString(outline(name, &p))
	}
	if len(all) < 60 || len(kinds) < 9 {
		t.Errorf("%d files of the kinds %v", len(all), kinds)
	}
	const golden = "testdata/expected.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("the profiles differ from %s (-want +got); read it, then -update:\n%s", golden, diff)
	}
}

func TestSameBytesSameProfile(t *testing.T) {
	for name, data := range files(t) {
		a, errA := json.Marshal(profiled(t, name, data))
		b, errB := json.Marshal(profiled(t, name, data))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: two profiles differ (%v, %v)", name, errA, errB)
		}
	}
}

func TestSampleRowsAreJSON(t *testing.T) {
	for name, data := range files(t) {
		p := profiled(t, name, data)
		for i, row := range p.SampleRecords {
			var m map[string]any
			if err := json.Unmarshal(row, &m); err != nil || len(m) != min(len(p.Fields), maxSampleColumns) {
				t.Errorf("%s: row %d has %d members of %d fields: %v", name, i, len(m), len(p.Fields), err)
			}
		}
	}
}
