package evidence

import (
	"fmt"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// shown is a citation as the page for people has it.
type shown struct {
	*cited
	Entry, Check, Text, Answer string
}

// page makes the citation for people in a language.
func (d *Handlers) page(lang string) func(*snapshot.Catalog, *catalog.Evidence) ([]byte, error) {
	return func(c *snapshot.Catalog, e *catalog.Evidence) ([]byte, error) {
		about, err := read(c.Site, e)
		if err != nil {
			return nil, err
		}
		on := e.CreatedAt.UTC().Format("2006-01-02")
		return d.Pages.Screen(c, pages.Screen{ID: "evidence", Lang: lang, Title: about.Name, Data: shown{about,
			wire.Path(c.Site, entryPrefix+e.EntryID), wire.Path(c.Site, "/api/v1/verify/"+e.SHA256),
			fmt.Sprintf("%s: “%s” (%s). %s", c.Site.Name, about.Name, on, about.URL), string(e.Body)}})
	}
}
