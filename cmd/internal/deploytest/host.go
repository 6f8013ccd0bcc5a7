//go:build unix

package deploytest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"github.com/compose-spec/compose-go/v2/types"
)

// Host stands in for the machine, or the container, that the files are made
// for.
type Host struct {
	// Replace are pairs: a text of the files, such as /srv/register, and what
	// stands for it in a test. They are applied to arguments, values of variables
	// and paths.
	Replace []string
	// Env are variables besides those of the files; the latter win.
	Env []string
	// User is who runs the commands, nil for who runs the test.
	User *syscall.Credential
}

// Unprivileged is a user without any rights, for a test that root runs, and
// nil for one that somebody else runs.
func Unprivileged() *syscall.Credential {
	if os.Geteuid() != 0 {
		return nil
	}
	const nobody = 65534
	return &syscall.Credential{Uid: nobody, Gid: nobody}
}

// here is a text of the files as it must read in the test.
func (h *Host) here(text string) string { return strings.NewReplacer(h.Replace...).Replace(text) }

// Unit makes the process of one line of a unit: in its directory, with its
// umask, its variables and, where it names a user, as the user of the host.
func (h *Host) Unit(ctx context.Context, u *Unit, line Line) (*exec.Cmd, error) {
	env, err := h.unitEnv(u)
	if err != nil {
		return nil, err
	}
	cmd := h.command(ctx, line.Args, u.Value("Service", "UMask"), env)
	cmd.Dir = h.here(u.Value("Service", "WorkingDirectory"))
	if u.Value("Service", "User") != "" {
		cmd.SysProcAttr.Credential = h.User
	}
	return cmd, nil
}

// RunUnit runs the lines of ExecStart one after the other, as systemd does for
// Type=oneshot, and gives all that they wrote.
func (h *Host) RunUnit(ctx context.Context, u *Unit) (string, error) {
	lines, err := u.Lines("ExecStart")
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	for _, line := range lines {
		cmd, err := h.Unit(ctx, u, line)
		if err != nil {
			return out.String(), err
		}
		fmt.Fprintf(&out, "+ %s\n", strings.Join(line.Args, " "))
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Run(); err != nil && !line.MayFail {
			return out.String(), fmt.Errorf("%s: %s: %w\n%s", u.Name, strings.Join(line.Args, " "), err, &out)
		}
	}
	return out.String(), nil
}

// Service makes the process of a service of a compose file. Its volumes are
// among the pairs of Replace.
func (h *Host) Service(ctx context.Context, s *types.ServiceConfig, image Image) *exec.Cmd {
	env := variables(s, image)
	for i := range env {
		env[i] = h.here(env[i])
	}
	cmd := h.command(ctx, arguments(s, image), "", env)
	cmd.Dir = h.here(image.Dir)
	cmd.SysProcAttr.Credential = h.User
	return cmd
}

// command makes a process; a shell sets the umask and is then replaced by the
// program, so that the process id is the program's.
func (h *Host) command(ctx context.Context, args []string, umask string, env []string) *exec.Cmd {
	full := []string{"/bin/sh", "-c", `exec "$@"`, "sh"}
	if umask != "" {
		full[2] = "umask " + umask + ` && exec "$@"`
	}
	for _, arg := range args {
		full = append(full, h.here(arg))
	}
	cmd := exec.CommandContext(ctx, full[0], full[1:]...)
	cmd.Env = append(append([]string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}, h.Env...), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// unitEnv are the variables of a unit: Environment, then EnvironmentFile, of
// which one with a leading "-" need not be there.
func (h *Host) unitEnv(u *Unit) ([]string, error) {
	var env []string
	for _, v := range u.Values("Service", "Environment") {
		env = append(env, h.here(v))
	}
	for _, name := range u.Values("Service", "EnvironmentFile") {
		path, optional := strings.CutPrefix(name, "-")
		f, err := os.Open(h.here(path))
		if optional && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", u.Name, err)
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			line := strings.TrimSpace(lines.Text())
			if line != "" && line[0] != '#' && line[0] != ';' {
				env = append(env, h.here(line))
			}
		}
		if err := errors.Join(lines.Err(), f.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", u.Name, err)
		}
	}
	return env, nil
}
