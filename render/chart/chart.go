// Package chart draws pictures of data as SVG: the distribution of a column,
// a measure over time, compositions, and places on a map.
//
// A picture has a title, which is its name for those who do not see it, and
// stands beside a table with the same values. It has no colours of its own but
// classes (c-bar, c-line, c-grid, c-land, c-mark, c-1 to c-6), to which the
// style sheet gives those of the light and the dark theme. The same values are
// the same bytes. Own code, because libraries that draw charts measure text
// with fonts and write some ten times as many bytes, and a page has room for
// few.
package chart

import (
	"html"
	"math"
	"strconv"
)

// picture is an SVG that is being written.
type picture struct{ b []byte }

// begin opens a picture with a viewBox that begins at the origin.
func begin(class, title string, width, height int) *picture {
	p := &picture{b: make([]byte, 0, 512)}
	p.add(`<svg class="`, class, `" viewBox="0 0 `)
	p.whole(width).add(" ").whole(height).add(`" role="img"><title>`).text(title).add("</title>")
	return p
}

func (p *picture) end() string { return string(append(p.b, "</svg>"...)) }

// add writes markup of this package.
func (p *picture) add(parts ...string) *picture {
	for _, s := range parts {
		p.b = append(p.b, s...)
	}
	return p
}

// text writes text from outside.
func (p *picture) text(s string) *picture { return p.add(html.EscapeString(s)) }

func (p *picture) whole(n int) *picture {
	p.b = strconv.AppendInt(p.b, int64(n), 10)
	return p
}

// label writes text at a place.
func (p *picture) label(class string, x, y int, s string) *picture {
	return p.add(`<text class="`, class, `" x="`).whole(x).add(`" y="`).whole(y).add(`">`).text(s).add("</text>")
}

// ColumnWidth and ColumnHeight are the sides of the picture of a column.
const (
	ColumnWidth  = 96
	ColumnHeight = 28
)

// Spread is the path of how many values lie in ranges of equal width, as bars that touch, in a
// picture of ColumnWidth and ColumnHeight; "" for fewer than two ranges, or no value. A range
// with a value is always seen.
func Spread(bins []int64) string {
	most := int64(0)
	for _, n := range bins {
		most = max(most, n)
	}
	if len(bins) < 2 || most == 0 {
		return ""
	}
	p := &picture{}
	for i, n := range bins {
		if n == 0 {
			continue
		}
		x, to := i*ColumnWidth/len(bins), (i+1)*ColumnWidth/len(bins)
		high := max(1, int(math.Round(float64(n)/float64(most)*ColumnHeight)))
		p.add("M").whole(x).add(" ").whole(ColumnHeight).add("v-").whole(high).add("h").whole(to - x - 1).add("v").whole(high).add("z")
	}
	return string(p.b)
}
