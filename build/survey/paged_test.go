package survey

import (
	"testing"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

// TestTheFirstOfSeveralPagesIsNoContract: which tools stand on the first page of a server's list
// is no part of what clients depend on.
func TestTheFirstOfSeveralPagesIsNoContract(t *testing.T) {
	for _, more := range []bool{false, true} {
		o := &verify.Outcome{Server: &verify.Server{HasTools: true, More: more, Tools: []catalog.MCPTool{{Name: "tides"}}}}
		f, err := look(t.Context(), nil, &catalog.Entry{Type: catalog.TypeMCPServer}, o, "")
		if err != nil || (f.contract == nil) != more {
			t.Errorf("more %v: %+v, %v", more, f.contract, err)
		}
	}
}
