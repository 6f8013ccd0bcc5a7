package worldmap

import (
	"fmt"
	"math"
	"os"
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
		if n := len(w.Land); n > 2*landMax || n == 0 && name != "the pole" {
			t.Errorf("%s: %d bytes of land", name, n)
		}
		if again := draw(w.frame); again != w {
			t.Errorf("%s: another drawing of the same", name)
		}
	}
}

// TestLook writes pictures to look at where ASSAY_LOOK names a folder.
func TestLook(t *testing.T) {
	dir := os.Getenv("ASSAY_LOOK")
	if dir == "" {
		t.Skip("ASSAY_LOOK names no folder")
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<body style="margin:0;background:#dde"><svg width="1000" viewBox="0 0 %d %d" fill="#aaa" stroke="#fff" stroke-width=".5">`, Width, Height)
	for _, c := range World() {
		fmt.Fprintf(&b, `<path d="%s"/>`, c.Path)
	}
	b.WriteString("</svg>")
	for _, box := range []Box{{2.5, 49.5, 6.4, 51.5}, {4.35, 50.84, 4.36, 50.85}, {-180, -90, 180, 90}, {19, 34, 30, 42}} {
		w := Around(box)
		x, y := w.Place(box.West, box.North)
		z, u := w.Place(box.East, box.South)
		fmt.Fprintf(&b, `<svg width="480" viewBox="0 0 %d %d" style="background:#cde;margin:4px"><path fill="#eee" stroke="#888" d="%s"/><rect x="%d" y="%d" width="%d" height="%d" fill="#f008" /></svg>`,
			w.Width, w.Height, w.Land, x, y, max(z-x, 4), max(u-y, 4))
	}
	if err := os.WriteFile(dir+"/map.html", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkDraw(b *testing.B) {
	frame := frameOf(Box{2.5, 49.5, 6.4, 51.5})
	draw(frame)
	for b.Loop() {
		draw(frame)
	}
}
