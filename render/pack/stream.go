package pack

import (
	"hash"
	"runtime"
)

// streamed cuts a document into frames, of which several are compressed at the same time.
type streamed struct {
	w    *Writer
	g    *Group
	kind Kind
	buf  []byte
	size int64
	sum  hash.Hash
	// max is the size of a frame.
	max int
	// waiting are the frames that are not written yet, in their order; spare are buffers of
	// those that are.
	waiting []chan compressed
	spare   [][]byte
}

// compressed is a frame with its bytes, and what it was made of.
type compressed struct {
	frame
	data, raw []byte
}

// Write implements io.Writer.
func (s *streamed) Write(p []byte) (int, error) {
	s.sum.Write(p)
	s.size += int64(len(p))
	for rest := p; len(rest) > 0; {
		n := min(len(rest), s.max-len(s.buf))
		s.buf, rest = append(s.buf, rest[:n]...), rest[n:]
		if len(s.buf) == s.max {
			s.cut()
		}
	}
	return len(p), s.w.err
}

// cut has what was written since the last cut compressed.
func (s *streamed) cut() {
	if len(s.buf) == 0 {
		return
	}
	if len(s.waiting) == runtime.GOMAXPROCS(0) {
		s.next()
	}
	raw, done := s.buf, make(chan compressed, 1)
	go func() {
		f, data := s.w.compressor.frame(s.kind, raw, nil)
		done <- compressed{f, data, raw}
	}()
	s.waiting, s.buf = append(s.waiting, done), nil
	if last := len(s.spare) - 1; last >= 0 {
		s.buf, s.spare = s.spare[last][:0], s.spare[:last]
	}
}

// next writes the first of the frames that wait.
func (s *streamed) next() {
	f := <-s.waiting[0]
	s.waiting = s.waiting[1:]
	s.g.frames = append(s.g.frames, f.frame)
	s.w.put(f.data)
	s.spare = append(s.spare, f.raw)
}

// flush writes all that was written to s.
func (s *streamed) flush() {
	s.cut()
	for len(s.waiting) > 0 {
		s.next()
	}
}
