package query

// olderBytes bounds the replaced snapshots in memory, by the size of their
// lines: of a large register they are read again when a reader names one.
const olderBytes = 256 << 20

// hold says how much the snapshots in memory hold, with another one that is
// about to be read, as the bytes of their encoded lines. A snapshot takes about
// three quarters of that in memory.
func (l *Library) hold(more int64) {
	if l.holding == nil {
		return
	}
	if s := l.Current(); s != nil {
		more += s.size
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.older {
		more += s.size
	}
	l.holding(more)
}

// trimmed drops the least recently used snapshots that are too many or too
// large together.
func trimmed(older []*Snapshot) []*Snapshot {
	bytes, from := int64(0), len(older)
	for from > 0 && len(older)-from < olderMax && bytes+older[from-1].size <= olderBytes {
		from--
		bytes += older[from].size
	}
	return append([]*Snapshot(nil), older[from:]...)
}
