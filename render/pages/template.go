package pages

import (
	"github.com/a-h/templ"

	"github.com/assay-register/assay/templates"
)

// component writes a component.
func (w *writer) component(c templ.Component) (err error) {
	w.b, err = templates.Append(w.b, c)
	return err
}

// siteIn is the site in a language, for components.
func (k *renderer) siteIn(t *locale) *templates.Site {
	s := &templates.Site{Locale: t, Name: k.site.Name, Base: k.base, Prefix: k.prefix, First: languages[0], Asset: assetRoute, Linkable: linkable, Encoded: encodeAddress}
	for _, code := range languages {
		s.Languages = append(s.Languages, templates.Language{Code: code, Name: locales()[code].name})
	}
	return s
}
