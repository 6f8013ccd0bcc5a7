//go:build unix

package deploytest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// Operator does what a document says, with what stands in it and no more: runs
// its shell blocks one after the other in one folder, and edits assay.yaml as its
// YAML blocks show.
type Operator struct {
	// Dir is where the next block runs; a block that changes the folder changes it.
	Dir string
	// Env is the whole environment.
	Env []string
	// User is who he is, nil for who runs the test.
	User *syscall.Credential
	// Systemctl carries out that command, nil where there is none.
	Systemctl func(args ...string) error
}

// Do runs or enters one block.
func (o *Operator) Do(ctx context.Context, b Block) error {
	err := fmt.Errorf("nobody knows what to do with %q", b.Lang)
	switch b.Lang {
	case "sh":
		err = o.Run(ctx, b.Text)
	case "yaml":
		err = o.Edit(b.Text)
	}
	if err != nil {
		return fmt.Errorf("%s, line %d: %w", b.Section, b.Line, err)
	}
	return nil
}

// Run runs lines of a shell, which stops at the first failure. Lines of systemctl
// are carried out by Systemctl.
func (o *Operator) Run(ctx context.Context, script string) error {
	var lines strings.Builder
	for line := range strings.Lines(script) {
		args, found := strings.CutPrefix(line, "systemctl ")
		if !found || o.Systemctl == nil {
			lines.WriteString(line)
			continue
		}
		if err := o.shell(ctx, lines.String()); err != nil {
			return err
		}
		lines.Reset()
		args, _, _ = strings.Cut(args, "#")
		if err := o.Systemctl(strings.Fields(args)...); err != nil {
			return fmt.Errorf("%s: %w", strings.TrimSpace(line), err)
		}
	}
	return o.shell(ctx, lines.String())
}

func (o *Operator) shell(ctx context.Context, script string) error {
	if strings.TrimSpace(script) == "" {
		return nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	cmd := exec.CommandContext(ctx, "/bin/bash", "-euo", "pipefail", "-c", "trap 'pwd >&3' EXIT\n"+script)
	cmd.Dir, cmd.Env, cmd.ExtraFiles = o.Dir, o.Env, []*os.File{w}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: o.User}
	said, err := os.CreateTemp("", "said") // a file: a server that a block starts may keep it open
	if err != nil {
		return err
	}
	defer os.Remove(said.Name())
	defer said.Close()
	cmd.Stdout, cmd.Stderr = said, said
	err = cmd.Run()
	w.Close()
	if err != nil {
		text, _ := os.ReadFile(said.Name()) // what there is of it
		return fmt.Errorf("%w\n%s\n%s", err, script, text[max(0, len(text)-3000):])
	}
	line := make([]byte, 4096)
	n, err := r.Read(line)
	if err != nil {
		return err
	}
	o.Dir = strings.TrimSpace(string(line[:n]))
	return nil
}

// Edit replaces lines of assay.yaml, each by the line with its key.
func (o *Operator) Edit(lines string) error {
	path := filepath.Join(o.Dir, "assay.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	file := "\n" + string(text)
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		key, _, _ := strings.Cut(line, ":")
		before, rest, found := strings.Cut(file, "\n"+key+":")
		if !found {
			before, rest, found = strings.Cut(file, "\n# "+key+":")
		}
		if !found {
			return fmt.Errorf("assay.yaml has no line of %s", key)
		}
		_, after, _ := strings.Cut(rest, "\n")
		file = before + "\n" + line + "\n" + after
	}
	return os.WriteFile(path, []byte(file[1:]), 0o644)
}
