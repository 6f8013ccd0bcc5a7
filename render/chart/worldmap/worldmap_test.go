package worldmap

import (
	"math"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/codelist"
)

func TestWorld(t *testing.T) {
	if n := len(worldTable); n > 25_000 {
		t.Errorf("the table has %d bytes", n)
	}
	last := ""
	for _, c := range World() {
		if c.Code <= last || !strings.HasPrefix(c.Path, "M") || !strings.HasSuffix(c.Path, "z") {
			t.Errorf("%s: %s", c.Code, c.Path)
		}
		if c.X < 0 || c.X > Width || c.Y < 0 || c.Y > Height {
			t.Errorf("%s lies at %d, %d", c.Code, c.X, c.Y)
		}
		if len(codelist.Read(c.Code, nil)) == 0 {
			t.Errorf("%s is no country", c.Code)
		}
		last = c.Code
	}
	for _, code := range []string{"BE", "MT", "SG", "XK", "GR", "VA", "FR"} {
		if c, ok := Lookup(code); !ok || c.Code != code {
			t.Errorf("%s: %v", code, c)
		}
	}
	if _, ok := Lookup("EU"); ok {
		t.Error("the European Union is no country of the map")
	}
}

// TestProject holds the formula to the shapes that the generator made by its own.
func TestProject(t *testing.T) {
	for code, at := range map[string][2]float64{"AD": {1.57, 42.54}, "SG": {103.82, 1.35}, "MT": {14.43, 35.89}, "BB": {-59.56, 13.17}} {
		c, _ := Lookup(code)
		x, y := Project(at[0], at[1])
		if math.Abs(x-float64(c.X)) > 1.5 || math.Abs(y-float64(c.Y)) > 1.5 {
			t.Errorf("%s: %.1f %.1f, the table says %d %d", code, x, y, c.X, c.Y)
		}
	}
}

func TestAround(t *testing.T) {
	for name, b := range map[string]Box{
		"Belgium": {2.5, 49.5, 6.4, 51.5}, "a street": {4.35, 50.84, 4.36, 50.85}, "a point": {4.35, 50.84, 4.35, 50.84},
		"the world": {-180, -90, 180, 90}, "Fiji": {176, -20, 180, -16}, "Svalbard": {10, 76, 34, 81}, "the pole": {-180, 85, 180, 90},
	} {
		w := Around(b)
		if w.Width != windowWidth || w.Height < 150 || w.Height > windowWidth {
			t.Errorf("%s: %d × %d", name, w.Width, w.Height)
		}
		for _, p := range []point{{b.West, b.South}, {b.East, b.North}} {
			if x, y := w.Place(p.lon, p.lat); x < 0 || x > w.Width || y < 0 || y > w.Height {
				t.Errorf("%s: the corner %v lies at %d, %d of %d × %d", name, p, x, y, w.Width, w.Height)
			}
		}
		if n := len(w.Land); n > wholeMax || n == 0 && name != "the pole" {
			t.Errorf("%s: %d bytes of land", name, n)
		}
		if again := draw(w.frame); again != w {
			t.Errorf("%s: another drawing of the same", name)
		}
	}
}

// wholeMax is how long the path of a window of the world is, whose outlines are the coarsest that there are.
const wholeMax = 7000

func BenchmarkDraw(b *testing.B) {
	frame := frameOf(Box{2.5, 49.5, 6.4, 51.5})
	draw(frame)
	for b.Loop() {
		draw(frame)
	}
}

// The window of a country shows its mainland, and the country in it.
func TestOf(t *testing.T) {
	for code, in := range map[string][4]float64{"BE": {4.35, 50.85, 5.57, 50.63}, "FR": {2.35, 48.86, -4.49, 48.39}, "GR": {23.73, 37.98, 25.14, 35.34}, "NL": {4.9, 52.37, 6.57, 53.22}} {
		l, ok := Of(code)
		if !ok || len(l.Own) < 40 || l.Land == "" || l.Height < 100 || l.Height > 1200 {
			t.Fatalf("%s: %v, %d units high, %d bytes of its own", code, ok, l.Height, len(l.Own))
		}
		for i := 0; i < 4; i += 2 {
			if x, y := l.Place(in[i], in[i+1]); x < 0 || x > l.Width || y < 0 || y > l.Height {
				t.Errorf("%s: %v is drawn at %d %d of %d %d", code, in[i:i+2], x, y, l.Width, l.Height)
			}
		}
		if l.Box.East-l.Box.West > 25 {
			t.Errorf("%s takes %v", code, l.Box)
		}
	}
	if _, ok := Of("XX"); ok {
		t.Error("XX is a country")
	}
}
