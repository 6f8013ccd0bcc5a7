package setup

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func TestParse(t *testing.T) {
	t.Parallel()
	known := []string{"db", "keep_for", "keep_snapshots", "trusted_proxies"}
	for text, want := range map[string]string{
		"db: x\nkeep_fro: 1h\n":             `c.yaml:2: unknown key "keep_fro"; did you mean keep_for?`,
		"db: x\n\n# why\nfrobnicate: {}\n":  `c.yaml:4: unknown key "frobnicate"; remove it`,
		"sorces: []\n":                      `c.yaml:1: unknown key "sorces"; did you mean sources?`,
		"db:\n  a: b\n":                     `c.yaml:2: db takes a value or a list of values`,
		"trusted_proxies:\n  - [a]\n":       `c.yaml:2: trusted_proxies: write a list of plain values`,
		"db: x\nkeep_for: 1h\ndb: y\n":      `c.yaml:3: the key db stands at line 1 already`,
		"- db\n":                            `c.yaml:1: write keys and values`,
		"db: x\n---\ndb: y\n":               `c.yaml:2: the file has a second document`,
		"db: [\n":                           `c.yaml:2: this is no YAML`,
		"db: x\n\tkeep_for: 1h\n":           `c.yaml:2: this is no YAML`,
		"db: x: y\n":                        `c.yaml:1: this is no YAML`,
		"db: \xff\n":                        `c.yaml:1: this is no YAML`,
		"dbb: 1\nkeep_for: 1h\nkeep_fo: 2h": `c.yaml:3: unknown key "keep_fo"`,
	} {
		if _, err := parse("c.yaml", []byte(text), known); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	f, err := parse("c.yaml", []byte("db: &d sqlite:x\nkeep_for:\ntrusted_proxies: [10.0.0.1, 10.0.0.2]\nkeep_snapshots: 3\n"), known)
	if err != nil || f.values["db"].text != "sqlite:x" || f.values["trusted_proxies"].text != "10.0.0.1,10.0.0.2" || f.values["keep_snapshots"].line != 4 {
		t.Errorf("%+v, %v", f, err)
	}
	if _, given := f.values["keep_for"]; given {
		t.Error("a key without a value gives one")
	}
}

// TestValues: a value that cannot be is named by its place, whichever way it
// came, and in words of its own.
func TestValues(t *testing.T) {
	for _, c := range []struct{ flag, value, want string }{
		{"license", "foo", `"foo": use the SPDX id of a licence`},
		{"license", "cc-by-4.0", `such as CC-BY-4.0`},
		{"license", "DL-DE-BY-1.0", `use the SPDX id`},
		{"contact", "foo bar", `"foo bar": use an address of mail or of the web`},
		{"base-url", "x.example", `"x.example": use an absolute address`},
		{"base-url", "https://x.example/?a=b", `without query`},
		{"base-url", "ftp://x.example", `use an absolute address`},
		{"base-url", "HTTP://X.Example/", `write http://x.example`},
		{"base-url", "https://x.example:443/a", `write https://x.example/a`},
		{"base-url", "https://münchen.example/a/", `write https://xn--mnchen-3ya.example/a`},
		{"base-url", "https://x.example//a", `use a path of letters`},
		{"base-url", "https://x.example/a/../b", `use a path of letters`},
		{"base-url", "https://x.example/a%20b", `use a path of letters`},
		{"base-url", "https://x.example/ü", `use a path of letters`},
		{"base-url", "https://x.example:99999", `use a port`},
		{"base-url", "http://[::1]:8080", `use a host name`},
		{"line", "   ", `use one line of text`},
		{"count", "many", `"many": use a whole number`},
		{"count", "-1", `"-1": use 0 to 9`},
		{"more", "-1", `"-1": use at least 0`},
		{"long", "-1s", `"-1s": use at least 0s`},
		{"pause", "soon", `"soon": use a duration such as 90s, 30m or 6h`},
		{"pause", "30h", `"30h": use 1m to 24h`},
		{"never", "1s", `use 1h to 24h, or 0s for never`},
		{"on", "perhaps", `"perhaps": use true or false`},
		{"rate", "0", `use more than 0 and at most 10`},
		{"rate", "NaN", `use more than 0 and at most 10`},
		{"word", "xml", `"xml": use text or json`},
		{"nets", "10.0.0.1,x", `"x": use an address or a network`},
		{"origins", "https://a.example,https://b.example/x", `"https://b.example/x": use scheme, host and port alone`},
		{"hosts", "a.example,http://b", `"http://b": use a host`},
		{"addr", "8080", `use host:port`},
		{"addr", "127.0.0.1:99999", `use host:port`},
		{"at", "yesterday", `use an instant`},
		{"from", "nobody", `use an address such as "Register`},
		{"mail", "nobody", `use an address such as office@`},
		{"to", "/srv", `use s3://`},
		{"endpoint", "http://h/bucket", `use a host such as s3`},
		{"country", "Latvia", `use two letters`},
		{"line", "a\nb", `use one line`},
	} {
		path := filepath.Join(t.TempDir(), "c.yaml")
		for from, run := range map[string]func(cmd *cobra.Command) error{
			"--" + c.flag: func(cmd *cobra.Command) error {
				cmd.SetArgs([]string{"--" + c.flag + "=" + c.value})
				return cmd.Execute()
			},
			Variable(c.flag): func(cmd *cobra.Command) error {
				t.Setenv(Variable(c.flag), c.value)
				defer os.Unsetenv(Variable(c.flag))
				return cmd.Execute()
			},
			path + ":2: " + Key(c.flag): func(cmd *cobra.Command) error {
				if err := os.WriteFile(path, []byte("\n"+Key(c.flag)+": "+yamlQuote(c.value)), 0o600); err != nil {
					t.Fatal(err)
				}
				cmd.SetArgs([]string{"--config", path})
				return cmd.Execute()
			},
		} {
			err := run(settable())
			if err == nil || !strings.HasPrefix(err.Error(), from+": ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s %q: %v, want %s: %s", c.flag, c.value, err, from, c.want)
			}
			if err != nil && (strings.Contains(err.Error(), "strconv") || strings.Contains(err.Error(), "time:")) {
				t.Errorf("the words of Go: %v", err)
			}
		}
	}
}

func yamlQuote(s string) string { return `"` + strings.ReplaceAll(s, "\n", `\n`) + `"` }

// settable is a command with flags of every kind.
func settable() *cobra.Command {
	cmd := &cobra.Command{Use: "assay", SilenceErrors: true, SilenceUsage: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return Fill(cmd, io.Discard) }}
	cmd.SetFlagErrorFunc(FlagError)
	cmd.SetArgs(nil)
	f := cmd.Flags()
	f.String("config", DefaultConfig, "")
	f.Int("count", 1, "")
	f.Duration("pause", time.Minute, "")
	f.Duration("never", 0, "")
	f.Int("more", 1, "")
	f.Duration("long", 0, "")
	f.Bool("on", false, "")
	f.Float64("rate", 1, "")
	f.StringSlice("nets", nil, "")
	f.StringSlice("hosts", nil, "")
	f.StringSlice("origins", nil, "")
	f.String("smtp-password", "", "")
	rules := map[string]func(string) error{"license": License, "contact": Contact, "base-url": BaseURL, "word": OneOf("text", "json"),
		"addr": Address, "at": Instant, "from": Mailbox, "mail": Mail, "to": Target, "endpoint": Endpoint, "country": Country, "line": Line(20), "db": Store}
	for name := range rules {
		f.String(name, "", "")
	}
	rules["count"], rules["pause"], rules["never"], rules["rate"] = Between(0, 9), Span(time.Minute, 24*time.Hour), SpanOrNever(time.Hour, 24*time.Hour), Rate(10)
	rules["more"], rules["long"] = Between(0, Any), Span(0, Forever)
	rules["nets"], rules["hosts"], rules["origins"] = Each(Network), Each(Host), Each(Origin)
	f.VisitAll(func(f *pflag.Flag) {
		if rules[f.Name] != nil {
			Limit(f, rules[f.Name])
		}
	})
	return cmd
}

// TestGoodValues: what is right gets through, and what is empty is the default.
func TestGoodValues(t *testing.T) {
	t.Parallel()
	cmd := settable()
	cmd.SetArgs([]string{"--license", "etalab-2.0", "--contact", "mailto:a@b.example", "--base-url", "https://x.example/register", "--word=", "--never", "0",
		"--rate", "0.5", "--nets", "10.0.0.0/8,::1", "--hosts", "a.example,127.0.0.1", "--origins", "https://a.example,http://localhost:6274", "--addr", ":0", "--endpoint", "localhost:9000", "--to", "file:///srv",
		"--country", "gb", "--from", "Register <a@b.example>", "--at", "2026-11-21T06:00:00Z", "--contact", "https://x.example/contact", "--db", "postgres://u@h/n"})
	if err := cmd.Execute(); err != nil {
		t.Error(err)
	}
	if got, err := cmd.Flags().GetDuration("never"); err != nil || got != 0 {
		t.Errorf("%v, %v", got, err)
	}
	for _, base := range []string{"https://x.example", "http://127.0.0.1:8080/", "https://xn--mnchen-3ya.example:8443/data/~reg_1/", "http://localhost"} {
		if err := BaseURL(base); err != nil {
			t.Errorf("%s: %v", base, err)
		}
	}
	f := cmd.Flags()
	f.String("title", "Assay", "")
	Limit(f.Lookup("title"), Line(20))
	if err := f.Set("title", ""); err != nil || f.Lookup("title").Value.String() != "Assay" {
		t.Errorf("an empty title is %q, %v", f.Lookup("title").Value, err)
	}
}

// TestSecretsStaySecret: no message repeats a password.
func TestSecretsStaySecret(t *testing.T) {
	t.Parallel()
	cmd := settable()
	cmd.SetArgs([]string{"--db", "mysql://u:hush@h/n"})
	if err := cmd.Execute(); err == nil || strings.Contains(err.Error(), "hush") || !strings.Contains(err.Error(), "use sqlite:PATH") {
		t.Error(err)
	}
}

func TestUnknownFlags(t *testing.T) {
	t.Parallel()
	for arg, want := range map[string]string{"--licence": "did you mean --license?", "--frobnicate": "`assay --help` lists them"} {
		cmd := settable()
		cmd.SetArgs([]string{arg, "x"})
		if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", arg, err)
		}
	}
}

// TestMisspeltVariables are warned of; those of others are left alone.
func TestMisspeltVariables(t *testing.T) {
	t.Setenv("ASSAY_LICENCE", "x")
	t.Setenv("ASSAY_SERVICE_HOST", "10.0.0.1")
	var said bytes.Buffer
	if err := Fill(settable(), &said); err != nil {
		t.Fatal(err)
	}
	if want := "assay: warning: ASSAY_LICENCE is not read; did you mean ASSAY_LICENSE?\n"; said.String() != want {
		t.Errorf("%q", said.String())
	}
}

func TestShort(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{0: "0s", time.Second: "1s", 10 * time.Minute: "10m", 2 * time.Hour: "2h", 90 * time.Minute: "1h30m", 168 * time.Hour: "168h", 61 * time.Second: "1m1s"} {
		if got := Short(d); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if back, err := time.ParseDuration(Short(d)); err != nil || back != d {
			t.Errorf("%s is read as %v, %v", want, back, err)
		}
	}
}
