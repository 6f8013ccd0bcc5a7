package pages

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/wire"
)

// use says how to get at the source. The state of access decides what the main
// button does: fetch it, read how to get a key, or go to the source.
func (w *writer) use(v *view) {
	w.part("use", "use.heading")
	w.raw("<p>")
	w.t(aboutKey(accessKey(v.e.FreeAccessClass, v.e.AccessRights)))
	w.raw(` <span class="soft">`)
	w.t("use.auth")
	w.raw(" ")
	w.t("auth." + string(v.e.AuthType))
	w.raw(".</span></p>")
	w.mainAction(v)
	if a := direct(v); a != nil {
		w.code("use.curl")
		w.curl(a)
		w.endCode()
	}
	if catalog.AccessFreeNoAuth == v.e.FreeAccessClass && v.e.Type != catalog.TypeMCPServer && v.Result.Access.Level == catalog.LevelDirect {
		w.tryIt(v)
	}
	w.limits(v)
	switch v.e.Type {
	case catalog.TypeAPI:
		w.api(v.e.API)
	case catalog.TypeDataset:
		w.files(v.e.Dataset)
	case catalog.TypeMCPServer:
		w.server(v.e.MCP)
	}
	w.agents(v)
	w.end()
}

// accessKey is the text that says how one gets in; where that is not known, who may
// (decisions-2 §C).
func accessKey(class catalog.FreeAccessClass, rights catalog.AccessRights) string {
	if class == catalog.AccessUnknown && rights != "" {
		return "access." + string(rights)
	}
	return "access." + string(class)
}

// aboutKey is the sentence that belongs to a word of accessKey.
func aboutKey(key string) string { return "access.about" + strings.TrimPrefix(key, "access") }

// direct is the first action that fetches the source itself.
func direct(v *view) *score.Action {
	for i := range v.Result.Access.Actions {
		if a := &v.Result.Access.Actions[i]; a.Direct && linkable(a.URL) {
			return a
		}
	}
	return nil
}

// saidOpen tells that the publisher says that everybody may have it, and nothing that was
// seen says otherwise: a reader can try.
func saidOpen(e *catalog.Entry) bool {
	return e.AccessRights == catalog.RightsPublic && e.FreeAccessClass == catalog.AccessUnknown && (e.AuthType == catalog.AuthUnknown || e.AuthType == catalog.AuthNone)
}

// mainAction shows the address and one main button.
func (w *writer) mainAction(v *view) {
	a := direct(v)
	if a != nil {
		w.raw(`<div class="stack"><h3>`)
		w.t("use.address." + string(v.e.Type))
		w.raw("</h3>")
		w.copyable(a.URL)
		w.raw("</div>")
	}
	key, address := "use.open_source", cmp.Or(v.e.PrimarySourceURL, v.e.HomepageURL)
	switch {
	case a != nil && v.e.Type == catalog.TypeDataset && (a.Runnable || saidOpen(v.e)):
		key, address = "use.download", a.URL
	case a != nil && a.Runnable && v.e.Type == catalog.TypeAPI && a.Method == "GET":
		key, address = "use.call", a.URL
	case v.e.FreeAccessClass == catalog.AccessFreeKey && linkable(v.e.DocsURL):
		key, address = "use.get_key", v.e.DocsURL
	case linkable(v.e.DocsURL):
		key, address = "use.read_docs", v.e.DocsURL
	}
	w.raw(`<p class="chips">`)
	w.button("btn btn-main", key, address)
	if address != v.e.DocsURL {
		w.button("btn", "use.read_docs", v.e.DocsURL)
	}
	if address != v.e.HomepageURL {
		w.button("btn", "use.homepage", v.e.HomepageURL)
	}
	w.button("btn", "use.repository", v.e.RepoURL)
	w.raw("</p>")
}

// button leads to another site, if its address can be linked.
func (w *writer) button(class markup, key, address string) {
	if !linkable(address) {
		return
	}
	w.raw(`<a class="`, class, `" rel="nofollow noopener"`)
	w.href(address)
	w.raw(">")
	w.t(key)
	w.raw("</a>")
}

// handshake asks an MCP server to begin a session.
const handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"curl","version":"1"}}}`

// curl writes a command that does an action.
func (w *writer) curl(a *score.Action) {
	options := " -sSL "
	switch a.Kind {
	case "mcp", "graphql":
		options = " -sS "
	}
	w.text("curl" + options)
	w.quoted(a.URL)
	switch a.Kind {
	case "mcp":
		w.text(" \\\n  -H 'Content-Type: application/json' \\\n  -H 'Accept: application/json, text/event-stream' \\\n  -d ")
		w.quoted(handshake)
	case "graphql":
		w.text(" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"query\":\"{ __typename }\"}'")
	}
}

// quoted writes one word of a POSIX shell.
func (w *writer) quoted(s string) {
	w.text("'")
	w.text(strings.ReplaceAll(s, "'", `'\''`))
	w.text("'")
}

// tryIt is a form that a script of the site answers in place; without scripts
// nobody sees it, as the command above does the same.
func (w *writer) tryIt(v *view) {
	w.raw(`<form class="card stack" data-try hidden`)
	w.attr("data-entry", v.e.ID)
	w.route("action", "/api/v1/proxy")
	w.raw(`><h3>`)
	w.t("try.heading")
	w.raw(`</h3><p class="small soft">`)
	w.t("try.about")
	w.raw(`</p><div class="line"><div><label for="try-path">`)
	w.t("try.path")
	w.raw(`</label><input type="text" id="try-path" name="path" placeholder="/" spellcheck="false" autocomplete="off" maxlength="2000"></div></div><button class="btn" type="submit">`)
	w.t("try.run")
	w.raw(`</button><p class="small" role="status"></p><pre tabindex="0" hidden aria-label="`)
	w.t("try.answer")
	w.raw(`"></pre></form>`)
}

func (w *writer) limits(v *view) {
	first := true
	limit := func(text string) {
		if strings.TrimSpace(text) == "" {
			return
		}
		if first {
			w.tag("h3", "use.limits")
			w.raw("<ul>")
			first = false
		}
		w.raw("<li>")
		w.outside(clip(text, 400))
		w.raw("</li>")
	}
	if d := v.e.API; d != nil {
		limit(d.RateLimitInfo)
		limit(d.FreeTierLimits)
	}
	for i := range v.e.Limits {
		limit(v.e.Limits[i].Text)
	}
	if !first {
		w.raw("</ul>")
	}
}

func (w *writer) api(d *catalog.APIDetails) {
	if d == nil {
		return
	}
	w.raw(`<dl class="kv">`)
	if d.Version != "" {
		w.term("api.version")
		w.outside(d.Version)
		w.endTerm()
	}
	if d.SpecFormat != "" && d.SpecFormat != "none" {
		w.term("api.description")
		w.web(d.OpenAPIURL, d.SpecFormat)
		w.endTerm()
	}
	if d.Frequency != "" {
		w.term("data.frequency")
		w.text(strings.ToLower(strings.ReplaceAll(d.Frequency, "_", " ")))
		w.endTerm()
	}
	if linkable(d.TermsURL) {
		w.term("api.terms")
		w.web(d.TermsURL, clip(d.TermsURL, 80))
		w.endTerm()
	}
	w.raw("</dl>")
	if len(d.Endpoints) == 0 {
		return
	}
	w.table("api.endpoints", "api.method", "api.path", "api.does")
	for i := range d.Endpoints[:min(len(d.Endpoints), endpointsShown)] {
		p := &d.Endpoints[i]
		w.raw(`<tr translate="no"><td class="mono">`)
		w.clip(p.Method, 12)
		w.raw(`</td><td class="mono">`)
		w.clip(p.Path, 160)
		w.raw(`</td><td dir="auto">`)
		w.clip(p.Summary, 200)
		w.raw("</td></tr>")
	}
	w.endTable()
	w.rest(len(d.Endpoints), endpointsShown)
}

// rest says how many of a list are not shown.
func (w *writer) rest(all, shown int) {
	if all > shown {
		w.raw(`<p class="small soft">`)
		w.text(w.locale.str("more_in_json", "n", w.locale.number(all-shown)))
		w.raw("</p>")
	}
}

func (w *writer) files(d *catalog.DatasetDetails) {
	if d == nil || len(d.Distributions) == 0 {
		return
	}
	w.table("files.heading", "files.file", "files.format", "files.size", "files.changed")
	for i := range d.Distributions[:min(len(d.Distributions), filesShown)] {
		f := &d.Distributions[i]
		w.raw(`<tr translate="no"><td>`)
		address := cmp.Or(f.DownloadURL, f.AccessURL)
		w.web(address, clip(cmp.Or(strings.TrimSpace(f.Title), address), 120))
		w.raw("</td><td>")
		w.clip(cmp.Or(f.Format, f.MediaType), 40)
		w.raw(`</td><td class="num">`)
		if f.ByteSize > 0 {
			w.size(f.ByteSize)
		}
		w.raw("</td><td>")
		if !f.ModifiedAt.IsZero() {
			w.day(f.ModifiedAt)
		}
		w.raw("</td></tr>")
	}
	w.endTable()
	w.rest(len(d.Distributions), filesShown)
}

// size writes a number of bytes in words.
func (w *writer) size(n int64) {
	units := [...]markup{"B", "kB", "MB", "GB", "TB"}
	v, i := float64(n), 0
	for v >= 1000 && i < len(units)-1 {
		v, i = v/1000, i+1
	}
	decimals := 1
	if i == 0 || v >= 100 {
		decimals = 0
	}
	w.float(v, decimals)
	w.raw(" ", units[i])
}

func (w *writer) server(d *catalog.MCPDetails) {
	if d == nil {
		return
	}
	w.raw(`<dl class="kv">`)
	for _, p := range [...]struct{ key, text string }{{"mcp.transport", d.Transport}, {"mcp.version", d.Version}, {"mcp.protocol", strings.Join(d.ProtocolVersions, ", ")}} {
		if p.text != "" {
			w.term(p.key)
			w.outside(clip(p.text, 120))
			w.endTerm()
		}
	}
	w.raw("</dl>")
	if len(d.Tools) == 0 {
		return
	}
	w.table("mcp.tools", "mcp.tool", "api.does")
	for i := range d.Tools[:min(len(d.Tools), toolsShown)] {
		t := &d.Tools[i]
		w.raw(`<tr translate="no"><td class="mono">`)
		w.clip(t.Name, 80)
		w.raw(`</td><td dir="auto">`)
		w.clip(cmp.Or(t.Description, t.Title), 300)
		w.raw("</td></tr>")
	}
	w.endTable()
	w.rest(len(d.Tools), toolsShown)
}

// agents gives the configuration by which an agent reaches the source: the
// server itself, or this register about the entry.
func (w *writer) agents(v *view) {
	w.more("use.agents")
	w.raw(`<div class="stack">`)
	if d := v.e.MCP; d != nil && linkable(d.EndpointURL) {
		w.code("use.agent_server")
		w.text(serverConfig(v.e.Slug, d.EndpointURL))
		w.endCode()
	} else if d != nil && len(d.Packages) > 0 {
		w.code("use.agent_package")
		w.text(packageConfig(v.e.Slug, d.Packages[0]))
		w.endCode()
	}
	w.same("register", "", func() {
		w.code("use.agent_register")
		w.text(serverConfig("assay", w.absolute(wire.MCPPath)))
		w.endCode()
	})
	w.code("use.agent_call")
	w.text(`{"name":"get_entry","arguments":{"idOrSlug":"`)
	w.text(v.e.Slug)
	w.text(`"}}`)
	w.endCode()
	w.raw("</div>")
	w.endMore()
}

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
