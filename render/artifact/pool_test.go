package artifact

import "testing"

func TestRoomHoldsWhatWasAskedFor(t *testing.T) {
	for _, n := range []int{0, 1, 4 << 10, 4<<10 + 1, 100_000, 1 << 20} {
		b := Buffer(n)
		if len(b) != 0 || cap(b) < n {
			t.Errorf("Buffer(%d) has %d bytes and room for %d", n, len(b), cap(b))
		}
		f := File{Body: append(b, "text"...), Pooled: true}
		f.Free()
		if f.Body != nil || f.Pooled {
			t.Errorf("a freed file of %d bytes still has a body", n)
		}
		if again := Buffer(n); len(again) != 0 || cap(again) < n {
			t.Errorf("after it was given back, Buffer(%d) has %d bytes and room for %d", n, len(again), cap(again))
		}
	}
}

func TestOnlyPooledBodiesAreGivenBack(t *testing.T) {
	shared := []byte("a text of the program")
	f, p := File{Body: shared}, Fragment{Body: shared}
	f.Free()
	p.Free()
	if f.Body == nil || p.Body == nil {
		t.Error("a body that was not lent is gone")
	}
}
