package pages

import (
	"fmt"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
)

// Arrive renders the pages that a published tree does not have yet, of those
// that come and go with the register. Nothing leads to them before the pages
// that exist are written again, so with these in place first no reader meets a
// link to nothing.
func (p *Pages) Arrive(c *snapshot.Catalog, has func(route, media string) bool, emit func(artifact.File) error) error {
	for _, f := range assetFiles(c.Site) {
		if has(f.Route, f.Type) {
			continue
		}
		if err := emit(f); err != nil {
			return err
		}
	}
	b := p.bookOf(c)
	missing := func(f artifact.File) error {
		if has(f.Route, f.Type) {
			return nil
		}
		return emit(f)
	}
	if err := b.arrivingLists(has, missing); err != nil {
		return err
	}
	for i := range c.Harvested {
		if has("/source/"+c.Harvested[i].Source.ID, HTML) {
			continue
		}
		body, err := b.source(&c.Harvested[i])
		if err == nil {
			err = emit(page("/source/"+c.Harvested[i].Source.ID, body))
		}
		if err != nil {
			return fmt.Errorf("source %s: %w", c.Harvested[i].Source.ID, err)
		}
	}
	for i := range c.Lines {
		if has("/entry/"+c.Lines[i].Slug, HTML) {
			continue
		}
		files, err := p.Linked(c, i)
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := emit(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// arrivingLists renders the lists that have a page which is not there.
func (b *book) arrivingLists(has func(route, media string) bool, emit func(artifact.File) error) error {
	for _, s := range b.shelves {
		for _, l := range s.list {
			if has(l.route(l.pages()), HTML) && has(l.base, HTML) {
				continue
			}
			if err := b.listPages(l, emit, b.aboutOf(l)); err != nil {
				return err
			}
		}
	}
	// Beyond the values that a facet counts out there are more of these.
	for _, id := range sorted(b.holdings) {
		if l := b.institutionList(id); l != nil && !has(l.base, HTML) {
			if err := b.listPages(l, emit, b.aboutOf(l)); err != nil {
				return err
			}
		}
	}
	list := b.c.Series()
	for i := range list {
		if l := b.seriesList(&list[i]); !has(l.base, HTML) {
			if err := b.listPages(l, emit, b.aboutOf(l)); err != nil {
				return err
			}
		}
	}
	for _, code := range sorted(b.lands) {
		if l := b.countryList(code); !has(l.base, HTML) {
			if err := b.listPages(l, emit, b.aboutOf(l)); err != nil {
				return err
			}
		}
	}
	return nil
}
