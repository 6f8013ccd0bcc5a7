package build

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func count(n int) func(func(int) error) error {
	return func(emit func(int) error) error {
		for i := range n {
			if err := emit(i); err != nil {
				return err
			}
		}
		return nil
	}
}

func square(n int) (int, error) { return n * n, nil }

func TestPipelineKeepsOrder(t *testing.T) {
	for _, workers := range []int{-1, 0, 1, 2, 7} {
		var got []int
		err := pipeline(t.Context(), workers, count(300), func(n int) (int, error) {
			if n%17 == 0 {
				time.Sleep(time.Duration(rand.IntN(300)) * time.Microsecond)
			}
			return square(n)
		}, func(n int) error { got = append(got, n); return nil })
		if err != nil || len(got) != 300 || !slices.IsSorted(got) || got[299] != 299*299 {
			t.Errorf("%d workers: %d results, %v", workers, len(got), err)
		}
	}
	if err := pipeline(t.Context(), 2, count(0), square, func(int) error { return nil }); err != nil {
		t.Errorf("without input: %v", err)
	}
}

func TestPipelineStops(t *testing.T) {
	boom := errors.New("boom")
	fail := func(at int) func(int) (int, error) {
		return func(n int) (int, error) {
			if n == at {
				return 0, boom
			}
			return n, nil
		}
	}
	for _, c := range []struct {
		name   string
		source func(func(int) error) error
		work   func(int) (int, error)
		sinkAt int
		most   int
	}{
		{"source", func(emit func(int) error) error { return errors.Join(count(5)(emit), boom) }, square, -1, 5},
		{"work", count(100_000), fail(40), -1, 40},
		{"sink", count(100_000), square, 40, 41},
	} {
		sunk := 0
		err := pipeline(t.Context(), 3, c.source, c.work, func(int) error {
			if sunk++; sunk-1 == c.sinkAt {
				return boom
			}
			return nil
		})
		if !errors.Is(err, boom) || sunk > c.most {
			t.Errorf("%s: error %v after %d results", c.name, err, sunk)
		}
	}
}

func TestPipelineIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var made atomic.Int64
	err := pipeline(ctx, 3, func(emit func(int) error) error {
		for i := 0; ; i++ {
			made.Add(1)
			if err := emit(i); err != nil {
				return err
			}
		}
	}, square, func(n int) error {
		if n > 1000 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	cancel()
	if n := made.Load(); n > 1000 {
		t.Errorf("%d inputs were made after the end", n)
	}
}

// TestPipelineIsBounded holds the sink back: the source must not run ahead by
// more than a few inputs for each worker.
func TestPipelineIsBounded(t *testing.T) {
	const workers = 3
	var made, done, ahead atomic.Int64
	err := pipeline(t.Context(), workers, func(emit func(int) error) error {
		for i := range 400 {
			if n := made.Add(1) - done.Load(); n > ahead.Load() {
				ahead.Store(n)
			}
			if err := emit(i); err != nil {
				return err
			}
		}
		return nil
	}, square, func(int) error {
		time.Sleep(50 * time.Microsecond)
		done.Add(1)
		return nil
	})
	if n := ahead.Load(); err != nil || n > 4*workers {
		t.Errorf("%d inputs under way, %v", n, err)
	}
}
