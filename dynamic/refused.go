package dynamic

import (
	"net/http"
	"strings"

	"github.com/assay-register/assay/dynamic/documents"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates/info"
)

// refused is the page on which a browser that asked for a page reads why there is none, in the
// language of the address: that of the snapshot where nothing lies. Nil for programs, and while the
// register has no snapshot: they get the problem document.
func (s *Service) refused(r *http.Request, p *wire.Problem) []byte {
	current := s.Current()
	if current == nil || !documents.WantsPage(r) || strings.HasPrefix(r.URL.Path, assetPrefix) {
		return nil
	}
	lang, _ := wire.RouteLang(r.URL.Path)
	var page []byte
	var err error
	if p.Status == http.StatusNotFound || p.Status == http.StatusGone {
		page, err = s.documents.Read(wire.LocalRoute(lang, wire.RouteLost))
	} else {
		main := &info.Refused{Status: p.Status, Detail: p.Detail}
		page, err = s.views.Screen(current, view.Screen{ID: "refused", TitleKey: main.Key() + ".heading", Lang: lang, Main: main})
	}
	if err != nil {
		return nil // the problem document says the same
	}
	return page
}
