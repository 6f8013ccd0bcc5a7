package childtest

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

const role = "ASSAY_TEST_ROLE"

// TestMain is the parent that is killed, or its child.
func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "parent":
		cmd := exec.Command(os.Args[0])
		cmd.Env, cmd.Stdout = append(os.Environ(), role+"=child"), os.Stdout
		if Tie(cmd) != nil || cmd.Start() != nil {
			os.Exit(1)
		}
		select {}
	case "child":
		if os.Getenv(marker) != "" {
			os.Exit(1)
		}
		os.Stdout.WriteString("here\n")
		select {}
	}
	os.Exit(m.Run())
}

// TestAChildEndsWithItsParent that is killed: the output of both, which the child would hold open, ends.
func TestAChildEndsWithItsParent(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), role+"=parent")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := Tie(cmd); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); line != "here\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _, _ = io.Copy(io.Discard, lines); close(ended) }()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("the child goes on without its parent")
	}
	_ = cmd.Wait()
}
