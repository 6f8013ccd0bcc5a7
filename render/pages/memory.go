package pages

import (
	"maps"
	"sync"
	"sync/atomic"
)

// memory keeps parts of pages that are alike wherever they stand. It is read
// for every page and written a few dozen times, so who reads it does not wait.
type memory struct {
	mu    sync.Mutex
	parts atomic.Pointer[map[part]markup]
}

// part names a part of a page: what it is, and of what. Both come from closed
// lists, so that there are only so many.
type part struct{ what, of string }

func newMemory() *memory {
	m := &memory{}
	m.parts.Store(&map[part]markup{})
	return m
}

func (m *memory) keep(p part, text markup) {
	m.mu.Lock()
	defer m.mu.Unlock()
	parts := maps.Clone(*m.parts.Load())
	parts[p] = text
	m.parts.Store(&parts)
}

// same writes a part that is alike on all pages of a site in a language: once
// by its function, then from memory.
func (w *writer) same(what, of string, write func()) {
	p := part{what, of}
	if text, ok := (*w.memory.parts.Load())[p]; ok {
		w.raw(text)
		return
	}
	from := len(w.b)
	write()
	w.memory.keep(p, markup(w.b[from:]))
}
