package usage

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/assay-register/assay/render/usage/form"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestForms keeps a file of every form of code that TestSamplesRun executes and of every configuration that
// TestClients holds to what its client reads, by language or client: pages may show no other (cmd/internal/agree).
func TestForms(t *testing.T) {
	all := map[string]map[string]bool{}
	add := func(label, code string) {
		if all[label] == nil {
			all[label] = map[string]bool{}
		}
		all[label][form.Of(code)] = true
	}
	for _, c := range scenes("https://towns.example") {
		if list := Targets(&c.entry, c.profile); len(list) > 0 {
			for _, x := range list[0].Samples() {
				add(string(x.Language), x.Text())
			}
		}
	}
	for _, e := range servers() {
		for _, c := range Clients(e) {
			add(c.Name, c.Config)
		}
	}
	add(string(Shell), Handshake("https://towns.example/mcp"))
	forms := map[string][]string{}
	for label, list := range all {
		forms[label] = slices.Sorted(maps.Keys(list))
	}
	b, err := json.MarshalIndent(forms, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	b = append(b, '\n')
	if *update {
		if err := os.WriteFile("testdata/forms.json", b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile("testdata/forms.json"); err != nil || !bytes.Equal(b, want) {
		t.Errorf("testdata/forms.json is not what the scenes make (%v): -update writes it", err)
	}
}
