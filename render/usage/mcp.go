package usage

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// Client is how one client of the Model Context Protocol is told of a server.
type Client struct {
	// Name is what the client is called.
	Name string
	// File is where the configuration belongs, "" for a command.
	File string
	// Config is the configuration, or the command.
	Config string
	// Install is an address that opens the client and asks whether to add the
	// server, "" for a client that has none. Its scheme is the client's own.
	Install string
}

// server is what a configuration says of a server.
type server struct {
	name string
	// url is that of a server on the web; sse tells that it speaks the older
	// transport.
	url string
	sse bool
	// command and args start a server on the reader's machine.
	command string
	args    []string
	// header is what a server on the web wants, "" for nothing.
	token bool
}

// Clients tells, for each usual client, how to connect to a server; nil for one
// that can be reached in no known way.
func Clients(e *catalog.Entry) []Client {
	s, ok := serverOf(e)
	if !ok {
		return nil
	}
	return s.clients()
}

func serverOf(e *catalog.Entry) (*server, bool) {
	d := e.MCP
	if d == nil {
		return nil, false
	}
	s := &server{name: serverName(e.Slug)}
	if d.EndpointURL != "" && catalog.CheckURL("endpoint_url", d.EndpointURL) == nil {
		s.url, s.sse = d.EndpointURL, d.Transport == "sse"
		s.token = e.AuthType == catalog.AuthBearer || e.AuthType == catalog.AuthAPIKey
		return s, true
	}
	for _, p := range d.Packages {
		if s.command, s.args = starts(p); s.command != "" {
			return s, true
		}
	}
	return nil, false
}

// starts is how a package is run by the usual runner of its registry; "" for
// another registry, or an identifier that the runner would take for an option.
func starts(p catalog.MCPPackage) (command string, args []string) {
	id := clean(p.Identifier)
	if id == "" || id[0] == '-' || strings.ContainsAny(id, " \t") {
		return "", nil
	}
	pin := func(glue string) string {
		if v := clean(p.Version); v != "" && v != "latest" && !strings.ContainsAny(v, " @:=") {
			return id + glue + v
		}
		return id
	}
	switch p.Registry {
	case "npm":
		return "npx", []string{"-y", pin("@")}
	case "pypi":
		return "uvx", []string{pin("@")}
	case "oci":
		if strings.Contains(id[strings.LastIndexByte(id, '/')+1:], ":") {
			return "docker", []string{"run", "-i", "--rm", id}
		}
		return "docker", []string{"run", "-i", "--rm", pin(":")}
	case "nuget":
		return "dnx", []string{pin("@"), "--yes"}
	}
	return "", nil
}

// serverName is a name that every client takes: letters, digits, hyphens, of at
// most 48 characters.
func serverName(slug string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return -1
	}, strings.ToLower(slug))
	name = strings.Trim(name[:min(len(name), 48)], "-")
	if name == "" {
		return "server"
	}
	return name
}

// member is one member of a JSON object, in the order in which people read it.
type member struct {
	name  string
	value any
}

type object []member

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := encoded(m.name)
		if err != nil {
			return nil, err
		}
		value, err := encoded(m.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

func encoded(v any) ([]byte, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return []byte(strings.TrimSuffix(b.String(), "\n")), err
}

// text is a value as JSON in lines, short is it in one.
func text(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if enc.Encode(v) != nil {
		return ""
	}
	return strings.TrimSpace(b.String())
}

func short(v any) string {
	b, err := encoded(v)
	if err != nil {
		return ""
	}
	return string(b)
}

// entry is the object by which most clients describe a server; way is the name
// of the member that holds the address of one on the web, kind that of its
// transport, "" for a client that finds out.
func (s *server) entry(kind, way string) object {
	if s.url == "" {
		o := object{}
		if kind != "" {
			o = append(o, member{kind, "stdio"})
		}
		return append(o, member{"command", s.command}, member{"args", s.args})
	}
	o := object{}
	if kind != "" {
		transport := "http"
		if s.sse {
			transport = "sse"
		}
		o = append(o, member{kind, transport})
	}
	o = append(o, member{way, s.url})
	if s.token {
		o = append(o, member{"headers", object{{"Authorization", "Bearer YOUR_TOKEN"}}})
	}
	return o
}

// local is the server as one that runs on the reader's machine: one on the web
// by way of a bridge, for clients whose file knows no other.
func (s *server) local() object {
	if s.url == "" {
		return s.entry("", "")
	}
	args := []string{"-y", "mcp-remote", s.url}
	if s.token {
		args = append(args, "--header", "Authorization: Bearer YOUR_TOKEN")
	}
	return object{{"command", "npx"}, {"args", args}}
}

func (s *server) under(key string, entry object) string {
	return text(object{{key, object{{s.name, entry}}}})
}

// clients writes the configurations; each has the form that the client's own
// documentation gives.
func (s *server) clients() []Client {
	cursor := s.entry("", "url")
	code := s.entry("type", "url")
	gemini := s.entry("", "httpUrl")
	if s.sse {
		gemini = s.entry("type", "url")
	}
	return []Client{
		{Name: "Claude Code", Config: s.claudeCode()},
		{Name: "Claude Desktop", File: "claude_desktop_config.json", Config: s.under("mcpServers", s.local())},
		{Name: "VS Code", File: ".vscode/mcp.json", Config: s.under("servers", code), Install: "vscode:mcp/install?" + escape(short(slices.Concat(object{{"name", s.name}}, code)))},
		{Name: "Cursor", File: ".cursor/mcp.json", Config: s.under("mcpServers", cursor),
			Install: "cursor://anysphere.cursor-deeplink/mcp/install?name=" + s.name + "&config=" + escape(base64.StdEncoding.EncodeToString([]byte(short(cursor))))},
		{Name: "LM Studio", File: "mcp.json", Config: s.under("mcpServers", cursor),
			Install: "lmstudio://add_mcp?name=" + s.name + "&config=" + escape(base64.StdEncoding.EncodeToString([]byte(short(cursor))))},
		{Name: "Windsurf", File: "~/.codeium/windsurf/mcp_config.json", Config: s.under("mcpServers", s.entry("", "serverUrl"))},
		{Name: "Gemini CLI", File: ".gemini/settings.json", Config: s.under("mcpServers", gemini)},
		{Name: "Codex", File: "~/.codex/config.toml", Config: s.codex()},
	}
}

// escape is percent-encoding as encodeURIComponent does it.
func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// claudeCode is a command.
func (s *server) claudeCode() string {
	if s.url == "" {
		words := []string{"claude mcp add", s.name, "--", s.command}
		for _, a := range s.args {
			words = append(words, shellWord(a))
		}
		return strings.Join(words, " ")
	}
	transport := "http"
	if s.sse {
		transport = "sse"
	}
	command := "claude mcp add --transport " + transport + " " + s.name + " " + shellWord(s.url)
	if s.token {
		command += " \\\n  --header \"Authorization: Bearer $TOKEN\""
	}
	return command
}

// codex is TOML (TOML 1.0; its basic strings are quoted like JSON's).
func (s *server) codex() string {
	head := "[mcp_servers." + s.name + "]\n"
	if s.url == "" || s.sse {
		o := s.local()
		return head + "command = " + short(o[0].value) + "\nargs = " + short(o[1].value)
	}
	out := head + "url = " + short(s.url)
	if s.token {
		out += "\nbearer_token_env_var = \"TOKEN\""
	}
	return out
}

// Handshake is a command that asks a server on the web to begin a session
// (Model Context Protocol, "Lifecycle").
func Handshake(address string) string {
	return "curl -sS " + shellWord(address) + " \\\n  -H 'Content-Type: application/json' \\\n  -H 'Accept: application/json, text/event-stream' \\\n  -d '" +
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"curl","version":"1"}}}` + "'"
}
