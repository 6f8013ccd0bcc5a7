package pages

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/templates/entry"
)

// use says how to get at the source.
func (v *view) use(actions []entry.Action) entry.Use {
	e := v.e
	u := entry.Use{Limits: v.limits(), Samples: v.samples()}
	if e.AuthType != catalog.AuthNone && e.AuthType != catalog.AuthUnknown {
		u.Auth = string(e.AuthType)
	}
	if a := direct(v); a != nil && e.Type != catalog.TypeDataset {
		u.Address = a.URL
	}
	if e.FreeAccessClass == catalog.AccessFreeNoAuth && e.Type == catalog.TypeAPI && v.Result.Access.Level == catalog.LevelDirect {
		u.Try = "/api/v1/proxy"
	}
	switch {
	case e.API != nil && e.Type == catalog.TypeAPI:
		v.describeAPI(&u)
	case e.Dataset != nil && e.Type == catalog.TypeDataset:
		u.Files = filesOf(v.title(), e.Dataset, actions)
		u.FilesOf = len(e.Dataset.Distributions)
		if u.Files == nil {
			u.FilesOf = 0
		}
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
		if strings.TrimSpace(text) != "" {
			list = append(list, clip(text, 400))
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
	for i := range d.Endpoints[:min(len(d.Endpoints), endpointsShown)] {
		p := &d.Endpoints[i]
		u.Calls = append(u.Calls, entry.Call{Method: clip(p.Method, 12), Name: clip(p.Path, 120), Does: clip(p.Summary, 160)})
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
	for i := range d.Tools[:min(len(d.Tools), toolsShown)] {
		t := &d.Tools[i]
		u.Calls = append(u.Calls, entry.Call{Name: clip(t.Name, 80), Does: clip(cmp.Or(t.Description, t.Title), 240)})
	}
	u.Left = len(d.Tools) - len(u.Calls)
}

// filesOf are the files of a dataset, nil where the buttons at the top of the page are all of
// them. Names that say nothing, for another file has them too, give way to those of the files.
func filesOf(title string, d *catalog.DatasetDetails, actions []entry.Action) []entry.File {
	if len(d.Distributions) <= 2 && !slices.ContainsFunc(d.Distributions, func(f catalog.Distribution) bool {
		return !slices.ContainsFunc(actions, func(a entry.Action) bool { return a.Address == cmp.Or(f.DownloadURL, f.AccessURL) })
	}) {
		return nil
	}
	times := map[string]int{}
	for i := range d.Distributions {
		times[clip(strings.TrimSpace(d.Distributions[i].Title), fileTitle)]++
	}
	var list []entry.File
	for i := range d.Distributions[:min(len(d.Distributions), filesShown)] {
		f := &d.Distributions[i]
		address := cmp.Or(f.DownloadURL, f.AccessURL)
		name := clip(strings.TrimSpace(f.Title), fileTitle)
		if name == "" || times[name] > 1 || name == title {
			name = cmp.Or(fileName(address), name, address)
		}
		list = append(list, entry.File{Name: tail(name, fileTitle), Address: address, Format: formatOf(f), Size: f.ByteSize, Changed: f.ModifiedAt})
	}
	return apart(list)
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

// samples are commands and configurations that get at the source.
func (v *view) samples() []entry.Sample {
	e := v.e
	if e.Type == catalog.TypeMCPServer {
		return v.serverSamples()
	}
	a := direct(v)
	if a == nil {
		return nil
	}
	call := *a
	if at := v.answering(); at != "" && e.Type == catalog.TypeAPI && a.Kind == "api" {
		call.URL = at
	}
	if e.API != nil && a.Kind == "api" {
		if s := serviceAt(call.URL, e.API.SpecFormat); s.kind != "" {
			call.URL = s.capabilities
		}
	}
	return []entry.Sample{{Key: "use.curl", Code: curl(&call)}}
}

func (v *view) serverSamples() []entry.Sample {
	d := v.e.MCP
	if d == nil {
		return nil
	}
	var list []entry.Sample
	if linkable(d.EndpointURL) {
		list = append(list, entry.Sample{Key: "use.agent_server", Code: serverConfig(v.e.Slug, d.EndpointURL)})
	}
	if len(d.Packages) > 0 {
		list = append(list, entry.Sample{Key: "use.agent_package", Code: packageConfig(v.e.Slug, d.Packages[0])})
	}
	if a := direct(v); a != nil {
		list = append(list, entry.Sample{Key: "use.curl", Code: curl(a)})
	}
	return list
}

// handshake asks an MCP server to begin a session.
const handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"curl","version":"1"}}}`

// curl is a command that does an action.
func curl(a *score.Action) string {
	switch a.Kind {
	case "mcp":
		return "curl -sS " + quoted(a.URL) + " \\\n  -H 'Content-Type: application/json' \\\n  -H 'Accept: application/json, text/event-stream' \\\n  -d " + quoted(handshake)
	case "graphql":
		return "curl -sS " + quoted(a.URL) + " \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"query\":\"{ __typename }\"}'"
	}
	return "curl -sSL " + quoted(a.URL)
}

// quoted is one word of a POSIX shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

type clientConfig struct {
	Servers map[string]any `json:"mcpServers"`
}

func serverConfig(name, address string) string {
	return indented(clientConfig{map[string]any{name: struct {
		Type string `json:"type"`
		URL  string `json:"url"`
	}{"http", address}}})
}

func packageConfig(name string, p catalog.MCPPackage) string {
	command, args := p.Registry, []string{p.Identifier}
	switch p.Registry {
	case "npm":
		command, args = "npx", []string{"-y", p.Identifier}
	case "pypi":
		command = "uvx"
	case "oci":
		command, args = "docker", []string{"run", "-i", "--rm", p.Identifier}
	}
	return indented(clientConfig{map[string]any{name: struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}{command, args}}})
}

func indented(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if enc.Encode(v) != nil {
		return ""
	}
	return strings.TrimSpace(b.String())
}
