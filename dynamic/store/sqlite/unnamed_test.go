package sqlite

import "testing"

func TestUnnamed(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT 1", "SELECT 1"},
		{"INSERT INTO t VALUES ($1, $2), ($3, $4)", "INSERT INTO t VALUES (?, ?), (?, ?)"},
		{"WHERE a <= $1 AND b <= $1", "WHERE a <= $1 AND b <= $1"},
		{"WHERE a = $2 AND b = $1", "WHERE a = $2 AND b = $1"},
		{"$1 $2 $3 $4 $5 $6 $7 $8 $9 $10 $11", "? ? ? ? ? ? ? ? ? ? ?"},
	} {
		if got := unnamed(c.text); got != c.want {
			t.Errorf("%s becomes %s, want %s", c.text, got, c.want)
		}
	}
}

func TestLasting(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"WHERE a > $1 ORDER BY a LIMIT $2", "WHERE a > ? ORDER BY a LIMIT ? + 0"},
		{"WHERE a > $1 AND b < $1 LIMIT $12 FOR UPDATE", "WHERE a > $1 AND b < $1 LIMIT $12 + 0 FOR UPDATE"},
		{"WHERE a > $1 LIMIT 5", "WHERE a > ? LIMIT 5"},
	} {
		if got := lasting(c.text); got != c.want {
			t.Errorf("%s becomes %s, want %s", c.text, got, c.want)
		}
	}
}
