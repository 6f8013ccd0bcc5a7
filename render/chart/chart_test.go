package chart

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// check holds a picture to what all have: well-formed, named, small, and with
// no colour, link or script of its own.
func check(t *testing.T, svg, title string, most int) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	name, open := "", ""
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		switch x := token.(type) {
		case xml.StartElement:
			open = x.Name.Local
			for _, a := range x.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "style" || a.Name.Local == "href" || a.Name.Local == "fill" {
					t.Errorf("attribute %s", a.Name.Local)
				}
			}
			if open != "svg" && open != "title" && open != "path" && open != "text" {
				t.Errorf("element %s", open)
			}
		case xml.CharData:
			if open == "title" && name == "" {
				name = string(x)
			}
		}
	}
	if name != title || !strings.Contains(svg, `role="img"`) {
		t.Errorf("the name is %q, want %q", name, title)
	}
	if len(svg) > most {
		t.Errorf("%d bytes, at most %d", len(svg), most)
	}
}

const hostile = `<script>alert("x")</script> & 'y'`

var bar = regexp.MustCompile(`M(\d+) 28v-(\d+)h(\d+)v(\d+)z`)

// TestHistogramsSayTheirValues reads the bars of 200 pictures back.
func TestHistogramsSayTheirValues(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		bins := make([]int64, 2+r.IntN(20))
		most := int64(0)
		for i := range bins {
			if r.IntN(4) > 0 {
				bins[i] = r.Int64N(1 << (1 + r.IntN(40)))
			}
			most = max(most, bins[i])
		}
		path := Spread(bins)
		if most == 0 {
			if path != "" {
				t.Errorf("%v: %s", bins, path)
			}
			continue
		}
		if len(path) > 700 {
			t.Errorf("%d bytes of path", len(path))
		}
		bars := bar.FindAllStringSubmatch(path, -1)
		n := 0
		for i, v := range bins {
			if v == 0 {
				continue
			}
			if n >= len(bars) {
				t.Fatalf("%v: %d bars", bins, len(bars))
			}
			x, high := number(bars[n][1]), number(bars[n][2])
			if int(x) != i*ColumnWidth/len(bins) || math.Abs(high/ColumnHeight-float64(v)/float64(most)) > 1.0/ColumnHeight || bars[n][2] != bars[n][4] {
				t.Errorf("%v: bar %d is %v", bins, i, bars[n])
			}
			n++
		}
		if n != len(bars) || path != Spread(bins) {
			t.Errorf("%v: %d bars too many", bins, len(bars)-n)
		}
	}
}

func number(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return v
}

var (
	corner = regexp.MustCompile(`[ML](\d+) (\d+)`)
	grids  = regexp.MustCompile(`class="c-y" x="\d+" y="(\d+)">([^<]+)<`)
)

// TestLinesSayTheirValues reads the corners of 200 lines back by the numbers
// at the axis.
func TestLinesSayTheirValues(t *testing.T) {
	plain := func(v float64) string { return strconv.FormatFloat(v, 'g', 15, 64) }
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		var points []Point
		scale, shift := math.Pow(10, float64(r.IntN(9)-3)), (r.Float64()-0.3)*math.Pow(10, float64(r.IntN(6)))
		for y := range 2 + r.IntN(60) {
			points = append(points, Point{strconv.Itoa(1960 + y), shift + scale*r.NormFloat64()})
		}
		svg := Line(points, hostile, plain)
		check(t, svg, hostile, 3000)
		marks := grids.FindAllStringSubmatch(svg, -1)
		if len(marks) < 2 || len(marks) > 9 {
			t.Fatalf("seed %d: %d marks in %s", seed, len(marks), svg)
		}
		lowest, highest := marks[0], marks[len(marks)-1]
		a, b := number(lowest[2]), number(highest[2])
		ya, yb := number(lowest[1])-4, number(highest[1])-4
		_, line, _ := strings.Cut(svg, `class="c-line" d="`)
		corners := corner.FindAllStringSubmatch(line, -1)
		if len(corners) != len(points) {
			t.Fatalf("seed %d: %d corners for %d points", seed, len(corners), len(points))
		}
		for i, c := range corners {
			got := a + (number(c[2])-ya)/(yb-ya)*(b-a)
			if math.Abs(got-points[i].V) > 1.5*(b-a)/(ya-yb) {
				t.Errorf("seed %d: point %d reads as %g, is %g (axis %g to %g)", seed, i, got, points[i].V, a, b)
			}
		}
	}
}

func TestTicks(t *testing.T) {
	for name, c := range map[string]struct{ at []string }{
		"two years by month": {[]string{"2023-01", "2023-06", "2024-02"}}, "a century": {[]string{"1900", "2000"}}, "days": {[]string{"2024-01-01", "2024-01-20"}},
		"hours": {[]string{"2024-01-01T00:00", "2024-01-01T10:00"}}, "thousand years": {[]string{"1000", "2020"}},
	} {
		var points []Point
		for i, at := range c.at {
			points = append(points, Point{at, float64(i)})
		}
		svg := Line(points, "x", func(v float64) string { return fmt.Sprint(v) })
		if n := strings.Count(svg, `class="c-x"`); n < 1 || n > 6 {
			t.Errorf("%s: %d marks in %s", name, n, svg)
		}
	}
}

func TestNothingToDraw(t *testing.T) {
	plain := func(v float64) string { return fmt.Sprint(v) }
	for name, svg := range map[string]string{
		"no bins": Spread(nil), "one bin": Spread([]int64{4}), "empty bins": Spread([]int64{0, 0}),
		"one point": Line([]Point{{"2020", 1}}, "x", plain), "no times": Line([]Point{{"a", 1}, {"b", 2}}, "x", plain), "one time": Line([]Point{{"2020", 1}, {"2020", 2}}, "x", plain),
		"not a number": Line([]Point{{"2020", math.NaN()}, {"2021", math.Inf(1)}}, "x", plain), "bars below zero": Bars([]Bar{{"a", -1}}, "x", plain), "no bars": Bars(nil, "x", plain),
	} {
		if svg != "" {
			t.Errorf("%s: %s", name, svg)
		}
	}
}

func TestMaps(t *testing.T) {
	for name, c := range map[string]struct {
		bbox    []float64
		spatial []string
		ok      bool
	}{
		"sampled": {[]float64{4.3, 50.8, 4.4, 50.9}, nil, true}, "stated": {nil, []string{"Brussels", "2.5,49.5,6.4,51.5"}, true}, "a name": {nil, []string{"Brussels, Belgium, Europe, Earth"}, false},
		"projected": {nil, []string{"150000,160000,170000,180000"}, false}, "not a number": {nil, []string{"NaN,1,2,3"}, false}, "the wrong way round": {nil, []string{"6,51,2,49"}, false},
	} {
		e := catalog.Entry{Dataset: &catalog.DatasetDetails{Spatial: c.spatial}}
		p := &catalog.Profile{BBox: c.bbox, PersonalData: catalog.PersonalData{Allowed: true}}
		b, ok := Extent(&e, p)
		if ok != c.ok {
			t.Errorf("%s: %v %v", name, b, ok)
		}
		if ok {
			check(t, Map(b, Places{{4.35, 50.85}}, hostile), hostile, 5000)
		}
	}
	p := &catalog.Profile{BBox: []float64{4, 50, 5, 51}}
	if _, ok := Extent(&catalog.Entry{}, p); ok {
		t.Error("withheld rows show where they lie")
	}
}
