package month

import (
	"slices"
	"testing"
)

func TestLedger(t *testing.T) {
	t.Parallel()
	var one, other Ledger
	one.Note(2, "entry.failing %s", "b")
	one.Note(2, "entry.failing a")
	one.Note(1, "mail z")
	other.Note(1, "mail z")
	other.Note(2, "entry.failing a")
	other.Note(2, "entry.failing b")
	if got := one.String(); got != "day 01 mail z\nday 02 entry.failing a\nday 02 entry.failing b\n" || len(Unlike(&one, &other)) != 0 {
		t.Errorf("got %s, unlike %v", got, Unlike(&one, &other))
	}
	other.Note(3, "entry.failing b")
	one.Note(1, "mail z")
	want := []string{"day 01 mail z: 1 more in the first", "day 03 entry.failing b: 1 more in the second"}
	if got := Unlike(&one, &other); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}
