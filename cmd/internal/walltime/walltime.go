// Package walltime is the clock of the program. It is that of the machine, unless
// a file moves it: then a register can rehearse a month in minutes, and a clock
// that jumps, with the very commands that are deployed.
package walltime

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// look is how long an offset is believed before the file is read again.
const look = 10 * time.Millisecond

// Clock is a clock that is moved, by a file if it has a path. The zero value is the
// machine's.
type Clock struct {
	path   string
	offset atomic.Int64
	mu     sync.Mutex
	looked time.Time
}

// process is the clock of this process.
var process atomic.Pointer[Clock]

// Follow moves the clock of the process by what the file says, from now on; ""
// is the clock of the machine. The error is that of Open.
func Follow(path string) error {
	if path == "" {
		process.Store(nil)
		return nil
	}
	c, err := Open(path)
	if err != nil {
		return err
	}
	process.Store(c)
	return nil
}

// Begin sets the clock of the process to an instant, from which it goes on, and
// gives what puts the clock of before back.
func Begin(at time.Time) (end func()) {
	c := new(Clock)
	c.offset.Store(int64(time.Until(at)))
	before := process.Swap(c)
	return func() { process.Store(before) }
}

// Now is the time of the process's clock.
func Now() time.Time {
	if c := process.Load(); c != nil {
		return c.Now()
	}
	return time.Now()
}

// Open makes a clock that a file moves. The file holds a duration of Go, such as
// 36h or -15m30s, which is added to the machine's time; it may be replaced at any
// moment. The error says what else it holds.
func Open(path string) (*Clock, error) {
	c := &Clock{path: path}
	d, err := c.read()
	if err != nil {
		return nil, err
	}
	c.offset.Store(int64(d))
	return c, nil
}

// Now is the machine's time, moved. A file that cannot be read moves it as it last
// did.
func (c *Clock) Now() time.Time {
	now := time.Now()
	c.mu.Lock()
	if c.path != "" && now.Sub(c.looked) >= look {
		c.looked = now
		if d, err := c.read(); err == nil {
			c.offset.Store(int64(d))
		}
	}
	c.mu.Unlock()
	return now.Add(time.Duration(c.offset.Load()))
}

func (c *Clock) read() (time.Duration, error) {
	text, err := os.ReadFile(c.path)
	if err != nil {
		return 0, fmt.Errorf("clock: %w", err)
	}
	d, err := time.ParseDuration(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, fmt.Errorf("clock %s: %q is no duration such as 36h or -15m", c.path, strings.TrimSpace(string(text)))
	}
	return d, nil
}
