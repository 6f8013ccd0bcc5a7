package pages

import (
	"github.com/assay-register/assay/templates"
)

// markup is HTML that this package wrote. Constants convert to it by
// themselves, text from outside does not: it must go through a method that
// escapes.
type markup string

// writer builds a fragment of a page.
type writer struct {
	b []byte
	*renderer
	locale *locale
}

func (w *writer) raw(first markup, more ...markup) {
	w.b = append(w.b, first...)
	for _, m := range more {
		w.b = append(w.b, m...)
	}
}

// t writes a string of the interface.
func (w *writer) t(key string) { w.b = append(w.b, w.locale.html(key)...) }

// text writes text from anywhere.
func (w *writer) text(s string) { w.b = appendEscaped(w.b, s) }

// clip writes text, n characters of it at most, on one line.
func (w *writer) clip(s string, n int) {
	line, cut := templates.Shorten(s, n)
	w.text(line)
	if cut {
		w.raw("…")
	}
}

// route writes a path of the register as the value of an attribute.
func (w *writer) route(name markup, parts ...string) {
	w.raw(" ", name, `="`)
	w.text(w.prefix)
	for _, p := range parts {
		w.text(p)
	}
	w.raw(`"`)
}

// outside writes text from outside inside an element of its own.
func (w *writer) outside(s string) {
	w.raw(`<bdi translate="no">`)
	w.text(s)
	w.raw("</bdi>")
}
