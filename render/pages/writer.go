package pages

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/score"
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
	memory *memory
}

func (w *writer) raw(first markup, more ...markup) {
	w.b = append(w.b, first...)
	for _, m := range more {
		w.b = append(w.b, m...)
	}
}

// t writes a string of the interface.
func (w *writer) t(key string) { w.b = append(w.b, w.locale.html(key)...) }

// tag writes an element that holds a string of the interface.
func (w *writer) tag(name markup, key string) {
	w.raw("<", name, ">")
	w.t(key)
	w.raw("</", name, ">")
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

// joined writes words with commas between them as clip does.
func (w *writer) joined(words []string, n int) {
	if !joinable(words, n) {
		w.clip(strings.Join(words, ", "), n)
		return
	}
	for i, word := range words {
		if i > 0 {
			w.raw(", ")
		}
		w.text(word)
	}
}

// int writes a number for readers.
func (w *writer) int(n int) { w.b = w.locale.appendNumber(w.b, n) }

// digits writes a number for machines.
func (w *writer) digits(n int) { w.b = strconv.AppendInt(w.b, int64(n), 10) }

// points writes a score with one decimal.
func (w *writer) points(v score.Tenths) {
	if v < 0 {
		w.raw("-")
		v = -v
	}
	w.digits(int(v / 10))
	w.b = append(w.b, '.', byte('0'+v%10))
}

// float writes a number with so many decimals.
func (w *writer) float(v float64, decimals int) {
	w.b = strconv.AppendFloat(w.b, v, 'f', decimals, 64)
}

// attr writes an attribute. The name must not be one that holds an address or
// a script; href does those.
func (w *writer) attr(name markup, parts ...string) {
	w.raw(" ", name, `="`)
	for _, p := range parts {
		w.text(p)
	}
	w.raw(`"`)
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

// native writes the attributes of text from outside: its language, a direction
// of its own, and that it is not ours to translate.
func (w *writer) native(lang string) {
	if lang != "" {
		w.attr("lang", lang)
	}
	w.raw(` dir="auto" translate="no"`)
}

// outside writes text from outside inside an element of its own.
func (w *writer) outside(s string) {
	w.raw(`<bdi translate="no">`)
	w.text(s)
	w.raw("</bdi>")
}

// web writes a link to another site, or only the text if the address is none
// that a page may link.
func (w *writer) web(address, label string) {
	if !linkable(address) {
		w.outside(label)
		return
	}
	w.raw(`<a rel="nofollow"`)
	w.href(address)
	w.raw(` dir="auto" translate="no">`)
	w.text(label)
	w.raw("</a>")
}

// href writes an address that linkable let pass.
func (w *writer) href(parts ...string) {
	w.raw(` href="`)
	for _, p := range parts {
		w.text(encodeAddress(p))
	}
	w.raw(`"`)
}

// time writes an instant with its machine-readable form.
func (w *writer) time(t time.Time) {
	w.raw(`<time datetime="`)
	from := len(w.b)
	w.stamp(t)
	stamp := w.b[from:]
	w.raw(`">`)
	day, clock, _ := bytes.Cut(stamp, []byte("T"))
	w.b = append(w.b, day...)
	w.raw(" ")
	w.b = append(w.b, clock[:len("15:04")]...)
	w.raw(" UTC</time>")
}

// day writes the day of an instant.
func (w *writer) day(t time.Time) {
	w.raw("<time>")
	w.date(t)
	w.raw("</time>")
}

// stamp writes an instant for machines. Of all layouts, package time knows this
// one by heart.
func (w *writer) stamp(t time.Time) { w.b = t.UTC().AppendFormat(w.b, time.RFC3339) }

// date writes the day of an instant for machines.
func (w *writer) date(t time.Time) {
	from := len(w.b)
	w.stamp(t)
	w.b = w.b[:from+bytes.IndexByte(w.b[from:], 'T')]
}
