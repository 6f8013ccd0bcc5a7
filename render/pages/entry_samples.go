package pages

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/usage"
	"github.com/assay-register/assay/templates/entry"
	"github.com/assay-register/assay/templates/figures"
)

// samples are code that gets at the source, or how clients connect to it.
func (v *view) samples(actions []entry.Action) []figures.Sample {
	if v.e.Type == catalog.TypeMCPServer {
		return v.clients()
	}
	t := v.target(actions)
	if t == nil {
		return nil
	}
	if at := v.answering(); at != "" && t.Kind == usage.REST && v.e.API != nil && (t.URL == v.e.API.BaseURL || t.URL == v.e.API.PingURL) && linkable(at) {
		t.URL = at
	}
	var out []figures.Sample
	for _, x := range t.Samples() {
		out = append(out, figures.Sample{Label: string(x.Language), Code: x.Text()})
	}
	return v.fit(out)
}

// fit leaves out the last of several pieces of code where the page has no room for them.
func (v *view) fit(list []figures.Sample) []figures.Sample {
	return list[:min(len(list), max(samplesLeast, len(list)-v.halved/2))]
}

// samplesLeast is how many pieces of code stand on every page.
const samplesLeast = 3

// target is what samples read: what the first button gets, else the most useful that there is; nil for
// nothing that code can read.
func (v *view) target(actions []entry.Action) *usage.Target {
	list := usage.Targets(v.e, v.Row.Profile)
	if len(actions) > 0 {
		for i := range list {
			if t := &list[i]; t.Serves(actions[0].Address) && len(t.Samples()) > 0 {
				return t
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	return &list[0]
}

// clients are how the usual clients of the Model Context Protocol are told of a
// server, those first that a link opens.
func (v *view) clients() []figures.Sample {
	var out []figures.Sample
	for _, c := range usage.Clients(v.e) {
		out = append(out, figures.Sample{Label: c.Name, File: c.File, Code: c.Config, Install: c.Install})
	}
	slices.SortStableFunc(out, func(a, b figures.Sample) int { return strings.Compare(one(b.Install), one(a.Install)) })
	if d := v.e.MCP; d != nil && linkable(d.EndpointURL) {
		out = append(out, figures.Sample{Label: string(usage.Shell), Code: usage.Handshake(d.EndpointURL)})
	}
	return v.fit(out)
}

// one is "1" for text, "" for none.
func one(s string) string {
	if s == "" {
		return ""
	}
	return "1"
}

// tried tells that the register passes requests of readers on to the entry.
func (v *view) tried() bool {
	return v.e.FreeAccessClass == catalog.AccessFreeNoAuth && v.Result.Access.Level == catalog.LevelDirect
}

// console is that of an API which has operations, or an address to try.
func (v *view) console() *figures.Console {
	if v.e.Type != catalog.TypeAPI || v.e.API == nil || !v.tried() && len(v.e.API.Endpoints) == 0 {
		return nil
	}
	return &figures.Console{Entry: v.e.ID, Runs: v.tried()}
}

// looked are the formats that a page can look into.
var looked = []usage.Kind{usage.CSV, usage.TSV, usage.JSON, usage.NDJSON, usage.GeoJSON, usage.Parquet}

// look is the file that a reader can look into: the first of a format that the
// scripts read, where the register passes requests on.
func (v *view) look() *figures.Look {
	if v.e.Type != catalog.TypeDataset || !v.tried() {
		return nil
	}
	for _, t := range usage.Targets(v.e, v.Row.Profile) {
		if slices.Contains(looked, t.Kind) {
			return &figures.Look{Entry: v.e.ID, Address: t.URL, Format: string(t.Kind), Separator: t.Separator, Encoding: t.Encoding}
		}
	}
	return nil
}

// argumentsShown bounds the arguments of a call.
const argumentsShown = 8

func (v *view) argumentsOf(list []catalog.Argument) []entry.Argument {
	var out []entry.Argument
	for i := range list[:min(len(list), v.most(argumentsShown))] {
		a := &list[i]
		out = append(out, entry.Argument{Name: clip(a.Name, 60), Type: a.Type, Does: clip(a.Description, 120), Required: a.Required})
	}
	return out
}

// answersShown is of how many operations the page shows an answer.
const answersShown = 3

// answerText is how long an answer on a page may be, in bytes.
const answerText = 1200

func (v *view) exampleAnswer(p *catalog.Endpoint, i int) string {
	if i >= v.most(answersShown) || len(p.Answer) > v.most(answerText) {
		return ""
	}
	return p.Answer
}
