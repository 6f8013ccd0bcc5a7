package spool

import (
	"container/heap"
	"errors"
	"iter"
	"slices"
)

// heldMax is how many values a Sorted holds before it writes them to a list: of the
// objects of a site, some 50 MB.
const heldMax = 1 << 17

// Sorted gives values back in order. Those that are equal stay in the order in which
// they came.
type Sorted[T any] struct {
	compare func(a, b *T) int
	held    []T
	runs    []*List[T]
	count   int
	// limit is heldMax, but for tests.
	limit int
}

// NewSorted makes an empty one.
func NewSorted[T any](compare func(a, b *T) int) *Sorted[T] {
	return &Sorted[T]{compare: compare, limit: heldMax}
}

// Add takes a value.
func (s *Sorted[T]) Add(v T) error {
	s.held = append(s.held, v)
	s.count++
	if len(s.held) < s.limit {
		return nil
	}
	run, err := New[T]()
	if err != nil {
		return err
	}
	s.runs = append(s.runs, run)
	s.sort()
	for i := range s.held {
		if err := run.Add(&s.held[i]); err != nil {
			return err
		}
	}
	clear(s.held)
	s.held = s.held[:0]
	_, err = run.Stored()
	return err
}

// Len is the number of values.
func (s *Sorted[T]) Len() int { return s.count }

func (s *Sorted[T]) sort() {
	slices.SortStableFunc(s.held, func(a, b T) int { return s.compare(&a, &b) })
}

// All yields the values in order, when all are added.
func (s *Sorted[T]) All() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		s.sort()
		m := &merge[T]{compare: s.compare}
		defer m.stop()
		for i, run := range s.runs {
			m.open(i, run.All())
		}
		m.open(len(s.runs), values(s.held))
		heap.Init(m)
		for len(m.heads) > 0 && m.err == nil {
			if !yield(m.heads[0].value, nil) {
				return
			}
			m.advance()
		}
		if m.err != nil {
			var none T
			yield(none, m.err)
		}
	}
}

func values[T any](list []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for i := range list {
			if !yield(list[i], nil) {
				return
			}
		}
	}
}

// Close gives the files up.
func (s *Sorted[T]) Close() error {
	var err error
	for _, run := range s.runs {
		err = errors.Join(err, run.Close())
	}
	return err
}

// merge goes through sorted lists at the same time.
type merge[T any] struct {
	compare func(a, b *T) int
	heads   []*head[T]
	err     error
}

// head is the next value of a list. Of equal ones that of the earlier list is first.
type head[T any] struct {
	value T
	list  int
	next  func() (T, error, bool)
	stop  func()
}

func (m *merge[T]) open(list int, in iter.Seq2[T, error]) {
	next, stop := iter.Pull2(in)
	h := &head[T]{list: list, next: next, stop: stop}
	if m.pull(h) {
		m.heads = append(m.heads, h)
	}
}

// pull reads the next value of a list; false at its end.
func (m *merge[T]) pull(h *head[T]) bool {
	v, err, more := h.next()
	if err != nil {
		m.err = err
	}
	if !more || err != nil {
		h.stop()
		return false
	}
	h.value = v
	return true
}

func (m *merge[T]) advance() {
	if m.pull(m.heads[0]) {
		heap.Fix(m, 0)
	} else {
		heap.Pop(m)
	}
}

func (m *merge[T]) stop() {
	for _, h := range m.heads {
		h.stop()
	}
}

// Len implements heap.Interface, as the methods below do.
func (m *merge[T]) Len() int { return len(m.heads) }
func (m *merge[T]) Less(i, j int) bool {
	a, b := m.heads[i], m.heads[j]
	if c := m.compare(&a.value, &b.value); c != 0 {
		return c < 0
	}
	return a.list < b.list
}
func (m *merge[T]) Swap(i, j int) { m.heads[i], m.heads[j] = m.heads[j], m.heads[i] }
func (m *merge[T]) Push(x any)    { m.heads = append(m.heads, x.(*head[T])) }
func (m *merge[T]) Pop() any {
	last := m.heads[len(m.heads)-1]
	m.heads = m.heads[:len(m.heads)-1]
	return last
}
