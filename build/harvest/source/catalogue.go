package source

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// Catalogue is what a file says of the catalogue that it lists; all are empty
// where it says nothing.
type Catalogue struct {
	// IRI names the catalogue; it is an http or https address.
	IRI string
	// Publisher is who publishes it, by name or IRI, Title what it is called.
	Publisher, Title string
}

// Describer is a connector whose files may say which catalogue they are of, so
// that two exports of one catalogue are known as one source, whatever the files
// are called (decisions-2 §A). A file that cannot be read says nothing: the
// harvest tells what is wrong with it.
type Describer interface {
	Catalogue(ctx context.Context, in Input) (Catalogue, error)
}

// Names makes the catalogue known by an IRI, unless that is no address or stands
// for a blank node.
func (c *Catalogue) Names(iri string) bool {
	iri = strings.TrimSpace(iri)
	if c.IRI != "" || catalog.CheckURL("url", iri) != nil || catalog.Skolem(iri) {
		return false
	}
	c.IRI = iri
	return true
}

// Describe reads a captured file to its end for what it says of its catalogue:
// envelope, unless it is nil, is asked for what stands around the records, and one,
// unless it is nil, for the address of the catalogue that a record states, which
// counts if all records state the same.
func (f *Feed) Describe(ctx context.Context, in *Input, envelope func(*JSON) Catalogue, one func(Item) string) (c Catalogue, err error) {
	if in.Open == nil || in.Fetch != nil || archiveName(in.Name) {
		return c, nil
	}
	r, err := in.Open(ctx)
	if err != nil {
		return c, fmt.Errorf("open %s: %w", in.Name, err)
	}
	defer r.Close()
	s, err := NewStream(r, in.Name, in.Limits)
	if err != nil {
		return c, err
	}
	j, err := NewJSON(s, f.Paths...)
	if err != nil {
		return c, err
	}
	common, several := "", false
	err = j.each(ctx, func(Rejection) error { return nil }, func(it Item) error {
		if one == nil {
			return nil
		}
		at := one(it)
		several = several || common != "" && at != common
		common = cmp.Or(common, at)
		return nil
	}, func() {})
	if envelope != nil {
		c = envelope(j)
	}
	if !several {
		c.Names(common)
	}
	return c, err
}
