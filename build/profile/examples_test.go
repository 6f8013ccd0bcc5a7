package profile

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const stations = "country,station name,value\nGR,Harbour station,1\nBG,Hill station,2\nRO,Lake station,3\n"

func at(t *testing.T, url, data string) []string {
	t.Helper()
	p, err := Sample(context.Background(), strings.NewReader(data), Hint{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range p.QueryExamples {
		if e.Method != "GET" || e.Label == "" || e.URL == "" {
			t.Errorf("%+v", e)
		}
		out = append(out, e.Curl)
	}
	return out
}

func TestExamples(t *testing.T) {
	const ndjson = "{\"country\":\"GR\",\"n\":1}\n{\"country\":\"BG\",\"n\":2}\n"
	for _, c := range []struct{ url, data, want string }{
		{"https://x.example/a.csv", stations, `curl -sSL 'https://x.example/a.csv' | mlr --icsv --ojson filter '${country} == "GR"'`},
		{"https://x.example/a.csv", strings.ReplaceAll(stations, ",", ";"), `curl -sSL 'https://x.example/a.csv' | mlr --icsv --ifs ';' --ojson filter '${country} == "GR"'`},
		{"https://x.example/it's.csv", stations, `curl -sSL 'https://x.example/it'\''s.csv' | mlr --icsv --ojson filter '${country} == "GR"'`},
		{"https://x.example/resource/abcd-1234.csv", stations, `curl -sSL 'https://x.example/resource/abcd-1234.csv?%24limit=10&country=GR'`},
		{"https://x.example/api/explore/v2.1/catalog/datasets/d/exports/csv", stations, `curl -sSL 'https://x.example/api/explore/v2.1/catalog/datasets/d/records?limit=10&where=country%3D%22GR%22'`},
		{"https://x.example/a.ndjson", ndjson, `curl -sSL 'https://x.example/a.ndjson' | jq 'select(."country" == "GR")'`},
		{"https://x.example/api/3/action/datastore_search?resource_id=1", `{"result":{"records":[{"country":"GR"},{"country":"BG"}]}}`, `curl -sSL 'https://x.example/api/3/action/datastore_search?filters=%7B%22country%22%3A%22GR%22%7D&limit=10&resource_id=1'`},
		{"https://x.example/a.json", `{"a":{"list":[{"country":"GR"},{"country":"BG"}]}}`, `curl -sSL 'https://x.example/a.json' | jq '."a"."list"[] | select(."country" == "GR")'`},
	} {
		if got := at(t, c.url, c.data); len(got) != 2 || got[1] != c.want {
			t.Errorf("%s: %q, want %s", c.url, got, c.want)
		}
	}
}

func TestExamplesHoldNothingPersonal(t *testing.T) {
	for _, e := range at(t, "https://x.example/a.csv", "email,country\nmaria@example.gr,GR\nhans@example.de,DE\n") {
		if strings.Contains(e, "@") || strings.Contains(e, "xxxx") {
			t.Errorf("%s", e)
		}
	}
	for _, url := range []string{"", "file:///a.csv", "https://user:secret@x.example/a.csv", "::"} {
		if got := at(t, url, stations); got != nil {
			t.Errorf("%s: %q", url, got)
		}
	}
}

// TestJqUnderstands runs the jq filters; make test installs jq.
func TestJqUnderstands(t *testing.T) {
	jq, err := exec.LookPath("jq")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no jq: run .ci/install.sh")
		}
		t.Skip("no jq: make test installs it")
	}
	data := `{"a":{"list":[{"country":"GR","v":{"w":1}},{"country":"BG","v":{"w":2}}]}}`
	_, filter, _ := strings.Cut(at(t, "https://x.example/a.json", data)[1], "| jq ")
	cmd := exec.Command(jq, "-c", strings.Trim(filter, "'"))
	cmd.Stdin = strings.NewReader(data)
	out, err := cmd.Output()
	if err != nil || !bytes.Equal(bytes.TrimSpace(out), []byte(`{"country":"GR","v":{"w":1}}`)) {
		t.Errorf("%s %v", out, err)
	}
}
