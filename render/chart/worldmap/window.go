package worldmap

import (
	"math"
	"strconv"
	"sync"
)

// Box is an extent in degrees.
type Box struct{ West, South, East, North float64 }

func (b Box) with(p point) Box {
	return Box{math.Min(b.West, p.lon), math.Min(b.South, p.lat), math.Max(b.East, p.lon), math.Max(b.North, p.lat)}
}

// Valid tells that the box has its sides in order and lies on the Earth; one
// that crosses the meridian of 180 degrees (RFC 7946, section 5.2) is not
// drawn.
func (b Box) Valid() bool {
	return b.West >= -180 && b.East <= 180 && b.South >= -90 && b.North <= 90 && b.West <= b.East && b.South <= b.North
}

// Window is a map of the land around an extent, on a plane with the given
// sides; meridians and parallels are straight lines, and a degree of longitude
// is as wide as it is in the middle of the window.
type Window struct {
	Width, Height int
	// Land is path data of what land there is, in whole units.
	Land  string
	frame Box
}

// windowWidth is the width of all windows, in units.
const windowWidth = 480

// margins are the least and the most of a window, in degrees of latitude: with
// less, the outlines are too coarse to tell where one is.
const (
	leastSpan = 2.5
	mostSpan  = 180
)

// Around is the window in which an extent is shown with what lies around it.
func Around(b Box) Window { return cached(frameOf(b)) }

// frameOf widens an extent by half of its size on each side, to a form that is
// twice as wide as high on the ground, and rounds it so that extents that
// differ little share a window.
func frameOf(b Box) Box {
	lon, lat := (b.West+b.East)/2, (b.South+b.North)/2
	squeeze := math.Max(0.2, math.Cos(lat*math.Pi/180))
	high := math.Max(leastSpan, 2*math.Max(b.North-b.South, (b.East-b.West)*squeeze/2))
	step := math.Exp2(math.Floor(math.Log2(high))) / 8
	high = math.Min(mostSpan, math.Ceil(high/step)*step)
	lon, lat = math.Round(lon/step)*step, math.Round(lat/step)*step
	wide := math.Min(360, high*2/squeeze)
	lat = math.Max(-90+high/2, math.Min(90-high/2, lat))
	lon = math.Max(-180+wide/2, math.Min(180-wide/2, lon))
	return Box{lon - wide/2, lat - high/2, lon + wide/2, lat + high/2}
}

// windowsKept bounds the windows that are remembered.
const windowsKept = 256

var kept struct {
	sync.Mutex
	byFrame map[Box]Window
}

// cached draws a window unless it was drawn before: most entries of a register
// are about few extents.
func cached(frame Box) Window {
	kept.Lock()
	w, ok := kept.byFrame[frame]
	kept.Unlock()
	if ok {
		return w
	}
	w = draw(frame)
	kept.Lock()
	defer kept.Unlock()
	if kept.byFrame == nil || len(kept.byFrame) >= windowsKept {
		kept.byFrame = map[Box]Window{}
	}
	kept.byFrame[frame] = w
	return w
}

func draw(frame Box) Window {
	squeeze := math.Max(0.2, math.Cos((frame.South+frame.North)/2*math.Pi/180))
	unit := (frame.East - frame.West) / windowWidth
	w := Window{Width: windowWidth, Height: int(math.Round((frame.North - frame.South) / (unit * squeeze))), frame: frame}
	// Land is cut a little outside, so that the line around it is not seen there.
	out := Box{frame.West - 4*unit, frame.South - 4*unit, frame.East + 4*unit, frame.North + 4*unit}
	for level := levelOf(unit); ; level++ {
		var path []byte
		for _, r := range rings(level) {
			if r.bounds.West < out.East && r.bounds.East > out.West && r.bounds.South < out.North && r.bounds.North > out.South {
				path = w.ring(path, clip(r.points, out))
			}
		}
		if len(path) <= landMax || level == levels-1 {
			w.Land = string(path)
			return w
		}
	}
}

// landMax is how long the path of a window may be, in bytes; coarser outlines
// are taken until it is not longer, or there are none.
const landMax = 1000

// Place is where a point, in degrees, is drawn, in whole units.
func (w *Window) Place(lon, lat float64) (x, y int) {
	x = int(math.Round((lon - w.frame.West) / (w.frame.East - w.frame.West) * float64(w.Width)))
	y = int(math.Round((w.frame.North - lat) / (w.frame.North - w.frame.South) * float64(w.Height)))
	return x, y
}

// ring adds a ring with relative steps; what is smaller than three units is
// left out.
func (w *Window) ring(path []byte, points []point) []byte {
	begin, n := len(path), 0
	lastX, lastY := 0, 0
	firstX, firstY, most := 0, 0, 0
	for _, p := range points {
		x, y := w.Place(p.lon, p.lat)
		dx, dy := x-lastX, y-lastY
		switch {
		case n == 0:
			path = append(path, 'M')
		case dx == 0 && dy == 0:
			continue
		case n == 1:
			path = append(path, 'l')
		}
		if n > 1 && dx >= 0 {
			path = append(path, ' ')
		}
		path = strconv.AppendInt(path, int64(dx), 10)
		if dy >= 0 {
			path = append(path, ' ')
		}
		path = strconv.AppendInt(path, int64(dy), 10)
		if n > 0 {
			most = max(most, abs(x-firstX), abs(y-firstY))
		} else {
			firstX, firstY = x, y
		}
		lastX, lastY, n = x, y, n+1
	}
	if n < 3 || most < 3 {
		return path[:begin]
	}
	return append(path, 'z')
}

// clip cuts a ring to a box (Sutherland, Hodgman 1974).
func clip(points []point, b Box) []point {
	for side := range 4 {
		if len(points) == 0 {
			return nil
		}
		var out []point
		last := points[len(points)-1]
		for _, p := range points {
			if inside(p, b, side) != inside(last, b, side) {
				out = append(out, crossing(last, p, b, side))
			}
			if inside(p, b, side) {
				out = append(out, p)
			}
			last = p
		}
		points = out
	}
	return points
}

func inside(p point, b Box, side int) bool {
	switch side {
	case 0:
		return p.lon >= b.West
	case 1:
		return p.lon <= b.East
	case 2:
		return p.lat >= b.South
	}
	return p.lat <= b.North
}

func crossing(p, q point, b Box, side int) point {
	switch side {
	case 0, 1:
		at := b.West
		if side == 1 {
			at = b.East
		}
		return point{at, p.lat + (q.lat-p.lat)*(at-p.lon)/(q.lon-p.lon)}
	}
	at := b.South
	if side == 3 {
		at = b.North
	}
	return point{p.lon + (q.lon-p.lon)*(at-p.lat)/(q.lat-p.lat), at}
}

func abs(n int) int { return max(n, -n) }
