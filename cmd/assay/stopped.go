package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// stopped is the cause of a context that a signal ended.
type stopped struct{ signal syscall.Signal }

func (s stopped) Error() string { return "stopped by " + s.signal.String() }

// untilSignal ends the context at the first SIGINT or SIGTERM; another one ends
// the process at once.
func untilSignal(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case s := <-signals:
			signal.Reset(os.Interrupt, syscall.SIGTERM)
			cancel(stopped{s.(syscall.Signal)})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

// keptKey annotates a command with what a stop leaves and how to go on.
const keptKey = "assay_kept"

func kept(line string) map[string]string { return map[string]string{keptKey: line} }

// stoppedCode ends a command that got a signal: with one line that says what was
// kept, and 128 and the number of the signal, as shells count (POSIX.1-2024,
// 2.8.2). SIGTERM is how services are ended as a rule: one that came to its end
// all the same has done what it had to do.
func stoppedCode(ctx context.Context, cmd *cobra.Command, err error, stderr io.Writer) int {
	var s stopped
	errors.As(context.Cause(ctx), &s)
	if s.signal == syscall.SIGTERM && err == nil {
		return 0
	}
	line := s.Error()
	if what := cmd.Annotations[keptKey]; what != "" {
		line += ": " + what
	}
	fmt.Fprintln(stderr, "assay:", line)
	return 128 + int(s.signal)
}
