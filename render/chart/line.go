package chart

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Point is a value at a time.
type Point struct {
	// At is a year, month, day or instant in the form of ISO 8601.
	At string
	V  float64
}

// Sides of a picture of lines or bars, and the room for its labels.
const (
	width  = 360
	height = 170
	left   = 46
	right  = 8
	top    = 12
	bottom = 22
)

// Line draws a measure over time; "" for fewer than two points with a time. The
// axis of values begins at zero unless all values are far from it; its ticks
// are round numbers. number writes a value in the language of the page.
func Line(points []Point, title string, number func(float64) string) string {
	list := placed(points)
	if len(list) < 2 || list[0].t == list[len(list)-1].t {
		return ""
	}
	low, high := list[0].v, list[0].v
	for _, p := range list {
		low, high = math.Min(low, p.v), math.Max(high, p.v)
	}
	ticks := axis(low, high)
	from, to := ticks[0], ticks[len(ticks)-1]
	first, last := list[0].t, list[len(list)-1].t
	x := func(t float64) int { return left + int(math.Round((t-first)/(last-first)*(width-left-right))) }
	y := func(v float64) int {
		return height - bottom - int(math.Round((v-from)/(to-from)*(height-top-bottom)))
	}
	p := begin("c-wide", title, width, height)
	grid(p, ticks, y, number)
	for _, t := range times(first, last) {
		p.label("c-x", x(t.at), height-6, t.text)
	}
	p.add(`<path class="c-line" d="`)
	for i, v := range list {
		command := "L"
		if i == 0 {
			command = "M"
		}
		p.add(command).whole(x(v.t)).add(" ").whole(y(v.v))
	}
	return p.add(`"/>`).end()
}

// grid draws the lines of an axis of values with their numbers.
func grid(p *picture, ticks []float64, y func(float64) int, number func(float64) string) {
	p.add(`<path class="c-grid" d="`)
	for _, v := range ticks {
		p.add("M").whole(left).add(" ").whole(y(v)).add("H").whole(width - right)
	}
	p.add(`"/>`)
	for _, v := range ticks {
		p.label("c-y", left-5, y(v)+4, number(v))
	}
}

type placedPoint struct{ t, v float64 }

// placed are the points whose time can be read.
func placed(points []Point) []placedPoint {
	list := make([]placedPoint, 0, len(points))
	for _, p := range points {
		if at, ok := instant(p.At); ok && !math.IsNaN(p.V) && !math.IsInf(p.V, 0) {
			list = append(list, placedPoint{float64(at.Unix()), p.V})
		}
	}
	return list
}

// instant reads a time in one of the forms of ISO 8601 that data have.
func instant(s string) (time.Time, bool) {
	for _, layout := range [...]string{"2006", "2006-01", time.DateOnly, "2006-01-02T15:04", "2006-01-02T15:04:05", time.RFC3339, "2006-01-02T15:04Z07:00"} {
		// A layout of another length cannot fit, unless a zone ends it; an error would cost more than the time.
		if len(s) != len(layout) && !strings.HasSuffix(layout, "Z07:00") {
			continue
		}
		if at, err := time.Parse(layout, s); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// axis are three to six round numbers that enclose a range, from zero if it is
// near.
func axis(low, high float64) []float64 {
	if low > 0 && low < high*0.6 || low == high && low > 0 {
		low = 0
	}
	if high < 0 && high > low*0.6 || low == high && high < 0 {
		high = 0
	}
	if low == high {
		high = low + 1
	}
	step := math.Pow(10, math.Floor(math.Log10((high-low)/3)))
	for _, by := range []float64{1, 2, 5, 10} {
		if (high-low)/(step*by) <= 4 {
			step *= by
			break
		}
	}
	var ticks []float64
	for n := math.Floor(low / step); ; n++ {
		ticks = append(ticks, n*step)
		if n*step >= high-step*1e-9 || len(ticks) > 8 {
			return ticks
		}
	}
}

type tick struct {
	at   float64
	text string
}

// times are the beginnings of years, or months, or days within a range, at most
// five, each as a reader needs it to tell them apart.
func times(first, last float64) []tick {
	from, to := time.Unix(int64(first), 0).UTC(), time.Unix(int64(last), 0).UTC()
	years := to.Year() - from.Year()
	switch {
	case years >= 2:
		step := 1
		for _, by := range []int{1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000} {
			if step = by; years/by < 5 {
				break
			}
		}
		return every(first, last, func(n int) (time.Time, string) {
			y := (from.Year()/step + n) * step
			return time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC), strconv.Itoa(y)
		})
	case to.Sub(from) > 70*24*time.Hour:
		step := 1 + int(to.Sub(from).Hours()/24/30)/5
		return every(first, last, func(n int) (time.Time, string) {
			at := time.Date(from.Year(), from.Month()+time.Month(n*step), 1, 0, 0, 0, 0, time.UTC)
			return at, at.Format("2006-01")
		})
	}
	step := 1 + int(to.Sub(from).Hours()/24)/4
	return every(first, last, func(n int) (time.Time, string) {
		at := time.Date(from.Year(), from.Month(), from.Day()+n*step, 0, 0, 0, 0, time.UTC)
		return at, at.Format("01-02")
	})
}

func every(first, last float64, nth func(int) (time.Time, string)) []tick {
	var list []tick
	for n := 0; n < 40; n++ {
		at, text := nth(n)
		if u := float64(at.Unix()); u > last {
			break
		} else if u >= first {
			list = append(list, tick{u, text})
		}
	}
	return list
}

// Bar is a value with its name.
type Bar struct {
	Name string
	V    float64
}

// barHeight and barsMost bound a picture of bars.
const (
	barHeight = 20
	barsMost  = 20
)

// Bars draws values as lying bars, each with its name and number; "" for none,
// for one below zero, or for more than twenty.
func Bars(list []Bar, title string, number func(float64) string) string {
	most := 0.0
	for _, b := range list {
		if b.V < 0 || math.IsNaN(b.V) || math.IsInf(b.V, 0) {
			return ""
		}
		most = math.Max(most, b.V)
	}
	if most == 0 || len(list) > barsMost {
		return ""
	}
	const names, room = 130, 170
	p := begin("c-wide", title, width, len(list)*barHeight)
	for i, b := range list {
		y := i * barHeight
		long := max(1, int(math.Round(b.V/most*room)))
		p.label("c-name", names-6, y+14, short(b.Name, 20))
		p.add(`<path class="c-bar" d="M`).whole(names).add(" ").whole(y + 3).add("h").whole(long).add("v14h-").whole(long).add(`z"/>`)
		p.label("c-n", names+long+4, y+14, number(b.V))
	}
	return p.end()
}

// short cuts a name to a number of characters.
func short(s string, most int) string {
	r := []rune(strings.TrimSpace(s))
	if len(r) <= most {
		return string(r)
	}
	return string(r[:most-1]) + "…"
}
