package format

import (
	"slices"
	"strconv"

	"github.com/assay-register/assay/build/profile/table"
)

// features reads a FeatureCollection (RFC 7946): the properties are columns,
// the geometry is one more.
func features(root *node, o *Options) *table.Table {
	b := table.NewBuilder(GeoJSON, o.Limits, o.Private)
	geo := bounds{}
	for _, f := range whole(root.get("features")) {
		b.Record(feature(f, &geo))
	}
	t := b.Table()
	t.Records, t.BBox = "features", geo.box()
	if crs := root.get("crs"); crs != nil {
		if name := crs.get("properties"); name != nil && name.get("name") != nil && !degrees(name.get("name").cell.Text) {
			t.BBox = nil
			t.Note("the coordinates are not WGS 84 degrees, as RFC 7946 asks for")
		}
	}
	return t
}

func degrees(crs string) bool {
	return slices.Contains([]string{"urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:OGC::CRS84", "EPSG:4326", "urn:ogc:def:crs:EPSG::4326"}, crs)
}

// feature returns the columns of a Feature, or of any other object as it is.
func feature(n *node, geo *bounds) []table.Field {
	kind := n.get("type")
	if kind == nil || kind.cell.Text != "Feature" {
		return record(n)
	}
	var fields []table.Field
	if id := n.get("id"); id != nil && id.shape == leaf {
		fields = append(fields, table.Field{Name: "id", Cell: id.cell})
	}
	if p := n.get("properties"); p != nil && p.shape == object {
		fields = append(fields, record(p)...)
	}
	cell := table.Cell{}
	if g := n.get("geometry"); g != nil {
		cell, _ = geometry(g)
		geo.add(g, 0)
	}
	return append(fields, table.Field{Name: "geometry", Cell: cell})
}

// bounds collects the positions of geometries.
type bounds struct {
	west, south, east, north float64
	any, outside             bool
}

func (b *bounds) add(n *node, depth int) {
	if depth > 8 {
		return
	}
	if at := n.get("coordinates"); at != nil {
		b.positions(at, 0)
	}
	if list := n.get("geometries"); list != nil {
		for _, g := range list.kids {
			b.add(g, depth+1)
		}
	}
}

func (b *bounds) positions(n *node, depth int) {
	if len(n.kids) >= 2 && n.kids[0].shape == leaf {
		x, errX := strconv.ParseFloat(n.kids[0].cell.Text, 64)
		y, errY := strconv.ParseFloat(n.kids[1].cell.Text, 64)
		if errX == nil && errY == nil && n.kids[0].cell.Kind == table.Number && n.kids[1].cell.Kind == table.Number {
			b.point(x, y)
		}
		return
	}
	for _, k := range n.kids {
		if depth < 8 {
			b.positions(k, depth+1)
		}
	}
}

func (b *bounds) point(x, y float64) {
	if x < -180 || x > 180 || y < -90 || y > 90 {
		b.outside = true
		return
	}
	if !b.any {
		b.west, b.east, b.south, b.north, b.any = x, x, y, y, true
		return
	}
	b.west, b.east = min(b.west, x), max(b.east, x)
	b.south, b.north = min(b.south, y), max(b.north, y)
}

// box is nil if there is no position, or if some are not in degrees.
func (b *bounds) box() []float64 {
	if !b.any || b.outside {
		return nil
	}
	return []float64{b.west, b.south, b.east, b.north}
}
