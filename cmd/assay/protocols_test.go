package main

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// roundTrip is a protocol in which the register is harvested from itself, and what of each
// entry must come back as it was.
type roundTrip struct {
	kind, path string
	// gives tells which entries come back, nil for all.
	gives func(*catalog.Entry) bool
	// facts are those of the protocol; what is not among them the guides list.
	facts func(*catalog.Entry) map[string]any
}

var roundTrips = []roundTrip{
	{"mcp-registry", "/api/v1/mcp-registry/v0.1/servers", func(e *catalog.Entry) bool { return e.Type == catalog.TypeMCPServer }, serverFacts},
}

// comesBack harvests the views of the running register into empty stores.
func comesBack(t *testing.T, base, db string) {
	all := stored(t, db)
	for _, c := range roundTrips {
		t.Run(c.kind, func(t *testing.T) {
			t.Parallel()
			db := "sqlite:" + filepath.Join(t.TempDir(), "copy.db")
			must(t, "harvest", "--db", db, "--kind", c.kind, "--file", base+c.path, "--official", "a copy of what is public already",
				"--allow-private", "--gap", "0s", "--prove", "0")
			after, n := stored(t, db), 0
			for name, was := range all {
				if was.Status != catalog.StatusActive || c.gives != nil && !c.gives(was) {
					continue
				}
				n++
				is := after[name]
				if is == nil {
					t.Errorf("%s did not come back", name)
					continue
				}
				want, got := c.facts(was), c.facts(is)
				for fact, value := range want {
					if !reflect.DeepEqual(value, got[fact]) {
						t.Errorf("%s: %s was %v, is %v", name, fact, value, got[fact])
					}
				}
			}
			if len(after) != n || n == 0 {
				t.Errorf("%d entries came back of %d", len(after), n)
			}
		})
	}
}

// stored are the entries of a store, public or not, by name.
func stored(t *testing.T, db string) map[string]*catalog.Entry {
	t.Helper()
	out := map[string]*catalog.Entry{}
	for line := range strings.Lines(must(t, "export", "--db", db)) {
		var r struct {
			Entry *catalog.Entry `json:"entry"`
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Entry != nil && r.Entry.Name != "" {
			out[r.Entry.Name] = r.Entry
		}
	}
	return out
}

// serverFacts are what the MCP registry says of a server.
func serverFacts(e *catalog.Entry) map[string]any {
	facts := map[string]any{"type": e.Type, "homepage": e.HomepageURL, "repository": e.RepoURL, "logo": e.LogoURL,
		"description": strings.TrimSuffix(e.Description, "…")[:min(50, len(e.Description))]}
	if m := e.MCP; m != nil {
		facts["version"], facts["endpoint"], facts["packages"] = m.Version, m.EndpointURL, m.Packages
	}
	return facts
}
