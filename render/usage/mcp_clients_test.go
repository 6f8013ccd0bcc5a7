package usage

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// known is what a client tells of a server that it was told of.
type known struct {
	transport, url string
	command        []string
	// token tells that it would send the reader's.
	token bool
}

// aim is what a client must know of a server; bridged is one that has no way of its own to it.
func aim(s *server, bridged bool) known {
	switch {
	case s.url == "":
		return known{transport: "stdio", command: append([]string{s.command}, s.args...)}
	case bridged:
		return known{transport: "stdio", command: []string{"npx", "-y", "mcp-remote", s.url}}
	case s.sse:
		return known{transport: "sse", url: s.url, token: s.token}
	}
	return known{transport: "http", url: s.url, token: s.token}
}

// desk is a home and a folder of work that belong to one client and one server.
type desk struct {
	t    *testing.T
	bin  string
	home string
}

// run gives what a client prints on both streams.
func (d *desk) run(command string, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(d.t.Context(), 2*time.Minute)
	defer stop()
	c := exec.CommandContext(ctx, command, args...)
	c.Dir = d.home
	c.Env = []string{"HOME=" + d.home, "PATH=" + d.bin + ":" + os.Getenv("PATH"), "TOKEN=of the reader", "CODEX_HOME=" + filepath.Join(d.home, ".codex")}
	b, err := c.CombinedOutput()
	return string(b), err
}

func (d *desk) write(file, text string) {
	path := filepath.Join(d.home, strings.TrimPrefix(file, "~/"))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// readers tell a client what the register says, and ask it what it knows then.
var readers = map[string]func(d *desk, c Client, name string) (known, error){
	"Claude Code": claudeKnows,
	"Gemini CLI":  geminiKnows,
	"Codex":       codexKnows,
}

func claudeKnows(d *desk, c Client, name string) (k known, err error) {
	if out, err := d.run("sh", "-c", c.Config); err != nil {
		return k, fmt.Errorf("%w: %s", err, out)
	}
	b, err := os.ReadFile(filepath.Join(d.home, ".claude.json"))
	if err != nil {
		return k, err
	}
	var file struct {
		Projects map[string]struct {
			Servers map[string]struct {
				Type, URL, Command string
				Args               []string
				Headers            map[string]string
			} `json:"mcpServers"`
		}
	}
	if err := json.Unmarshal(b, &file); err != nil {
		return k, err
	}
	for _, p := range file.Projects {
		if s, ok := p.Servers[name]; ok {
			k = known{transport: s.Type, url: s.URL, token: s.Headers["Authorization"] == "Bearer of the reader"}
			if s.Command != "" {
				k.command = append([]string{s.Command}, s.Args...)
			}
			return k, nil
		}
	}
	return k, fmt.Errorf("no server %s in %s", name, b)
}

// geminiKnows reads the line "NAME: WHERE (TRANSPORT) - STATE". It tells nothing of headers: the file is what it reads.
func geminiKnows(d *desk, c Client, name string) (k known, err error) {
	d.write(c.File, c.Config)
	out, err := d.run(filepath.Join(d.bin, "gemini"), "mcp", "list")
	if err != nil {
		return k, fmt.Errorf("%w: %s", err, out)
	}
	_, line, ok := strings.Cut(out, name+": ")
	line, _, stated := strings.Cut(line, ") - ")
	if !ok || !stated {
		return k, fmt.Errorf("no server %s in %s", name, out)
	}
	at := strings.LastIndex(line, " (")
	if at < 0 {
		return k, fmt.Errorf("no transport in %s", line)
	}
	k.transport = line[at+2:]
	if k.transport == "stdio" {
		k.command = strings.Fields(line[:at])
		return k, nil
	}
	k.url, k.token = line[:at], strings.Contains(c.Config, `"Authorization": "Bearer YOUR_TOKEN"`)
	return k, nil
}

func codexKnows(d *desk, c Client, name string) (k known, err error) {
	d.write(c.File, c.Config)
	out, err := d.run(filepath.Join(d.bin, "codex"), "mcp", "get", name, "--json")
	if err != nil {
		return k, fmt.Errorf("%w: %s", err, out)
	}
	var s struct {
		Transport struct {
			Type, URL, Command string
			Args               []string
			Token              string `json:"bearer_token_env_var"`
		}
	}
	from := strings.IndexByte(out, '{')
	if from < 0 {
		return k, fmt.Errorf("no answer in %s", out)
	}
	if err := json.NewDecoder(strings.NewReader(out[from:])).Decode(&s); err != nil {
		return k, fmt.Errorf("%w: %s", err, out)
	}
	k = known{transport: strings.TrimPrefix(s.Transport.Type, "streamable_"), url: s.Transport.URL, token: s.Transport.Token == "TOKEN"}
	if s.Transport.Command != "" {
		k.command = append([]string{s.Transport.Command}, s.Transport.Args...)
	}
	return k, nil
}

// TestRealClients tells the clients themselves of each server, and asks them what they know. They take 900 MB
// (.ci/mcp/clients/run.sh), so that they are asked where MCP_CLIENTS names the folder of their programs only.
func TestRealClients(t *testing.T) {
	bin := os.Getenv("MCP_CLIENTS")
	if bin == "" {
		t.Skip("MCP_CLIENTS names no folder of clients")
	}
	for kind, e := range servers() {
		s, ok := serverOf(e)
		if !ok {
			t.Fatal(kind)
		}
		asked := 0
		for _, c := range Clients(e) {
			ask := readers[c.Name]
			if ask == nil {
				continue
			}
			asked++
			holds(t, kind+"/"+c.Name, bin, func(d *desk) (known, error) { return ask(d, c, s.name) }, aim(s, c.Name == "Codex" && s.sse))
		}
		if asked != len(readers) {
			t.Errorf("%s: %d clients of %d were asked", kind, asked, len(readers))
		}
	}
}

func holds(t *testing.T, name, bin string, ask func(*desk) (known, error), want known) {
	t.Run(name, func(t *testing.T) {
		got, err := ask(&desk{t, bin, t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if got.transport != want.transport || got.url != want.url || got.token != want.token || !slices.Equal(got.command, want.command) {
			t.Errorf("knows %+v, want %+v", got, want)
		}
	})
}
