package dcat

import (
	"io"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
)

const (
	routeFull    = "/api/v1/catalog/dcat."
	routeQuality = "/api/v1/catalog/dcat-quality.ttl"
)

// Related renders the documents of one entry. They are made after the snapshot,
// since they tell which services serve a dataset. An entry that is left out
// has none.
func (r *Renderer) Related(c *snapshot.Catalog, ordinal int) ([]artifact.File, error) {
	x := r.indexOf(c)
	if !x.has(int32(ordinal)) {
		return nil, nil
	}
	d := r.entryDocument(c, ordinal)
	tail, err := d.tail()
	defer tail.release()
	if err != nil {
		return nil, err
	}
	files := make([]artifact.File, len(forms))
	for i, f := range forms {
		d.form = f
		body := d.room()
		if err := d.writeWith(tail, &body); err != nil {
			return nil, err
		}
		tail.again()
		files[i] = artifact.File{Route: "/id/" + c.Lines[ordinal].ID + "." + f.ext, Type: f.media, Class: ClassEntry, Body: body.body, Quotes: body.quotes, Pooled: true}
	}
	return files, nil
}

// Aggregates renders the documents about the whole catalog: all of it in both
// forms, the measurements, the catalogue alone, the institutions and concepts.
func (r *Renderer) Aggregates(c *snapshot.Catalog, emit Emit) error {
	for _, f := range forms {
		file := artifact.File{Route: routeFull + f.ext, Type: f.media, Class: Class, Stream: r.fullDocument(c, f).write}
		if err := emit(file); err != nil {
			return err
		}
	}
	quality := artifact.File{Route: routeQuality, Type: TypeTurtle, Class: Class, Stream: r.quality(c)}
	if err := emit(quality); err != nil {
		return err
	}
	if err := r.small(c, "/catalog", catalogGraph(r.indexOf(c)), emit); err != nil {
		return err
	}
	if err := r.institutions(c, emit); err != nil {
		return err
	}
	return r.definitions(c, emit)
}

// quality writes the measurements of all entries, with what they measure.
func (r *Renderer) quality(c *snapshot.Catalog) func(io.Writer) error {
	x := r.indexOf(c)
	return func(to io.Writer) error {
		w := turtleForm.open(to, x.base)
		w.head()
		g := newGraph()
		defer g.release()
		for i := range metrics {
			g.metric(&metrics[i])
		}
		g.write(w)
		w.rest()
		w.quote(streamQuality, c.Streams[streamQuality], 0, len(c.Lines))
		w.foot()
		return turtleForm.close(w)
	}
}
