package storetest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// Opener opens the store at a path or URL.
type Opener func(ctx context.Context, target string) (catalog.Store, error)

// childEnv carries the order to a child process: target, number of the first
// entry and number of batches.
const childEnv = "ASSAY_STORE_CHILD"

// childBatch is how many entries a child writes in one Update.
const childBatch = 20

// Child does the work of a child process when this is one, and then ends it.
// Call it at the beginning of TestMain.
func Child(open Opener) {
	order := os.Getenv(childEnv)
	if order == "" {
		return
	}
	if err := child(context.Background(), open, order); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func child(ctx context.Context, open Opener, order string) error {
	var first, batches int
	head, target, _ := strings.Cut(order, " at ")
	if _, err := fmt.Sscan(head, &first, &batches); err != nil {
		return fmt.Errorf("order %q: %w", order, err)
	}
	s, err := open(ctx, target)
	if err != nil {
		return err
	}
	for n := first; n < first+batches*childBatch; n += childBatch {
		var writes []catalog.Write
		for i := range childBatch {
			writes = append(writes, newEntry(n+i))
		}
		err := s.Update(ctx, func(tx catalog.Tx) error {
			if _, err := tx.Jobs().Enqueue(ctx, newJob(n)); err != nil {
				return err
			}
			return tx.Entries().Put(ctx, writes...)
		})
		if err != nil {
			return err
		}
		// Only what this line says is acknowledged.
		if _, err := fmt.Println(n); err != nil {
			return err
		}
	}
	return s.Close()
}

// process is a running child.
type process struct {
	cmd    *exec.Cmd
	out    *bufio.Reader
	errors strings.Builder
}

func startChild(t *testing.T, target string, first, batches int) *process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: exec.Command(exe)}
	p.cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d at %s", childEnv, first, batches, target))
	p.cmd.Stderr = &p.errors
	pipe, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReader(pipe)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// acknowledged reads the first entry numbers of the acknowledged batches until
// the child ends. A line that was cut off does not count.
func (p *process) acknowledged(t *testing.T) (batches []int) {
	t.Helper()
	for {
		line, err := p.out.ReadString('\n')
		if err == io.EOF {
			return batches
		}
		if err != nil {
			t.Fatal(err)
		}
		var n int
		if _, err := fmt.Sscan(line, &n); err != nil {
			t.Fatalf("child said %q: %v", line, err)
		}
		batches = append(batches, n)
	}
}
