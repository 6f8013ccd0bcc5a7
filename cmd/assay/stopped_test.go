package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build/publish/s3test"
	"github.com/assay-register/assay/cmd/internal/binary"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/render/rendertest/childtest"
)

// childKey is the variable that makes this test's program the register.
const childKey = "ASSAY_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childKey) != "" {
		os.Args[0] = "assay"
		main()
	}
	if err := storeKeys(); err != nil {
		panic(err)
	}
	pgtest.Main(m, removeSamples, binary.Remove)
}

// storeKeys puts the keys of the object store of the tests into the environment, which is
// that of all tests: one that changed it could not run beside others.
func storeKeys() error {
	return errors.Join(os.Setenv("AWS_ACCESS_KEY_ID", s3test.AccessKey), os.Setenv("AWS_SECRET_ACCESS_KEY", s3test.SecretKey), os.Setenv("AWS_REGION", s3test.Region))
}

// child is the register as a process of its own, in a folder, that ends with this one.
func child(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := untied(t, dir, args...)
	if err := childtest.Tie(cmd); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// untied is the register as a process of its own whose standard input is free.
func untied(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), childKey+"=1")
	return cmd
}

// TestStoppedCommands: a command that a signal ends says what was kept, and its
// exit code names the signal.
func TestStoppedCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := "sqlite:" + filepath.Join(dir, "assay.db")
	must(t, "build", "--db", db, "--site", filepath.Join(dir, "site"))
	for _, args := range [][]string{
		{"harvest"}, {"verify"}, {"build", "--site", filepath.Join(dir, "other")}, {"export"}, {"import", os.DevNull}, {"sources"},
		{"check", filepath.Join(dir, "site")}, {"publish", "--site", filepath.Join(dir, "site"), "--to", "file://" + filepath.Join(dir, "public")},
		{"admin", "token", "list"}, {"demo", "--build-only", "--site", filepath.Join(dir, "demo")},
	} {
		for signal, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(stopped{signal})
			got, said := runIn(t, ctx, append(args, "--db", db)...)
			if got != code || strings.Count(said, "assay: stopped by "+signal.String()+": ") != 1 {
				t.Errorf("%v after %v: exit code %d\n%s", args, signal, got, said)
			}
		}
	}
}

// TestStoppedExport: a stopped export leaves the file of the last one, and
// nothing else.
func TestStoppedExport(t *testing.T) {
	t.Parallel()
	dir, db := t.TempDir(), sampleStore(t)
	file := filepath.Join(dir, "catalog.ndjson")
	must(t, "export", "--db", db, "--file", file)
	whole, err := os.ReadFile(file)
	if err != nil || len(whole) < 1<<16 {
		t.Fatalf("%d bytes, %v", len(whole), err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	err = writePrivate(file, func(w io.Writer) error {
		_, err := w.Write(make([]byte, 1<<20))
		cancel(stopped{syscall.SIGINT})
		return errors.Join(err, ctx.Err())
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	got, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, whole) {
		t.Errorf("a stopped export leaves %d bytes of %d, %v", len(got), len(whole), err)
	}
	if code, said := runIn(t, ctx, "export", "--db", db, "--file", filepath.Join(dir, "other.ndjson")); code != 130 || !strings.Contains(said, "as it was") {
		t.Errorf("exit code %d, %s", code, said)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
	link := filepath.Join(t.TempDir(), "link.ndjson")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	must(t, "export", "--db", db, "--file", link)
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info.Mode(), err)
	}
	must(t, "export", "--db", db, "--file", os.DevNull)
}

// runIn runs the program within a context.
func runIn(t *testing.T, ctx context.Context, args ...string) (code int, stderr string) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	code = run(ctx, args, strings.NewReader(""), new(strings.Builder), f)
	text, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return code, string(text)
}

// TestSignals sends real signals to processes: a harvest that waits for a
// portal, and a service.
func TestSignals(t *testing.T) {
	t.Parallel()
	asked, release := make(chan struct{}, 10), make(chan struct{})
	portal := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(portal.Close)
	t.Cleanup(func() { close(release) })
	dir := t.TempDir()
	must(t, "build", "--db", "sqlite:"+filepath.Join(dir, "a.db"), "--site", filepath.Join(dir, "out"))
	for _, c := range []struct {
		args   []string
		ready  string
		signal syscall.Signal
		code   int
		said   string
	}{
		{[]string{"harvest", "--kind", "ckan", "--file", portal.URL, "--allow-private"}, "", syscall.SIGINT, 130, "goes on where"},
		{[]string{"harvest", "--kind", "ckan", "--file", portal.URL, "--allow-private"}, "", syscall.SIGTERM, 143, "goes on where"},
		{[]string{"serve", "--addr", "127.0.0.1:0", "--worker=false"}, "serving", syscall.SIGINT, 130, "queued work goes on"},
		{[]string{"serve", "--addr", "127.0.0.1:0", "--worker=false"}, "serving", syscall.SIGTERM, 0, ""},
	} {
		cmd := child(t, dir, append(c.args, "--db", "sqlite:a.db")...)
		pipe, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(pipe)
		said := ""
		for c.ready != "" && !strings.Contains(said, c.ready) && lines.Scan() {
			said += lines.Text() + "\n"
		}
		if c.ready == "" {
			<-asked
		}
		if err := cmd.Process.Signal(c.signal); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			said += lines.Text() + "\n"
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(said, c.said) {
			t.Errorf("%v after %v: exit code %d\n%s", c.args, c.signal, code, said)
		}
	}
}

// TestSecondSignal: who does not want to wait for the end says so once more. The signal is the one of the two that no
// shell takes from what it starts in the background.
func TestSecondSignal(t *testing.T) {
	t.Parallel()
	if os.Getenv("ASSAY_TEST_STUBBORN") != "" {
		ctx, stop := untilSignal(t.Context())
		defer stop()
		os.Stdout.WriteString("ready\n")
		<-ctx.Done()
		os.Stdout.WriteString("told\n")
		select {} // will not end by itself
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestSecondSignal$")
	cmd.Env = append(os.Environ(), "ASSAY_TEST_STUBBORN=1")
	if err := childtest.Tie(cmd); err != nil {
		t.Fatal(err)
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
	}
	_ = cmd.Wait()
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || ws.Signal() != syscall.SIGTERM {
		t.Errorf("the second signal: %v", cmd.ProcessState)
	}
}

// runnable lists the commands that do something.
func runnable(t *testing.T) []*cobra.Command {
	t.Helper()
	var list []*cobra.Command
	for _, cmd := range every(newRoot(os.Stderr)) {
		if !cmd.HasSubCommands() || cmd.Name() == "sources" {
			list = append(list, cmd)
		}
	}
	if len(list) < 15 {
		t.Fatalf("only %d commands", len(list))
	}
	return list
}
