package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
)

// sourceOnce describes the source of a single run. A kind that only one
// catalogue publishes is that catalogue, whether it is read live or from a
// capture, and so is an address that ships with the product; any other source
// gets its id from its kind and place, so that a second run finds what the
// first one listed: the place of a capture whose portal is known is the portal. A
// source that is named is known by that name.
func sourceOnce(h *harvestFlags, now time.Time) (catalog.Source, error) {
	shipped, err := harvest.ShippedSources()
	if err != nil {
		return catalog.Source{}, err
	}
	place := cmp.Or(h.url, h.file)
	src := catalog.Source{ID: harvest.SourceID(h.kind + "|" + cmp.Or(h.source, place)), Kind: h.kind, Title: filepath.Base(cmp.Or(h.source, h.file)), URL: h.url}
	own := func(s catalog.Source) bool {
		return s.Kind == h.kind && (s.URL == place || s.Endpoint == place || slices.Contains(harvest.OwnKinds(), s.Kind))
	}
	if i := slices.IndexFunc(shipped, own); i >= 0 && h.source == "" {
		src = shipped[i]
	}
	src.Official = cmp.Or(h.official, src.Official)
	src.CountryCode = cmp.Or(strings.ToUpper(h.country), src.CountryCode)
	src.CreatedAt, src.UpdatedAt = now, now
	return src, nil
}

// inputOnce is what a single run reads, with its source, which is stored.
func (a *app) inputOnce(ctx context.Context, st catalog.Store, c source.Connector, h *harvestFlags, now time.Time) (source.Input, error) {
	src, err := sourceOnce(h, now)
	if err != nil {
		return source.Input{}, err
	}
	read := src
	if strings.HasPrefix(h.file, "http://") || strings.HasPrefix(h.file, "https://") {
		src.URL = cmp.Or(src.URL, h.file)
		read.URL, read.Endpoint = src.URL, h.file
	} else {
		read.File = h.file
	}
	in, err := harvest.InputOf(read, a.allowPrivate)
	if err != nil {
		return in, fmt.Errorf("--file: %w", err)
	}
	in.Source = src
	if h.source == "" && src.URL == "" && src.Key == "" {
		return in, a.describe(ctx, st, c, h, &in)
	}
	_, err = putSource(ctx, st, &in.Source)
	return in, err
}

// describe makes a file that nothing is said of known by the catalogue that it
// states, else by its publisher, else by its name (decisions-2 §A), and tells so.
// What a file says of itself never makes it a source that is configured or ships.
func (a *app) describe(ctx context.Context, st catalog.Store, c source.Connector, h *harvestFlags, in *source.Input) error {
	stated, err := statedIn(ctx, c, in)
	if err != nil {
		return err
	}
	by := cmp.Or(stated.IRI, search.Fold(stated.Publisher+" "+stated.Title))
	if stated.IRI == "" && stated.Publisher == "" {
		fresh, err := putSource(ctx, st, &in.Source)
		if fresh {
			a.say("the source is known as %s: harvest a copy that has another name with --source %s, else its records are those of another source", h.file, strconv.Quote(h.file))
		}
		return err
	}
	if err := unknown(ctx, st, in.Source.ID, h.file, cmp.Or(stated.IRI, "the publisher "+stated.Publisher)); err != nil {
		return err
	}
	s := &in.Source
	s.ID, s.URL = harvest.SourceID(h.kind+"|"+by), stated.IRI
	if title, _ := source.Line(cmp.Or(stated.Title, stated.Publisher)); title != "" {
		s.Title, _ = source.Cut(title, catalog.NameMax)
	}
	fresh, err := putSource(ctx, st, s)
	if fresh {
		a.say("the source is known by what the file says of itself, %s, whatever the file is called; name it with --source where that is wrong", strconv.Quote(cmp.Or(stated.IRI, stated.Publisher)))
	}
	return err
}

// statedIn is what a file says of its catalogue. One that cannot be read says
// nothing here: the run tells what is wrong with it.
func statedIn(ctx context.Context, c source.Connector, in *source.Input) (source.Catalogue, error) {
	d, ok := c.(source.Describer)
	if !ok || in.Open == nil {
		return source.Catalogue{}, nil
	}
	stated, err := d.Catalogue(ctx, *in)
	if err != nil {
		return source.Catalogue{}, ctx.Err()
	}
	return stated, nil
}

// unknown tells that no source is known by the name of the file: its records
// would be made a second time for the catalogue that the file states.
func unknown(ctx context.Context, st catalog.Store, id, file, stated string) error {
	err := st.View(ctx, func(tx catalog.Tx) error {
		_, err := tx.Sources().Get(ctx, id)
		return err
	})
	switch {
	case errors.Is(err, catalog.ErrNotFound):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("--file %s: the register has a source that is known by this file's name, while the file says that it is of %s: add --source %s if it is that source, or another --source if it is not",
		file, stated, strconv.Quote(file))
}
