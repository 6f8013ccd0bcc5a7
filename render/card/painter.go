package card

import (
	"image"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// The weights of letters.
const (
	regular = iota
	bold
)

var fonts = sync.OnceValues(func() (list [2]*sfnt.Font, err error) {
	for i, data := range [2][]byte{goregular.TTF, gobold.TTF} {
		if list[i], err = opentype.Parse(data); err != nil {
			return list, err
		}
	}
	return list, nil
})

// painter draws layers of one colour each. It is used by one goroutine at a time.
type painter struct {
	fonts  [2]*sfnt.Font
	faces  map[[2]int]font.Face
	layers [layers]*image.Alpha
	buffer sfnt.Buffer
}

var painters sync.Pool

func newPainter() (*painter, error) {
	if p, ok := painters.Get().(*painter); ok {
		return p, nil
	}
	list, err := fonts()
	if err != nil {
		return nil, err
	}
	p := &painter{fonts: list, faces: map[[2]int]font.Face{}}
	for i := range p.layers {
		p.layers[i] = image.NewAlpha(image.Rect(0, 0, Width, Height))
	}
	for weight, sizes := range [2][]int{{bySize, footSize}, {titleSize, nameSize}} {
		for _, size := range sizes {
			if p.faces[[2]int{weight, size}], err = opentype.NewFace(list[weight], &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingNone}); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// free gives the painter back, with empty layers.
func (p *painter) free() {
	for _, l := range p.layers {
		clear(l.Pix)
	}
	painters.Put(p)
}

// bar fills the top of the picture.
func (p *painter) bar(layer, height int) {
	for i := range p.layers[layer].Pix[:height*p.layers[layer].Stride] {
		p.layers[layer].Pix[i] = 0xff
	}
}

// mark draws the mark of the register, a shield with a tick cut out of it, in a square of markSize.
func (p *painter) mark(x, y int) {
	r := vector.NewRasterizer(markSize, markSize)
	const unit = markSize / 32.0
	to := func(v float32) float32 { return v * unit }
	r.MoveTo(to(16), to(1.5))
	r.LineTo(to(28.5), to(6))
	r.LineTo(to(28.5), to(16.2))
	r.CubeTo(to(28.5), to(23.2), to(23.3), to(28), to(16), to(30.5))
	r.CubeTo(to(8.7), to(28), to(3.5), to(23.2), to(3.5), to(16.2))
	r.LineTo(to(3.5), to(6))
	r.ClosePath()
	// The tick turns the other way round, so that it is left open.
	for i, at := range [][2]float32{{9.5, 14.2}, {7.2, 16.5}, {14.1, 23.2}, {25.2, 11.4}, {22.9, 9.1}, {14.1, 18.6}} {
		if i == 0 {
			r.MoveTo(to(at[0]), to(at[1]))
		} else {
			r.LineTo(to(at[0]), to(at[1]))
		}
	}
	r.ClosePath()
	r.Draw(p.layers[brass], image.Rect(x, y, x+markSize, y+markSize), image.Opaque, image.Point{})
}

// line writes a line of text whose letters stand on y.
func (p *painter) line(layer, weight, size, x, y int, text string) {
	d := font.Drawer{Dst: p.layers[layer], Src: image.Opaque, Face: p.faces[[2]int{weight, size}], Dot: fixed.P(x, y)}
	d.DrawString(text)
}

// drawable is the first text of which there is something, and the fonts have every letter; "" for none.
func (p *painter) drawable(texts []string) string {
	for _, t := range texts {
		t = strings.Join(strings.Fields(t), " ")
		if t != "" && !strings.ContainsFunc(t, p.lacks) {
			return t
		}
	}
	return ""
}

func (p *painter) lacks(r rune) bool {
	if r == ' ' {
		return false
	}
	i, err := p.fonts[bold].GlyphIndex(&p.buffer, r)
	return err != nil || i == 0 || unicode.IsControl(r)
}

func (p *painter) width(weight, size int, text string) int {
	return font.MeasureString(p.faces[[2]int{weight, size}], text).Ceil()
}

// fit cuts a text to a width.
func (p *painter) fit(weight, size int, text string, room int) string {
	if p.width(weight, size, text) <= room {
		return text
	}
	r := []rune(text)
	low, high := 0, len(r)
	for low < high {
		n := (low + high + 1) / 2
		if p.width(weight, size, cut(r, n)) <= room {
			low = n
		} else {
			high = n - 1
		}
	}
	return cut(r, low)
}

func cut(r []rune, n int) string { return strings.TrimRight(string(r[:n]), " ,.;:-") + "…" }

// longest is how many characters of a text are looked at.
const longest = 400

// wrap breaks a text into lines of a width; the last one is cut.
func (p *painter) wrap(weight, size int, text string, room, most int) []string {
	if r := []rune(text); len(r) > longest {
		text = string(r[:longest])
	}
	var lines []string
	words := strings.Fields(text)
	for len(words) > 0 {
		n := 1
		for n < len(words) && p.width(weight, size, strings.Join(words[:n+1], " ")) <= room {
			n++
		}
		if len(lines) == most-1 {
			n = len(words)
		}
		lines = append(lines, p.fit(weight, size, strings.Join(words[:n], " "), room))
		words = words[n:]
	}
	return lines
}
