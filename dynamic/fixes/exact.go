package fixes

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/assay-register/assay/dynamic/evidence"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/lint"
	"github.com/assay-register/assay/render/wire"
)

// exact makes the patches of a page for the very records that sources published, where these are
// kept: in the form of the source, beside what they state. Others keep their examples.
func exact(ctx context.Context, store catalog.Store, items []wire.Fix) error {
	if store == nil || len(items) == 0 {
		return nil
	}
	return store.View(ctx, func(tx catalog.Tx) error {
		kinds := map[string]string{}
		sources, err := tx.Sources().All(ctx)
		if err != nil {
			return err
		}
		for i := range sources {
			kinds[sources[i].ID] = sources[i].Kind
		}
		records := map[string]*record{}
		for i := range items {
			x := &items[i]
			r, read := records[x.EntryID]
			if !read {
				if r, err = recordOf(ctx, tx, x.EntryID, kinds); err != nil {
					return err
				}
				records[x.EntryID] = r
			}
			if r != nil {
				r.patch(x)
			}
		}
		return nil
	})
}

// record is what a source published of an entry.
type record struct {
	kind string
	t    catalog.EntryType
	// files is how many of a dataset were taken in.
	files int
	rdf   bool
	body  map[string]any
}

func recordOf(ctx context.Context, tx catalog.Tx, id string, kinds map[string]string) (*record, error) {
	source, media, body, err := evidence.Present(ctx, tx, id)
	if err != nil || body == nil {
		return nil, err
	}
	r := &record{kind: kinds[source], rdf: media == "application/ld+json"}
	if media != "application/json" && !r.rdf || json.Unmarshal(body, &r.body) != nil {
		return nil, nil
	}
	found, err := tx.Entries().Get(ctx, id)
	if len(found) > 0 {
		r.t = found[0].Type
		if d := found[0].Dataset; d != nil {
			r.files = len(d.Distributions)
		}
	}
	return r, err
}

// patch replaces the examples of a thing to mend.
func (r *record) patch(x *wire.Fix) {
	if r.rdf {
		r.turtle(x)
		return
	}
	t := lint.TemplateOf(r.kind, r.t, x.Field)
	if t == nil {
		return
	}
	x.Turtle, x.JSONPatch = nil, []wire.FixesOperation{}
	for _, op := range t.On("", lint.Mended(x.Field, r.files), any(r.body)) {
		x.JSONPatch = append(x.JSONPatch, wire.FixesOperation{Op: op.Op, Path: op.Path, Value: op.Value})
	}
}

// turtle names the record by its IRI; what lies in it has the names of DCAT-AP.
func (r *record) turtle(x *wire.Fix) {
	iri, _ := r.body["@id"].(string)
	t := lint.TemplateOf("dcat", r.t, x.Field)
	if t == nil || !strings.Contains(iri, "://") {
		return
	}
	text := "<" + lint.IRI(iri) + "> " + t.Turtle + " ."
	if files := named(r.body["dcat:distribution"]); lint.Mended(x.Field, r.files) == "formats" && len(files) > 0 {
		text = ""
		for _, f := range files {
			text += "<" + lint.IRI(f) + "> <" + lint.PropertyFormat + "> <" + lint.FileCSV + "> .\n"
		}
	}
	x.Turtle, x.JSONPatch = &text, []wire.FixesOperation{}
}

// named are the IRIs of a property's values.
func named(values any) (list []string) {
	all, _ := values.([]any)
	for _, v := range all {
		object, _ := v.(map[string]any)
		if iri, _ := object["@id"].(string); strings.Contains(iri, "://") {
			list = append(list, iri)
		}
	}
	return list
}
