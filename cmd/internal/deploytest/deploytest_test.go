//go:build unix

package deploytest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shipped is the folder of the files that the package reads.
var shipped = filepath.Join("..", "..", "..", "site", "deploy")

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"ExecStart=-/bin/a b\nExecStart=/bin/c \\\n  d":  {"true /bin/a b", "false /bin/c d"},
		"ExecStart=/bin/a\nExecStart=\nExecStart=/bin/b": {"false /bin/b"},
		"ExecStart=/bin/a 'b c'":                         nil,
		"ExecStart=/bin/a $B":                            nil,
		"ExecStart=a":                                    nil,
		"User=a":                                         nil,
	} {
		u, err := ReadUnit(write(t, "a.service", "[Service]\n"+text+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		lines, err := u.Lines("ExecStart")
		var got []string
		for _, l := range lines {
			got = append(got, strings.Join(append([]string{map[bool]string{true: "true", false: "false"}[l.MayFail]}, l.Args...), " "))
		}
		if !slices.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// TestRunUnit: a failure that may be is passed over, any other one ends the unit;
// the umask, the directory and the variables are the unit's.
func TestRunUnit(t *testing.T) {
	t.Parallel()
	user := Unprivileged()
	dir := Folder(t, user)
	env := write(t, "env", "# a comment\nSAID=/there/x\n")
	u, err := ReadUnit(write(t, "a.service", `[Service]
User=somebody
WorkingDirectory=/there
UMask=0027
Environment=SAID=unit
EnvironmentFile=-/etc/none
EnvironmentFile=/etc/env
ExecStart=-/bin/false
ExecStart=/usr/bin/env
ExecStart=/bin/touch /there/made
ExecStart=/bin/false
ExecStart=/bin/touch /there/never
`))
	if err != nil {
		t.Fatal(err)
	}
	host := &Host{Replace: []string{"/there", dir, "/etc/env", env}, User: user}
	said, err := host.RunUnit(t.Context(), u)
	if err == nil || !strings.Contains(said, "\nSAID="+dir+"/x\n") {
		t.Errorf("%v: %s", err, said)
	}
	info, err := os.Stat(filepath.Join(dir, "made"))
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "never")); err == nil {
		t.Error("the unit went on behind a failure")
	}
}

// TestCompose: merges and variables are taken in, and a service without a
// command runs the image's.
func TestCompose(t *testing.T) {
	t.Parallel()
	file := write(t, "compose.yaml", `name: a
x-all: &all {image: a, environment: &env {A: "${NEEDED:?set it}"}}
services:
  one: {<<: *all, command: [two, /there/x]}
  two: {<<: *all, environment: {<<: *env, B: /there}, profiles: [batch]}
  three: {<<: *all, entrypoint: [/bin/three]}
`)
	if _, err := ReadCompose(t.Context(), file, nil); err == nil {
		t.Error("a variable that is needed is not asked for")
	}
	c, err := ReadCompose(t.Context(), file, map[string]string{"NEEDED": "yes"})
	if err != nil || !slices.Equal(c.Services(), []string{"one", "three", "two"}) {
		t.Fatal(c, err)
	}
	host := &Host{Replace: []string{"/there", "/here"}}
	image := Image{Entrypoint: []string{"/bin/a"}, Command: []string{"usual"}, Env: []string{"C=1"}, Dir: "/there"}
	for name, want := range map[string]string{"one": "/bin/a two /here/x", "two": "/bin/a usual", "three": "/bin/three"} {
		s, err := c.Service(name)
		if err != nil {
			t.Fatal(err)
		}
		cmd := host.Service(context.Background(), &s, image)
		if got := strings.Join(cmd.Args[4:], " "); got != want || cmd.Dir != "/here" {
			t.Errorf("%s: %q in %s", name, got, cmd.Dir)
		}
		if name == "two" && !slices.Equal(cmd.Env[1:], []string{"C=1", "A=yes", "B=/here"}) {
			t.Errorf("%q", cmd.Env)
		}
	}
}

// TestShipped: all that is shipped can be read.
func TestShipped(t *testing.T) {
	t.Parallel()
	units, err := filepath.Glob(filepath.Join(shipped, "systemd", "*.service"))
	if err != nil || len(units) < 2 {
		t.Fatal(units, err)
	}
	for _, path := range units {
		u, err := ReadUnit(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := u.Lines("ExecStart"); err != nil {
			t.Error(err)
		}
	}
	image, err := ReadImage(filepath.Join(shipped, "Dockerfile"))
	if err != nil || len(image.Entrypoint) != 1 || len(image.Command) == 0 || image.Dir == "" || len(image.Env) == 0 {
		t.Errorf("%+v, %v", image, err)
	}
	c, err := ReadCompose(t.Context(), filepath.Join(shipped, "compose.yaml"), map[string]string{"POSTGRES_PASSWORD": "x", "ASSAY_HOST": "register.example"})
	if err != nil || len(c.Services()) < 4 {
		t.Error(c, err)
	}
}
