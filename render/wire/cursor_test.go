package wire

import (
	"strings"
	"testing"
)

func TestCursor(t *testing.T) {
	for _, n := range []int64{0, 1, 127, 128, 1 << 20, 1 << 53} {
		got, err := ParseCursor(Cursor(n))
		if err != nil || got != n {
			t.Errorf("%d comes back as %d, %v", n, got, err)
		}
	}
	good := Cursor(300)
	for _, bad := range []string{"", "x", good[1:], good[:len(good)-1], good + "A", strings.ToLower(good) + "=", "AAAAAAAA", "////////////"} {
		if n, err := ParseCursor(bad); err == nil {
			t.Errorf("%q is taken for %d", bad, n)
		}
	}
}

func FuzzParseCursor(f *testing.F) {
	f.Add(Cursor(0))
	f.Add(Cursor(1 << 40))
	f.Add("AQBbYWJj")
	f.Fuzz(func(t *testing.T, s string) {
		n, err := ParseCursor(s)
		if err == nil && Cursor(n) != s {
			t.Errorf("%q is another way to write %q", s, Cursor(n))
		}
	})
}
