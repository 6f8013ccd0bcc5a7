package build

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// pipeline runs work on the inputs of source with several workers and hands
// the results to sink one at a time, in the order of the inputs. At most a few
// inputs per worker are under way, so memory stays bounded.
func pipeline[In, Out any](ctx context.Context, workers int, source func(emit func(In) error) error, work func(In) (Out, error), sink func(Out) error) error {
	type task struct {
		in   In
		out  Out
		done chan struct{}
	}
	workers = max(1, workers)
	g, ctx := errgroup.WithContext(ctx)
	todo := make(chan *task, workers)
	ordered := make(chan *task, 2*workers)
	g.Go(func() error {
		defer close(todo)
		defer close(ordered)
		return source(func(in In) error {
			t := &task{in: in, done: make(chan struct{})}
			for _, ch := range []chan *task{ordered, todo} {
				select {
				case ch <- t:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	})
	for range workers {
		g.Go(func() error {
			for t := range todo {
				out, err := work(t.in)
				if err != nil {
					return err
				}
				t.out = out
				close(t.done)
			}
			return nil
		})
	}
	g.Go(func() error {
		for t := range ordered {
			select {
			case <-t.done:
			case <-ctx.Done():
				return ctx.Err()
			}
			if err := sink(t.out); err != nil {
				return err
			}
		}
		return nil
	})
	return g.Wait()
}
