package pack

import "sync/atomic"

// What a Reader keeps of what it read last: tables and frames up to a size, each in the
// slot that its number or offset leads to. Nobody waits for anybody.
const (
	groupSlots = 512
	// groupKept bounds the tables that are kept, in bytes when they are read.
	groupKept  = 16 << 10
	frameSlots = 128
)

type recent struct {
	groups [groupSlots]atomic.Pointer[keptGroup]
	frames [frameSlots]atomic.Pointer[keptFrame]
}

type keptGroup struct {
	number int
	group  *Group
	start  int64
}

type keptFrame struct {
	at  int64
	raw []byte
}

func (r *recent) group(number int) (*Group, int64) {
	if k := r.groups[uint(number)%groupSlots].Load(); k != nil && k.number == number {
		return k.group, k.start
	}
	return nil, 0
}

func (r *recent) keepGroup(number int, g *Group, start int64) {
	if g.weight <= groupKept {
		r.groups[uint(number)%groupSlots].Store(&keptGroup{number, g, start})
	}
}

// slotOf spreads offsets, of which neighbours are a few kB apart.
func slotOf(at int64) uint64 { return uint64(at) * 0x9E3779B97F4A7C15 >> 32 % frameSlots }

func (r *recent) frame(at int64) []byte {
	if k := r.frames[slotOf(at)].Load(); k != nil && k.at == at {
		return k.raw
	}
	return nil
}

func (r *recent) keepFrame(at int64, raw []byte) {
	if len(raw) <= sharedMax {
		r.frames[slotOf(at)].Store(&keptFrame{at, raw})
	}
}
