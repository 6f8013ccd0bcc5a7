package openapidoc

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// folder maps the documents of a folder or archive, in byte order of their
// paths, so that of two documents about one API the same one always leads. It
// reads them twice: first to learn which are about one API, because versions
// and syntaxes of a document are members of one entry (decisions §4).
func (m *mapper) folder(ctx context.Context) error {
	in := *m.in
	if in.Open != nil {
		in.Files = nil
	} else if in.Files == nil {
		return fmt.Errorf("open %s: the input is neither a document nor a folder", in.Name)
	}
	tree, err := in.Tree(ctx, wanted)
	if err != nil {
		return err
	}
	for _, bad := range tree.Problems() {
		if err := m.reject(bad); err != nil {
			return err
		}
	}
	names, err := tree.Names()
	if err != nil {
		return err
	}
	m.documents = map[string][]catalog.Member{}
	for _, take := range []func([]byte, *source.Rejection, *doc) error{m.survey, m.document} {
		for _, name := range names {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("read %s: %w", in.Name, err)
			}
			data, bad := tree.Read(name)
			if err := take(data, bad, m.file(tree, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// file is a document of the folder.
func (m *mapper) file(tree *source.Tree, name string) *doc {
	d := &doc{place: tree.Place(name), id: name}
	if base := m.in.Source.Filters[FilterBase]; base != "" {
		d.address = strings.TrimSuffix(base, "/") + "/" + name
	}
	return d
}

// survey files a document under its API.
func (m *mapper) survey(data []byte, bad *source.Rejection, d *doc) error {
	draft, bad := m.build(data, bad, d)
	key := matchKey(&draft)
	if bad != nil || len(m.documents[key]) >= catalog.ListMax {
		return nil
	}
	e := &draft.Entry
	member := catalog.Member{URL: e.API.OpenAPIURL, Formats: []string{"JSON"}}
	if !strings.HasSuffix(strings.ToLower(d.id), ".json") {
		member.Formats = []string{"YAML"}
	}
	member.Name = source.Token(d.id)
	member.Title, _ = source.Cut(strings.TrimSpace(e.Name+" "+e.API.Version), catalog.NameMax)
	m.documents[key] = append(m.documents[key], member)
	return nil
}

// matchKey is the key under which the run will find the entry.
func matchKey(d *source.Draft) string {
	e := d.Entry
	identity.Keys(&e)
	return e.MatchKey
}
