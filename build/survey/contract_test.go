package survey_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/survey"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

const capabilities = `<WMS_Capabilities version="1.3.0"><Capability><Layer><CRS>EPSG:3857</CRS><Layer><Name>berths</Name></Layer><Layer><Name>depths</Name></Layer></Layer></Capability></WMS_Capabilities>`

// TestContractOfService: the first contract is kept, the same one in another order is
// none, and each that differs is a version with an event that says what breaks.
func TestContractOfService(t *testing.T) {
	const url = "https://x.example/wms?request=GetCapabilities&service=WMS"
	d := newDesk(t, catalog.Entry{Type: catalog.TypeAPI, API: &catalog.APIDetails{BaseURL: "https://x.example/wms", SpecFormat: "ogc-wms"}})
	swapped := strings.Replace(strings.Replace(capabilities, "depths", "x", 1), "berths", "depths", 1)
	for i, s := range []struct {
		body, result string
		versions     int
	}{
		{capabilities, survey.Unchanged, 1}, {capabilities, survey.Unchanged, 1}, {strings.Replace(swapped, ">x<", ">berths<", 1), survey.Unchanged, 1},
		{strings.Replace(capabilities, "<Layer><Name>depths", "<Layer><Name>buoys</Name></Layer><Layer><Name>depths", 1), "additive", 2},
		{capabilities[:len(capabilities)-30], survey.Nothing, 2}, {capabilities, "breaking", 3}, {capabilities, survey.Unchanged, 3},
	} {
		d.pages[url] = s.body
		if result := d.look(nil); result != s.result {
			t.Fatalf("step %d: %s, want %s (%v)", i, result, s.result, d.said)
		}
		if v := d.contracts(); len(v) != s.versions {
			t.Fatalf("step %d: %d versions, want %d: %+v", i, len(v), s.versions, v)
		}
	}
	_, _, _, events := d.state()
	changed := 0
	for _, e := range events {
		if e.Type != catalog.EventSchemaChanged {
			continue
		}
		changed++
		var data struct {
			Severity string
			Changes  []catalog.ContractChange
			Contract struct {
				Kind       string
				From       int  `json:"from_version"`
				To         int  `json:"to_version"`
				Compatible bool `json:"compatible"`
			}
		}
		if err := json.Unmarshal(e.Data, &data); err != nil || data.Contract.Kind != "ogc" || data.Contract.To != data.Contract.From+1 || len(data.Changes) != 1 || data.Contract.Compatible != (data.Severity == "additive") {
			t.Errorf("%v %s", err, e.Data)
		}
	}
	if changed != 2 {
		t.Errorf("%d events", changed)
	}
}

// TestContractOfTools: what an MCP server lists is its contract.
func TestContractOfTools(t *testing.T) {
	d := newDesk(t, catalog.Entry{Type: catalog.TypeMCPServer, MCP: &catalog.MCPDetails{EndpointURL: "https://x.example/mcp"}})
	server := func(names ...string) *verify.Server {
		s := &verify.Server{HasTools: true}
		for _, n := range names {
			s.Tools = append(s.Tools, catalog.MCPTool{Name: n})
		}
		return s
	}
	d.look(server("a", "b"))
	d.look(server("b", "a"))
	if v := d.contracts(); len(v) != 1 {
		t.Fatalf("%+v", v)
	}
	d.look(server("a"))
	v := d.contracts()
	if len(v) != 2 || v[1].Severity != "breaking" || len(v[1].Changes) != 1 || v[1].Changes[0].Kind != "tool.removed" || v[1].Changes[0].Field != "b" {
		t.Errorf("%+v", v)
	}
}

// contracts are the versions that are kept, by number.
func (d *desk) contracts() []catalog.ContractVersion {
	d.t.Helper()
	byNumber := map[int]catalog.ContractVersion{}
	for _, e := range d.evidence() {
		if v, ok := catalog.ContractVersionOf(&e); ok {
			byNumber[v.Version] = v
		}
	}
	list := make([]catalog.ContractVersion, len(byNumber))
	for i := range list {
		list[i] = byNumber[i+1]
	}
	return list
}

func (d *desk) evidence() (list []catalog.Evidence) {
	d.t.Helper()
	d.update(func(ctx context.Context, tx catalog.Tx) error {
		list = nil
		return tx.Evidences().Scan(ctx, catalog.Only(d.id), func(e *catalog.Evidence) error {
			list = append(list, *e)
			return nil
		})
	})
	return list
}
