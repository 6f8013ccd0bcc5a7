// Package progress shows on a terminal how far a command is. On anything else
// it prints nothing.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

const (
	width    = 30
	interval = 100 * time.Millisecond
)

// Bar is one line that is redrawn in place.
type Bar struct {
	mu    sync.Mutex
	out   io.Writer
	tty   bool
	drawn time.Time
	open  bool
}

// New makes a bar on a file; it stays silent unless the file is a terminal.
func New(f *os.File) *Bar {
	info, err := f.Stat()
	return &Bar{out: f, tty: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

// Set shows how much of a stage is done. A total of 0 shows a count only.
func (b *Bar) Set(stage string, done, total int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if !b.tty || done < total && now.Sub(b.drawn) < interval {
		return
	}
	b.drawn, b.open = now, true
	if total <= 0 {
		fmt.Fprintf(b.out, "\r\x1b[K%-10s %d", stage, done)
		return
	}
	fmt.Fprintf(b.out, "\r\x1b[K%-10s %s %d/%d", stage, gauge(float64(done)/float64(total)), done, total)
}

// Share shows a stage with the share of it that is done, from 0 to 1; a negative
// one shows the stage alone.
func (b *Bar) Share(stage string, share float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if !b.tty || share < 1 && now.Sub(b.drawn) < interval {
		return
	}
	b.drawn, b.open = now, true
	line := stage
	if share >= 0 {
		line += " " + gauge(share)
	}
	fmt.Fprintf(b.out, "\r\x1b[K%s", line)
}

func gauge(share float64) string {
	full := min(width, int(share*width))
	return fmt.Sprintf("[%s%s] %3d %%", strings.Repeat("=", full), strings.Repeat(" ", width-full), int(share*100))
}

// Done ends the line.
func (b *Bar) Done() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open {
		fmt.Fprintln(b.out)
		b.open = false
	}
}
