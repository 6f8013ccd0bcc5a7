package pages

import (
	"bytes"
	"fmt"
	"html/template"

	"github.com/a-h/templ"

	"github.com/assay-register/assay/templates"
)

// execute runs a template with the words of a language.
func (k *renderer) execute(t *locale, name string, data any) ([]byte, error) {
	tmpl, err := k.template(t, name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := tmpl.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("template %s: %w", name, err)
	}
	return b.Bytes(), nil
}

// template parses a template once for each language; the files are part of the
// program, so there are only so many.
func (k *renderer) template(t *locale, name string) (*template.Template, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	key := t.code + " " + name
	if tmpl := k.parsed[key]; tmpl != nil {
		return tmpl, nil
	}
	tmpl, err := template.New(name).Funcs(k.funcs(t)).ParseFS(templates.Files, name, screenFragments)
	if err != nil {
		return nil, err
	}
	k.parsed[key] = tmpl
	return tmpl, nil
}

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
