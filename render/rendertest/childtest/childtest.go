// Package childtest ends the processes that a test starts when the test's own process ends, however
// it does: a test that runs out of time exits without its cleanups, and its children would work on.
// A binary that imports this package and is started through Tie watches its standard input, which the
// system closes with the parent; a signal at the death of the parent (PR_SET_PDEATHSIG) would come with
// the death of one of its threads, and on one system only.
package childtest

import (
	"io"
	"os"
	"os/exec"
)

// marker tells a process that its standard input is the tie to its parent.
const marker = "ASSAY_TEST_TIED"

func init() {
	if os.Getenv(marker) == "" {
		return
	}
	os.Unsetenv(marker) // for what it starts itself
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}()
}

// Tie makes a command, of the test's own binary or of another that imports this package, end with this
// process. It is called before the command is started and once its Env is set, and takes its standard input.
func Tie(cmd *exec.Cmd) error {
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, marker+"=1")
	_, err := cmd.StdinPipe() // closed by Wait, or with this process
	return err
}
