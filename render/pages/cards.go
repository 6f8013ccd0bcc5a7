package pages

import (
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/card"
	"github.com/assay-register/assay/render/snapshot"
)

// cardRoute is where the picture of a list lies that other sites show beside a link to it.
func cardRoute(facet, value string) string {
	return "/cards/" + facet + "/" + url.PathEscape(strings.ToLower(value)) + ".png"
}

// pictured tells that a list has a picture of its own.
func (l *list) pictured() bool {
	return slices.Contains([]string{"type", "theme", "institution"}, l.facet)
}

// card emits the picture of a list, which is drawn again only when its words change.
func (b *snapshotView) card(l *list, emit func(artifact.File) error) error {
	if !l.pictured() {
		return nil
	}
	t := locales()[languages[0]]
	name, _, _ := b.nameOf(t, l)
	_, host, _ := strings.Cut(b.site.BaseURL, "://")
	c := card.Card{Titles: []string{name}, Kind: t.T("facet." + l.facet), Register: b.site.Name, Host: strings.TrimSuffix(host, "/")}
	var basis snapshot.Basis
	basis.Text(append(c.Titles, c.Kind, c.Register, c.Host)...)
	route := cardRoute(l.facet, l.value)
	return emit(artifact.File{Route: route, Type: card.Type, Class: Class, Page: route, Basis: basis.Sum(), Make: c.PNG})
}
