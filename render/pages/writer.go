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
