package harvest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// stream is a source that goes on: it ends far behind what a run may take, and a
// mark follows every tenth record if it has any.
type stream struct{ marks, reject bool }

const streamEnd = 1000

func (s stream) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	from := 0
	if in.Cursor != "" {
		if _, err := fmt.Sscan(in.Cursor, &from); err != nil {
			return err
		}
	}
	for i := from; i < streamEnd; i++ {
		var err error
		if s.reject {
			err = reject(source.Rejection{Place: fmt.Sprint("record ", i), Code: source.CodeBrokenJSON, Reason: "broken", Remedy: "mend it"})
		} else {
			err = emit(draft(fmt.Sprint("h:k:", i), fmt.Sprint("Tides ", i), fmt.Sprint(tides, "/", i)))
		}
		if err == nil && s.marks && i%10 == 9 {
			err = in.Done(fmt.Sprint(i + 1))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// slow is a source that sends one record and then nothing.
type slow struct{}

func (slow) Run(ctx context.Context, _ source.Input, emit func(source.Draft) error, _ func(source.Rejection) error) error {
	if err := emit(draft("h:k:1", "Tides", tides)); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(20 * time.Second): // what no bound ends
		return nil
	}
}

// TestEndlessSources: what a run may take of a source is bounded; what it read
// stays, and is told.
func TestEndlessSources(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		source source.Connector
		opts   harvest.Options
		says   string
		in     int
	}{
		{"records", stream{}, harvest.Options{MaxRecords: 25}, "lists more than 25 records", 25},
		{"marks", stream{marks: true}, harvest.Options{MaxRecords: 25}, "--max-records", 20},
		{"rejections", stream{reject: true}, harvest.Options{MaxRecords: 25}, "pages repeat or never end", 25},
		{"time", slow{}, harvest.Options{MaxTime: 50 * time.Millisecond}, "not read to its end within 50ms; narrow it by its filters, or raise --max-time", 1},
		{"no bound", stream{}, harvest.Options{MaxRecords: -1, MaxTime: -1}, "", streamEnd},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			r, err := w.try(w.official, c.opts, c.source)
			if c.says == "" {
				if err != nil || r.In != c.in || r.State != catalog.RunComplete {
					t.Fatalf("state %s, %d records, %v", r.State, r.In, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.says) || r.State != catalog.RunPartial || r.In != c.in {
				t.Fatalf("state %s, %d records, %v; want %d and %q", r.State, r.In, err, c.in, c.says)
			}
			stored := w.runs(w.official.ID)[0]
			if len(stored.Errors) != 1 || stored.Errors[0].Code != string(harvest.CodeEndless) || !strings.Contains(stored.Errors[0].Text, "source") {
				t.Errorf("the log says %+v", stored.Errors)
			}
		})
	}
	t.Run("resumed", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		for range 3 {
			r, err := w.try(w.official, harvest.Options{MaxRecords: 25}, stream{marks: true})
			if err == nil || r.In > 25 {
				t.Fatalf("%d records, %v", r.In, err)
			}
		}
		if r, err := w.try(w.official, harvest.Options{}, stream{marks: true}); err != nil || r.In != streamEnd {
			t.Errorf("with room for it: %d records, %v", r.In, err)
		}
	})
}
