package setup

import (
	"os"
	"runtime/debug"
)

// What a build may hold, in bytes: its buffers, and for each entry the line
// that the snapshot keeps of it, with room for the collector.
const (
	buildMemory = 320 << 20
	entryMemory = 2 << 10
)

// BuildMemory asks the collector to keep a build of so many entries within
// what it needs, rather than to double it. GOMEMLIMIT wins.
func BuildMemory(entries int) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(buildMemory + int64(entries)*entryMemory)
	}
}
