package discovery

import (
	"fmt"
	"sort"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/assay-register/assay/render/wire"
)

func TestZZ(t *testing.T) {
	all, err := newSchemas(wire.Operations())
	if err != nil { t.Fatal(err) }
	var out []string
	for _, m := range all {
		s := m.value.(*jsonschema.Schema)
		if s.Description == "" { out = append(out, "S "+m.key) }
		for n, p := range s.Properties { if p.Description == "" { out = append(out, "M "+m.key+"."+n) } }
	}
	sort.Strings(out)
	for _, l := range out { fmt.Println(l) }
}
