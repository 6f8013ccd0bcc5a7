package score

import (
	"maps"
	"slices"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

func TestEveryRuleIsLive(t *testing.T) {
	covered := map[string]bool{}
	for _, s := range steps {
		rule := ruleByID(t, s.rule)
		covered[s.rule] = true
		for _, kind := range typesOf(&rule) {
			in := s.prepare(kind)
			before := Of(in)
			s.then(in)
			after := Of(in)
			_, was := finding(t, &before, s.rule)
			_, is := finding(t, &after, s.rule)
			if was.Outcome == Met || was.Points != 0 || was.Advice == "" || was.Gain <= 0 {
				t.Errorf("%s for %s before: %+v", s.rule, kind, was)
			}
			if is.Outcome != Met || is.Points != is.Max || is.Max <= 0 || is.Advice != "" || is.Gain != 0 {
				t.Errorf("%s for %s after: %+v", s.rule, kind, is)
			}
		}
	}
	for _, r := range Rules() {
		if !covered[r.ID] {
			t.Errorf("no step meets rule %s", r.ID)
		}
		if r.Meaning == "" || r.Advice == "" || r.Field == "" {
			t.Errorf("rule %s lacks a text", r.ID)
		}
	}
}

func TestRubricCounts(t *testing.T) {
	for kind, want := range map[catalog.EntryType]int{catalog.TypeAPI: 10, catalog.TypeMCPServer: 10, catalog.TypeDataset: 13} {
		metadata, points, ids := 0, 0, map[string]bool{}
		for _, r := range Rules() {
			if ids[r.ID] {
				t.Errorf("rule %s stands twice", r.ID)
			}
			ids[r.ID] = true
			if !r.applies(kind) {
				continue
			}
			switch r.Axis {
			case AxisMetadata:
				metadata++
			case AxisAgent:
				points += r.Points
			default:
				t.Errorf("rule %s is on axis %s", r.ID, r.Axis)
			}
		}
		if metadata != want || points != 100 {
			t.Errorf("%s has %d metadata rules, want %d, and %d agent points, want 100", kind, metadata, want, points)
		}
	}
	total := 0
	for _, a := range axes {
		total += a.weight
	}
	if total != 100 {
		t.Errorf("the axes weigh %d", total)
	}
}

// Everything met makes every axis 100 and the scores 100.
func TestFullMarks(t *testing.T) {
	for _, kind := range catalog.EntryTypes() {
		in := bare(kind)
		for _, s := range steps {
			if rule := ruleByID(t, s.rule); slices.Contains(typesOf(&rule), kind) {
				if s.given != nil {
					s.given(in)
				}
				s.then(in)
			}
		}
		e := in.entry()
		e.AuthType, e.InstitutionID, e.LicenseID, e.SourceModifiedAt = catalog.AuthNone, "i", openData.ID, day
		for _, r := range signalRules {
			e.Signals = append(e.Signals, catalog.Signal{Kind: r.kind, Held: true})
		}
		in.Licence, in.Institution = openData, ministry
		in.Row.Checks = []catalog.Check{{At: day, Up: true, LatencyMS: 5}}
		in.Row.State = &catalog.CheckState{State: catalog.StateVerified}
		if kind == catalog.TypeDataset {
			e.Dataset.Distributions = []catalog.Distribution{{DownloadURL: "https://example.org/a.csv"}}
		}
		r := Of(in)
		for _, a := range r.Axes {
			if !a.Known || a.Value != 1000 {
				t.Errorf("%s: axis %s is %s, known %t", kind, a.ID, a.Value, a.Known)
			}
		}
		if r.MQA != 1000 || r.Trust != 1000 || r.Ranking != 1000 || r.Tier != catalog.TierExcellent {
			t.Errorf("%s: mqa %s, trust %s, ranking %s, tier %s", kind, r.MQA, r.Trust, r.Ranking, r.Tier)
		}
	}
}

func TestFactsInAllTheirForms(t *testing.T) {
	api := func(d catalog.APIDetails) func(*Input) { return func(in *Input) { in.entry().API = &d } }
	set := func(d catalog.DatasetDetails) func(*Input) { return func(in *Input) { in.entry().Dataset = &d } }
	server := func(d *catalog.MCPDetails, s *catalog.CheckState) func(*Input) {
		return func(in *Input) { in.entry().MCP, in.Row.State = d, s }
	}
	for _, c := range []struct {
		rule   string
		kind   catalog.EntryType
		change func(*Input)
		want   Outcome
	}{
		{"agent.machine_description", catalog.TypeAPI, api(catalog.APIDetails{SpecFormat: "ogc-wms"}), Met},
		{"agent.machine_description", catalog.TypeAPI, api(catalog.APIDetails{SpecFormat: "ogc-api"}), Met},
		{"agent.machine_description", catalog.TypeAPI, api(catalog.APIDetails{SpecFormat: "odata"}), Met},
		{"agent.machine_description", catalog.TypeAPI, api(catalog.APIDetails{SpecFormat: "sparql"}), Met},
		{"agent.machine_description", catalog.TypeAPI, api(catalog.APIDetails{SpecFormat: "sdmx"}), Met},
		{"agent.machine_description", catalog.TypeAPI, api(catalog.APIDetails{SpecFormat: "soap"}), Met},
		{"agent.machine_description", catalog.TypeAPI, api(catalog.APIDetails{SpecFormat: "openapi"}), NotMet},
		{"agent.machine_description", catalog.TypeAPI, func(in *Input) { in.entry().API = nil }, NotMet},
		{"agent.known_format", catalog.TypeAPI, api(catalog.APIDetails{SpecFormat: "none"}), NotMet},
		{"metadata.base_url", catalog.TypeAPI, api(catalog.APIDetails{PingURL: "https://example.org"}), NotMet},
		{"metadata.auth", catalog.TypeAPI, func(in *Input) { in.entry().AuthType = "" }, NotMet},
		{"metadata.auth", catalog.TypeAPI, func(in *Input) { in.entry().AuthType = catalog.AuthNone }, Met},
		{"metadata.terms", catalog.TypeAPI, func(in *Input) { in.Licence = openData }, Met},
		{"metadata.terms", catalog.TypeAPI, func(in *Input) { in.entry().LicenseRaw = "free" }, Met},
		{"metadata.terms", catalog.TypeAPI, func(in *Input) { in.entry().LicenseID = "UNSPECIFIED" }, NotMet},
		{"metadata.licence", catalog.TypeDataset, func(in *Input) { in.entry().LicenseID, in.entry().LicenseRaw = "UNSPECIFIED", "notspecified" }, NotMet},
		{"metadata.landing_page", catalog.TypeDataset, func(in *Input) { in.entry().HomepageURL = "https://example.org" }, Met},
		{"metadata.frequency", catalog.TypeDataset, set(catalog.DatasetDetails{Frequency: "UNKNOWN"}), NotMet},
		{"metadata.coverage", catalog.TypeDataset, set(catalog.DatasetDetails{TemporalStart: day}), Met},
		{"metadata.coverage", catalog.TypeDataset, set(catalog.DatasetDetails{TemporalEnd: day}), Met},
		{"metadata.coverage", catalog.TypeDataset, func(in *Input) { in.entry().Dataset = nil }, NotMet},
		{"metadata.contact", catalog.TypeDataset, func(in *Input) { in.entry().Contact = &catalog.Contact{} }, NotMet},
		{"metadata.contact", catalog.TypeDataset, func(in *Input) { in.entry().Contact = &catalog.Contact{Name: "Desk"} }, Met},
		{"metadata.contact", catalog.TypeDataset, func(in *Input) { in.entry().Contact = &catalog.Contact{URL: "https://example.org"} }, Met},
		{"agent.machine_format", catalog.TypeDataset, func(in *Input) { in.entry().Formats = []string{"PDF", "geojson"} }, Met},
		{"agent.machine_format", catalog.TypeDataset, func(in *Input) { in.entry().Formats = []string{"PDF", "HTML"} }, NotMet},
		{"agent.profiled_fields", catalog.TypeDataset, func(*Input) {}, Unknown},
		{"agent.profiled_fields", catalog.TypeDataset, func(in *Input) { in.Row.Profile = &catalog.Profile{} }, NotMet},
		{"agent.example_query", catalog.TypeDataset, func(*Input) {}, Unknown},
		{"agent.example_query", catalog.TypeDataset, func(in *Input) { in.Row.Profile = &catalog.Profile{} }, NotMet},
		{"agent.runnable_download", catalog.TypeDataset, set(catalog.DatasetDetails{Distributions: []catalog.Distribution{{AccessURL: "https://example.org"}}}), NotMet},
		{"agent.handshake", catalog.TypeMCPServer, server(nil, nil), NotMet},
		{"agent.handshake", catalog.TypeMCPServer, server(&catalog.MCPDetails{}, nil), Unknown},
		{"agent.handshake", catalog.TypeMCPServer, server(&catalog.MCPDetails{}, &catalog.CheckState{State: catalog.StateFailing}), NotMet},
		{"metadata.institution", catalog.TypeDataset, func(in *Input) { in.entry().PublisherName = "Whoever" }, Met},
		{"metadata.institution", catalog.TypeMCPServer, func(in *Input) { in.entry().InstitutionID = "unknown to the register" }, NotMet},
	} {
		in := bare(c.kind)
		c.change(in)
		r := Of(in)
		if _, f := finding(t, &r, c.rule); f.Outcome != c.want {
			t.Errorf("%s for %+v is %s, want %s", c.rule, *in.entry(), f.Outcome, c.want)
		}
	}
	for f := range maps.Keys(machineFormats) {
		in := bare(catalog.TypeDataset)
		in.entry().Formats = []string{f}
		if hasMachineFormat(in) != Met {
			t.Errorf("format %s is not read by machines", f)
		}
	}
}

func TestRulesIsACopy(t *testing.T) {
	list := Rules()
	list[0].ID = "changed"
	if Rules()[0].ID == "changed" {
		t.Error("Rules hands out its own table")
	}
}
