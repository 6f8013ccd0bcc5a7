package pages

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/templates/entry"
)

// use says how to get at the source.
func (v *view) use(actions []entry.Action) entry.Use {
	e := v.e
	u := entry.Use{Limits: v.limits(), Samples: v.samples(actions)}
	if e.AuthType != catalog.AuthNone && e.AuthType != catalog.AuthUnknown {
		u.Auth = string(e.AuthType)
	}
	if a := direct(v); a != nil && e.Type != catalog.TypeDataset {
		u.Address = a.URL
	}
	u.Console, u.Look = v.console(), v.look()
	switch {
	case e.API != nil && e.Type == catalog.TypeAPI:
		v.describeAPI(&u)
	case e.Dataset != nil && e.Type == catalog.TypeDataset:
		u.Unsampled = v.Row.Profile == nil
		u.Files = v.otherFiles(actions)
		u.FilesLeft = max(0, len(u.Files)-v.most(filesShown))
		u.Files = u.Files[:len(u.Files)-u.FilesLeft]
	case e.MCP != nil && e.Type == catalog.TypeMCPServer:
		v.describeServer(&u)
	}
	return u
}

// direct is the first action that fetches the source itself.
func direct(v *view) *score.Action {
	for i := range v.Result.Access.Actions {
		if a := &v.Result.Access.Actions[i]; a.Direct && linkable(a.URL) {
			return a
		}
	}
	return nil
}

func (v *view) limits() []string {
	var list []string
	add := func(text string) {
		text = clip(strings.TrimSpace(text), 400)
		if text != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	if d := v.e.API; d != nil {
		add(d.RateLimitInfo)
		add(d.FreeTierLimits)
	}
	for i := range v.e.Limits {
		add(v.e.Limits[i].Text)
	}
	return list
}

func (v *view) describeAPI(u *entry.Use) {
	d := v.e.API
	add := func(key, text, address string) {
		if text != "" {
			u.Facts = append(u.Facts, entry.Fact{Key: key, Text: clip(text, 120), Address: address})
		}
	}
	add("api.version", d.Version, "")
	if d.SpecFormat != "none" {
		add("api.description", d.SpecFormat, d.OpenAPIURL)
	}
	for i := range d.Endpoints[:min(len(d.Endpoints), v.most(endpointsShown))] {
		p := &d.Endpoints[i]
		u.Calls = append(u.Calls, entry.Call{Method: clip(p.Method, 12), Name: clip(p.Path, 120), Does: clip(p.Summary, 160), Arguments: v.argumentsOf(p.Parameters), Answer: v.exampleAnswer(p, i)})
	}
	u.Left = len(d.Endpoints) - len(u.Calls)
}

func (v *view) describeServer(u *entry.Use) {
	d := v.e.MCP
	for _, p := range [...]struct{ key, text string }{{"mcp.transport", d.Transport}, {"mcp.version", d.Version}, {"mcp.protocol", strings.Join(d.ProtocolVersions, ", ")}} {
		if p.text != "" {
			u.Facts = append(u.Facts, entry.Fact{Key: p.key, Text: clip(p.text, 120)})
		}
	}
	u.Tools = true
	for i := range d.Tools[:min(len(d.Tools), v.most(toolsShown))] {
		t := &d.Tools[i]
		u.Calls = append(u.Calls, entry.Call{Name: clip(t.Name, 80), Does: clip(cmp.Or(t.Description, t.Title), 240), Arguments: v.argumentsOf(t.Arguments)})
	}
	u.Left = len(d.Tools) - len(u.Calls)
}

// otherFiles are the files and access points of a dataset that have no button, with the day on which each
// changed unless the data as a whole did then. Names that say nothing, for another file has them too, give way
// to those of the files.
func (v *view) otherFiles(actions []entry.Action) []entry.File {
	d, title := v.e.Dataset, v.title()
	times := map[string]int{}
	for i := range d.Distributions {
		times[clip(strings.TrimSpace(d.Distributions[i].Title), fileTitle)]++
	}
	var list []entry.File
	for i := range d.Distributions {
		f := &d.Distributions[i]
		address := cmp.Or(f.DownloadURL, f.AccessURL)
		if offered(actions, address, f.Format) {
			continue
		}
		name := clip(strings.TrimSpace(f.Title), fileTitle)
		if name == "" || times[name] > 1 || name == title {
			name = cmp.Or(fileName(address), name, address)
		}
		x := entry.File{Name: tail(name, fileTitle), Address: address, Format: formatOf(f), Size: f.ByteSize, Languages: v.otherTongues(f)}
		if !sameDay(f.ModifiedAt, v.e.SourceModifiedAt) {
			x.Changed = f.ModifiedAt
		}
		list = append(list, x)
	}
	return apart(list)
}

// offered tells that a button leads to an address, or to the service that answers there.
func offered(actions []entry.Action, address, format string) bool {
	service := serviceAt(address, format).capabilities
	return slices.ContainsFunc(actions, func(a entry.Action) bool { return a.Address == address || service != "" && a.Address == service })
}

// fileTitle is how long the name of a file may be, in characters.
const fileTitle = 100

// apart names files that still have one name by the end of their addresses.
func apart(list []entry.File) []entry.File {
	times := map[string]int{}
	for i := range list {
		times[list[i].Name]++
	}
	for i := range list {
		if f := &list[i]; times[f.Name] > 1 && f.Address != "" {
			f.Name = tail(f.Address, 60)
		}
	}
	return list
}

// tail shortens text to its last n characters, for that is where addresses differ.
func tail(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return "…" + string(r[len(r)-n+1:])
}
