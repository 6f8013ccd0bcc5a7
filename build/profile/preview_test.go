package profile

import (
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

func TestPreview(t *testing.T) {
	p := profiled(t, "x.csv", []byte("region,value\nNorth,1\nSouth,2\n"))
	for _, c := range []struct {
		edit  func(*catalog.Profile)
		right catalog.Right
		want  bool
	}{
		{func(*catalog.Profile) {}, catalog.RightUnknown, true},
		{func(*catalog.Profile) {}, catalog.RightNo, false},
		{func(p *catalog.Profile) { p.SampleRecords = nil }, catalog.RightYes, false},
		{func(p *catalog.Profile) { p.PersonalData.Allowed = false }, catalog.RightYes, false},
		{func(p *catalog.Profile) { p.Status = StatusError }, catalog.RightYes, false},
	} {
		q := p
		c.edit(&q)
		if got, reason := q.Preview(c.right); got != c.want || got == (reason != "") {
			t.Errorf("%v %q, want %v", got, reason, c.want)
		}
	}
	if ok, _ := (*catalog.Profile)(nil).Preview(catalog.RightYes); ok {
		t.Error("nothing can be shown")
	}
}
