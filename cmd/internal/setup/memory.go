package setup

import (
	"os"
	"runtime/debug"
	"sync"
)

// What a build may hold, in bytes: its buffers, and for each entry the line
// that the snapshot keeps of it, with room for the collector.
const (
	buildMemory = 416 << 20
	entryMemory = 2 << 10
)

// serveMemory is what the service may hold besides its snapshots, in bytes:
// documents of the snapshot file, the answers under way, the runtime.
const serveMemory = 320 << 20

// needs are those of the build and of the service of this process.
var needs struct {
	sync.Mutex
	build, serve int64
}

// BuildMemory asks the collector to keep a build of so many entries within
// what it needs, rather than to double it. GOMEMLIMIT wins.
func BuildMemory(entries int) {
	needs.Lock()
	defer needs.Unlock()
	needs.build = buildMemory + int64(entries)*entryMemory
	limit()
}

// ServeMemory asks the same for a service whose snapshots have so many bytes of
// encoded lines.
func ServeMemory(lines int64) {
	needs.Lock()
	defer needs.Unlock()
	needs.serve = serveMemory + lines/4*3 // equal parts of lines are held once
	limit()
}

func limit() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(needs.build + needs.serve)
	}
}

// BuildOnly lets the collector of a process that does nothing but build run less
// often until the first pass sets a limit by BuildMemory, which saves a tenth of
// the processor time. GOGC wins.
func BuildOnly() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(buildGC)
	}
}

// buildGC is how much garbage, in per cent of what is in use, a build may make
// before it is collected.
const buildGC = 400
