package lint

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/score"
)

var update = flag.Bool("update", false, "rewrite the table of rules in the guide")

// TestGuide: site/docs/lint.md lists the rules as they are.
func TestGuide(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "site", "docs", "lint.md")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const mark = "<!-- rules -->\n"
	head, old, ok := strings.Cut(string(b), mark)
	if !ok {
		t.Fatal("the guide has no place for the rules")
	}
	var table strings.Builder
	table.WriteString("\n| rule | | what is wrong | why it matters | source |\n|---|---|---|---|---|\n")
	for _, r := range rules {
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s | [%s](%s) |\n", r.ID, r.Severity, r.Title, r.Why, r.Source.Name, r.Source.URL)
	}
	if *update {
		if err := os.WriteFile(path, []byte(head+mark+table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if old != table.String() {
		t.Errorf("%s lists other rules; run go test ./render/lint -update", path)
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range rules {
		if seen[r.ID] || r.Title == "" || r.Why == "" || r.Remedy == "" || !strings.HasPrefix(r.Source.URL, "https://") || r.Severity != Must && r.Severity != Should {
			t.Errorf("%+v", r)
		}
		seen[r.ID] = true
	}
	for _, r := range score.Rules() {
		if Fillable(r.Field) && !seen[GapRule(r.Field)] {
			t.Errorf("no rule for %s", r.ID)
		}
	}
}

// sample are two findings, one of which has all there is.
func sample() []Finding {
	f := New("value.empty", Record{ID: "a<b", Document: "data.json", Line: 7, Pointer: "/dataset/0"}, "/dataset/0/license", "", "")
	f.Patch = &Patch{Form: JSONPatch, Operations: []Operation{{Op: "remove", Path: "/dataset/0/license"}}}
	g := New("record.no-title", Record{Document: "c.ttl", Subject: "https://example.org/d"}, "dct:title", strings.Repeat("é", 150), "no <title>")
	g.Patch, g.Points = &Patch{Form: Turtle, Add: `<https://example.org/d> <http://purl.org/dc/terms/title> "x" .`}, 3.5
	return []Finding{f, g}
}

func written(t *testing.T, form string, list []Finding) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, form)
	if err != nil {
		t.Fatal(err)
	}
	sum := Summary{Records: 3, Rules: map[string]int{}}
	for i := range list {
		sum.Add(&list[i])
		if err := w.Write(&list[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(&sum); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestJSON(t *testing.T) {
	t.Parallel()
	for _, list := range [][]Finding{nil, sample()} {
		var back struct {
			Findings []Finding
			Summary  Summary
		}
		if err := json.Unmarshal(written(t, FormJSON, list), &back); err != nil || back.Findings == nil || len(back.Findings) != len(list) || back.Summary.Records != 3 {
			t.Fatalf("%v: %s", err, written(t, FormJSON, list))
		}
		if len(list) > 0 && (back.Findings[1].Points != 3.5 || back.Findings[0].Patch.Operations[0].Op != "remove" || len(back.Findings[1].Value) > 210) {
			t.Errorf("%+v", back)
		}
	}
}

func TestSARIF(t *testing.T) {
	t.Parallel()
	for _, list := range [][]Finding{nil, sample()} {
		var log struct {
			Version string
			Runs    []struct {
				Tool struct {
					Driver struct{ Rules []struct{ ID string } }
				}
				Results []sarifResult
			}
		}
		if err := json.Unmarshal(written(t, FormSARIF, list), &log); err != nil || log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Results == nil || len(log.Runs[0].Results) != len(list) {
			t.Fatalf("%v: %s", err, written(t, FormSARIF, list))
		}
		if len(log.Runs[0].Tool.Driver.Rules) != len(rules) {
			t.Errorf("%d rules", len(log.Runs[0].Tool.Driver.Rules))
		}
		if len(list) > 0 {
			if r := log.Runs[0].Results[0]; r.Level != "warning" || r.Locations[0].Physical.Region.StartLine != 7 || r.Locations[0].Logical[0].Name != "/dataset/0/license" {
				t.Errorf("%+v", r)
			}
		}
	}
}

func TestJUnit(t *testing.T) {
	t.Parallel()
	for _, list := range [][]Finding{nil, sample()} {
		d := xml.NewDecoder(bytes.NewReader(written(t, FormJUnit, list)))
		cases, failures := 0, 0
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if s, ok := token.(xml.StartElement); ok && s.Name.Local == "testcase" {
				cases++
			} else if ok && s.Name.Local == "failure" {
				failures++
			}
		}
		if cases != max(1, len(list)) || failures != len(list)/2 {
			t.Errorf("%d cases, %d failures", cases, failures)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	text := string(written(t, FormText, sample()))
	for _, want := range []string{"MUST  record.no-title (1)", "+3.5 points", `{"op":"remove","path":"/dataset/0/license"}`, "c.ttl https://example.org/d dct:title: no <title>", "3 records, 2 findings: 1 must be mended, 1 should"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Index(text, "MUST") > strings.Index(text, "SHOULD") {
		t.Error("the gravest do not come first")
	}
	if _, err := NewWriter(io.Discard, "html"); err == nil {
		t.Error("html is no form")
	}
}
