// Package apigouvfr reads the catalogue of French public-sector APIs behind
// https://api.gouv.fr: a directory of markdown files with YAML front matter,
// api/*.md for the APIs and producteurs/*.md for those who run them.
package apigouvfr

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "api-gouv-fr"

// site is the catalogue's address; relative links are relative to it.
const site = "https://api.gouv.fr"

// Connector implements source.Connector.
type Connector struct{}

// Run implements source.Connector. The input is the directory, or a tar or
// zip archive of it; the two folders may lie at any depth.
func (Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	tree, err := in.Tree(ctx, wanted)
	if err != nil {
		return err
	}
	for _, bad := range tree.Problems() {
		if err := reject(bad); err != nil {
			return err
		}
	}
	names, err := tree.Names()
	if err != nil {
		return err
	}
	m := mapper{in: &in, host: in.Host("api.gouv.fr"), producers: producers(tree, names)}
	for _, name := range names {
		if folder(name) != "api" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read %s: %w", in.Name, err)
		}
		draft, bad := m.read(tree, name)
		if bad != nil {
			err = reject(*bad)
		} else {
			err = emit(draft)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// folder is the name of the folder that a file lies in.
func folder(name string) string { return path.Base(path.Dir(name)) }

func wanted(name string) bool {
	f := folder(name)
	return path.Ext(name) == ".md" && (f == "api" || f == "producteurs") && !strings.HasPrefix(path.Base(name), ".")
}

// slug is the name of a file without folder and extension: the upstream id.
func slug(name string) string { return strings.TrimSuffix(path.Base(name), ".md") }

// producer is one file of producteurs.
type producer struct{ name, url string }

// producers reads the names of the publishers by slug. A broken file only
// costs a name.
func producers(tree *source.Tree, names []string) map[string]producer {
	out := map[string]producer{}
	for _, name := range names {
		if folder(name) != "producteurs" {
			continue
		}
		data, bad := tree.Read(name)
		if bad != nil {
			continue
		}
		page, err := parse(data)
		if err != nil {
			continue
		}
		title, _ := source.Line(page.text("name"))
		home, _, _ := source.URLRules{Base: site}.Repair("url", page.text("site"))
		if title != "" {
			out[slug(name)] = producer{name: title, url: home}
		}
	}
	return out
}
