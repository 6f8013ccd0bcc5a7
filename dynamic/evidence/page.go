package evidence

import (
	"fmt"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates/info"
)

// page makes the citation for people in a language.
func (d *Handlers) page(lang string) func(*snapshot.Catalog, *catalog.Evidence) ([]byte, error) {
	return func(c *snapshot.Catalog, e *catalog.Evidence) ([]byte, error) {
		said, err := read(c.Site, e)
		if err != nil {
			return nil, err
		}
		on := e.CreatedAt.UTC().Format("2006-01-02")
		x := info.Evidence{Name: said.Name, Publisher: said.Publisher, Source: said.Source, CreatedAt: text(said.CreatedAt), SHA256: said.SHA256, AnswerSHA256: text(said.AnswerSHA256),
			Snapshot: text(said.Snapshot), Check: wire.Path(c.Site, "/api/v1/verify/"+e.SHA256), Entry: wire.Path(c.Site, entryPrefix+e.EntryID),
			Text: fmt.Sprintf("%s: “%s” (%s). %s", c.Site.Name, said.Name, on, said.URL), Answer: string(e.Body)}
		for _, f := range said.Forms {
			x.Forms = append(x.Forms, info.Form{MediaType: f.MediaType, Href: f.Href})
		}
		return d.Pages.Screen(c, pages.Screen{ID: "evidence", Lang: lang, Title: said.Name, Main: &x})
	}
}

// text is a text that may be missing.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
