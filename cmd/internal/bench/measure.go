//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// usage is what one process took.
type usage struct {
	// Wall and CPU (user and system) are in seconds.
	Wall float64 `json:"wall"`
	CPU  float64 `json:"cpu"`
	// PeakMiB is the largest resident set.
	PeakMiB float64 `json:"peak_mib"`
	// Load is the machine's load average of the last minute before the run.
	Load float64 `json:"load"`
}

// child runs a verb of this program as a process of its own.
//
// This process stays small: on Linux a child's peak memory begins at that of
// its parent.
func child(ctx context.Context, stdout *os.File, args ...string) (usage, error) {
	self, err := os.Executable()
	if err != nil {
		return usage{}, err
	}
	u := usage{Load: load()}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Stdout, cmd.Stderr = stdout, os.Stderr
	// Ctrl-C goes to the whole group; the child ends by its own signal.
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return u, fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	u.Wall = time.Since(began).Seconds()
	u.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return u, errors.New("this system does not tell the peak memory of a process")
	}
	u.PeakMiB = float64(usage.Maxrss) / 1024 // Linux counts in KiB
	return u, nil
}

func load() float64 {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(b), " ")
	n, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	return n
}

// median is that of the runs, value by value; the peak is the largest one.
func median(runs []usage) usage {
	of := func(get func(usage) float64) float64 {
		values := make([]float64, len(runs))
		for i := range runs {
			values[i] = get(runs[i])
		}
		slices.Sort(values)
		if n := len(values); n%2 == 0 {
			return (values[n/2-1] + values[n/2]) / 2
		}
		return values[len(values)/2]
	}
	m := usage{Wall: of(func(u usage) float64 { return u.Wall }), CPU: of(func(u usage) float64 { return u.CPU }),
		Load: of(func(u usage) float64 { return u.Load })}
	for _, u := range runs {
		m.PeakMiB = max(m.PeakMiB, u.PeakMiB)
	}
	return m
}
