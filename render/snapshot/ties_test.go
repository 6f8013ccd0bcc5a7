package snapshot

import (
	"fmt"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// What either side states is a tie of both, once, though both may state it.
func TestServiceTies(t *testing.T) {
	d := NewDraft(NewFrame(Site{}, time.Unix(0, 0), nil, nil, nil))
	for _, l := range []Line{
		{Traits: &Traits{}, ID: "0", Serves: []string{"1", "gone"}},
		{Traits: &Traits{}, ID: "1", ServedBy: []string{"0"}},
		{Traits: &Traits{}, ID: "2", ServedBy: []string{"0", "3"}},
		{Traits: &Traits{}, ID: "3"},
	} {
		l.Status = catalog.StatusActive
		if err := d.Add(l, nil); err != nil {
			t.Fatal(err)
		}
	}
	c := d.Finish(nil)
	for ordinal, want := range []string{
		"[{serves 1} {serves 2}]", "[{served_by 0}]", "[{served_by 0} {served_by 3}]", "[{serves 2}]",
	} {
		if got := fmt.Sprint(c.Relations(ordinal)); got != want {
			t.Errorf("ties of %d: %s, want %s", ordinal, got, want)
		}
	}
}
