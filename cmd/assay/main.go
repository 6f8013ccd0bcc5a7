// Command assay is the register: it harvests official sources, builds the
// static site from them, checks it and serves it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

func main() {
	ctx, stop := untilSignal(context.Background())
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// errFailed ends a command with exit code 1 whose report has been printed.
var errFailed = errors.New("failed")

// errBusy ends a command with exit code 75, that of a failure which passes by
// itself (EX_TEMPFAIL of sysexits.h): another process is at the same work, which
// has been said.
var errBusy = errors.New("another process is at work")

const codeBusy = 75

// run is the program without its process: it returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer, stderr *os.File) int {
	root := newRoot(stderr)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	signalled := errors.As(context.Cause(ctx), &stopped{})
	if err != nil && !errors.Is(err, errFailed) && !errors.Is(err, errBusy) && !(signalled && errors.Is(err, context.Canceled)) {
		fmt.Fprintln(legible{stderr}, "assay:", remedy(cmd, err))
	}
	switch {
	case signalled:
		return stoppedCode(ctx, cmd, err, stderr)
	case errors.Is(err, errBusy):
		return codeBusy
	case err != nil && cmd.Name() == "lint" && !errors.Is(err, errFailed):
		return codeUnreadable
	case err != nil:
		return 1
	}
	return 0
}
