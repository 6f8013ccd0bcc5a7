//go:build unix

package deploytest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Manager carries out systemctl for the units of a folder: it starts what a unit
// says, as the user and in the folder that it names. Timers are read, and wait.
type Manager struct {
	// Units is the folder with the unit files.
	Units string
	Host  *Host

	mu      sync.Mutex
	running map[string]*process
}

type process struct {
	cmd   *exec.Cmd
	ended chan error
	said  *bytes.Buffer
}

// Do is systemctl with its arguments.
func (m *Manager) Do(ctx context.Context, args ...string) error {
	if len(args) == 0 {
		return errors.New("no command")
	}
	verb, now := args[0], false
	for _, name := range args[1:] {
		if name == "--now" {
			now = true
			continue
		}
		if !strings.Contains(name, ".") {
			name += ".service"
		}
		u, err := ReadUnit(filepath.Join(m.Units, name))
		if err == nil {
			err = m.turn(ctx, verb, now, u)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *Manager) turn(ctx context.Context, verb string, now bool, u *Unit) error {
	switch {
	case verb == "enable":
		if u.Value("Install", "WantedBy") == "" {
			return fmt.Errorf("%s: no WantedBy, so nothing to enable", u.Name)
		}
		if !now {
			return nil
		}
		return m.start(ctx, u)
	case verb == "start":
		return m.start(ctx, u)
	case verb == "stop":
		return m.stop(u.Name)
	case verb == "restart":
		return errors.Join(m.stop(u.Name), m.start(ctx, u))
	}
	return fmt.Errorf("systemctl %s is not known here", verb)
}

func (m *Manager) start(ctx context.Context, u *Unit) error {
	if strings.HasSuffix(u.Name, ".timer") {
		if u.Value("Timer", "OnCalendar") == "" {
			return fmt.Errorf("%s: no OnCalendar", u.Name)
		}
		return nil
	}
	if u.Value("Service", "Type") == "oneshot" {
		_, err := m.Host.RunUnit(ctx, u)
		return err
	}
	lines, err := u.Lines("ExecStart")
	if err != nil || len(lines) != 1 {
		return errors.Join(fmt.Errorf("%s: %d lines of ExecStart", u.Name, len(lines)), err)
	}
	cmd, err := m.Host.Unit(context.Background(), u, lines[0])
	if err != nil {
		return err
	}
	p := &process{cmd: cmd, ended: make(chan error, 1), said: new(bytes.Buffer)}
	cmd.Stdout, cmd.Stderr = p.said, p.said
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { p.ended <- cmd.Wait() }()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running == nil {
		m.running = map[string]*process{}
	}
	m.running[u.Name] = p
	return nil
}

// stopTime is how long a unit may take to end (TimeoutStopSec of those shipped).
const stopTime = 30 * time.Second

func (m *Manager) stop(name string) error {
	m.mu.Lock()
	p := m.running[name]
	delete(m.running, name)
	m.mu.Unlock()
	if p == nil {
		return nil
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case err := <-p.ended:
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", name, err, p.said)
		}
		return nil
	case <-time.After(stopTime):
		return errors.Join(fmt.Errorf("%s does not stop", name), p.cmd.Process.Kill())
	}
}

// Close stops all that runs.
func (m *Manager) Close() error {
	m.mu.Lock()
	var names []string
	for name := range m.running {
		names = append(names, name)
	}
	m.mu.Unlock()
	var errs []error
	for _, name := range names {
		errs = append(errs, m.stop(name))
	}
	return errors.Join(errs...)
}
