package worldmap

import (
	_ "embed" // the tables
	"encoding/binary"
	"math"
	"sync"
)

//go:embed outlines.bin
var outlineTable []byte

// point is a place in degrees.
type point struct{ lon, lat float64 }

// ring is one closed outline, its end left out, and its bounds.
type ring struct {
	points []point
	bounds Box
}

// table is what the embedded table holds; .ci/worldmap/make.mjs describes its
// form. It is part of the program, so it is not checked again.
var table = sync.OnceValue(func() (t struct {
	arcs  [][]point
	rings [][]int
	codes []string // of the country of each ring
}) {
	d := decoder{outlineTable}
	t.arcs = make([][]point, d.natural())
	for i := range t.arcs {
		t.arcs[i] = d.arc()
	}
	for range d.natural() {
		code := string(d.rest[:2])
		d.rest = d.rest[2:]
		for range d.natural() {
			ring := make([]int, d.natural())
			for i := range ring {
				ring[i] = d.whole()
			}
			t.rings, t.codes = append(t.rings, ring), append(t.codes, code)
		}
	}
	return t
})

// levels is how many outlines there are, each twice as coarse as the one
// before; the finest is that of the table.
const levels = 9

var byLevel [levels]struct {
	once  sync.Once
	rings []ring
}

// levelOf chooses outlines whose points are off by at most two thirds of a
// unit of a window, in degrees.
func levelOf(unit float64) int {
	return max(0, min(levels-1, int(math.Floor(math.Log2(unit/toleranceStep)))))
}

// toleranceStep is how far outlines of level 1 may be off, in degrees.
const toleranceStep = 0.015

// rings are the outlines of all countries. Arcs between two countries are
// simplified once, so that no gap opens between them.
func rings(level int) []ring {
	l := &byLevel[level]
	l.once.Do(func() {
		t := table()
		arcs := t.arcs
		if level > 0 {
			arcs = make([][]point, len(t.arcs))
			for i, arc := range t.arcs {
				arcs[i] = simplify(arc, toleranceStep*math.Exp2(float64(level-1)))
			}
		}
		for _, numbers := range t.rings {
			l.rings = append(l.rings, join(arcs, numbers))
		}
	})
	return l.rings
}

// simplify leaves out points that lie within a distance of the line through
// those that stay (Ramer 1972; Douglas, Peucker 1973). The ends stay, and of a
// closed arc its farthest point, too.
func simplify(arc []point, tolerance float64) []point {
	if len(arc) < 3 {
		return arc
	}
	first, last := arc[0], arc[len(arc)-1]
	far, at := 0.0, 0
	for i, p := range arc[1 : len(arc)-1] {
		if d := distance(p, first, last); d > far {
			far, at = d, i+1
		}
	}
	if far <= tolerance {
		return []point{first, last}
	}
	left := simplify(arc[:at+1], tolerance)
	return append(left[:len(left)-1:len(left)-1], simplify(arc[at:], tolerance)...)
}

// distance is that of a point from a line between two others.
func distance(p, a, b point) float64 {
	dx, dy := b.lon-a.lon, b.lat-a.lat
	t := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		t = math.Max(0, math.Min(1, ((p.lon-a.lon)*dx+(p.lat-a.lat)*dy)/l))
	}
	return math.Hypot(p.lon-a.lon-t*dx, p.lat-a.lat-t*dy)
}

type decoder struct{ rest []byte }

func (d *decoder) natural() int {
	n, size := binary.Uvarint(d.rest)
	d.rest = d.rest[size:]
	return int(n)
}

func (d *decoder) whole() int {
	n, size := binary.Varint(d.rest)
	d.rest = d.rest[size:]
	return int(n)
}

func (d *decoder) arc() []point {
	list := make([]point, d.natural())
	x, y := 0, 0
	for i := range list {
		x, y = x+d.whole(), y+d.whole()
		list[i] = point{float64(x) / 100, float64(y) / 100}
	}
	return list
}

// join makes a ring of arcs; a number ~n is arc n walked backwards.
func join(arcs [][]point, numbers []int) ring {
	r := ring{bounds: Box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}}
	for _, n := range numbers {
		if n >= 0 {
			r.points = append(r.points, arcs[n][:len(arcs[n])-1]...)
			continue
		}
		arc := arcs[^n]
		for i := len(arc) - 1; i > 0; i-- {
			r.points = append(r.points, arc[i])
		}
	}
	for _, p := range r.points {
		r.bounds = r.bounds.with(p)
	}
	return r
}
