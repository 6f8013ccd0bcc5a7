package catalog

import "testing"

func TestBox(t *testing.T) {
	for text, want := range map[string]bool{"-91,41,-90,42": true, "170, -10, -170, 10": true, "1,2,3": false, "a,b,c,d": false, "0,50,1,40": false, "0,0,1,91": false, "0,0,1e999,1": false,
		"-181,0,0,1": false, "Ghent": false, "": false, "NaN,0,1,1": false} {
		if _, ok := ParseBox(text); ok != want {
			t.Errorf("%q is a box: %v", text, ok)
		}
	}
	pacific, fiji, ghent := Box{160, -30, -160, 0}, Box{177, -19, 180, -16}, Box{3.6, 51, 3.8, 51.1}
	for _, c := range []struct {
		a, b Box
		want bool
	}{{pacific, fiji, true}, {pacific, ghent, false}, {Box{-180, -90, 180, 90}, pacific, true}, {ghent, Box{3.8, 51.1, 4, 52}, true}, {pacific, Box{-170, -5, -165, 5}, true}} {
		if c.a.Intersects(c.b) != c.want || c.b.Intersects(c.a) != c.want {
			t.Errorf("%v and %v meet: %v", c.a, c.b, !c.want)
		}
	}
	e := Entry{Dataset: &DatasetDetails{Spatial: []string{"Ghent", "3.6,51,3.8,51.1"}}}
	if b, ok := e.Extent(); !ok || b != ghent {
		t.Errorf("%v %v", b, ok)
	}
}
