package pages

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assay-register/assay/render/catalog"
)

// markup is HTML that this package wrote. Constants convert to it by
// themselves, text from outside does not: it must go through a method that
// escapes.
type markup string

// writer builds a piece of a page.
type writer struct {
	b []byte
	*kit
	tongue *tongue
}

func (w *writer) raw(parts ...markup) {
	for _, p := range parts {
		w.b = append(w.b, p...)
	}
}

// t writes a string of the interface.
func (w *writer) t(key string) { w.b = append(w.b, w.tongue.html(key)...) }

// tag writes an element that holds a string of the interface.
func (w *writer) tag(name markup, key string) {
	w.raw("<", name, ">")
	w.t(key)
	w.raw("</", name, ">")
}

// text writes text from anywhere.
func (w *writer) text(s string) { w.b = appendEscaped(w.b, s) }

func (w *writer) int(n int) { w.b = append(w.b, w.tongue.number(n)...) }

// digits writes a number for machines.
func (w *writer) digits(n int) { w.b = strconv.AppendInt(w.b, int64(n), 10) }

// attr writes an attribute. The name must not be one that holds an address or
// a script; href does those.
func (w *writer) attr(name markup, value string) {
	w.raw(" ", name, `="`)
	w.text(value)
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
	w.raw(`<a rel="nofollow noopener"`)
	w.href(address)
	w.raw(` dir="auto" translate="no">`)
	w.text(label)
	w.raw("</a>")
}

// href writes an address that linkable let pass.
func (w *writer) href(address string) {
	w.raw(` href="`)
	w.text(encodeAddress(address))
	w.raw(`"`)
}

// linkable tells that a page may link an address: http or https, well-formed.
func linkable(address string) bool {
	return (strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")) && catalog.CheckURL("url", address) == nil
}

// encodeAddress writes what may stand in an address but not in an attribute of
// one as percent codes.
func encodeAddress(s string) string {
	if !strings.ContainsAny(s, " \"<>\\^`{|}[]") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case ' ', '"', '<', '>', '\\', '^', '`', '{', '|', '}', '[', ']':
			b.WriteString("%" + strings.ToUpper(strconv.FormatInt(int64(c), 16)))
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// time writes an instant with its machine-readable form.
func (w *writer) time(t time.Time) {
	t = t.UTC()
	w.raw(`<time datetime="`)
	w.b = t.AppendFormat(w.b, time.RFC3339)
	w.raw(`">`)
	w.b = t.AppendFormat(w.b, "2006-01-02 15:04")
	w.raw(" UTC</time>")
}

// day writes the day of an instant.
func (w *writer) day(t time.Time) {
	t = t.UTC()
	w.raw("<time>")
	w.b = t.AppendFormat(w.b, time.DateOnly)
	w.raw("</time>")
}

// appendEscaped appends text so that it is text inside an element and inside a
// quoted attribute alike. Control characters, which HTML forbids and of which
// NUL is our own mark, are left out.
func appendEscaped(b []byte, s string) []byte {
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x80 {
			r, n := utf8.DecodeRuneInString(s[i:])
			if n == 1 || r < 0xa0 || r >= 0xfdd0 && r <= 0xfdef || r&0xfffe == 0xfffe {
				b = append(append(b, s[from:i]...), "\uFFFD"...)
				from = i + n
			}
			i += n
			continue
		}
		e, special := escapes[c], c < 0x20 || c == 0x7f
		if special = special && c != '\t' && c != '\n'; e == "" && !special {
			i++
			continue
		}
		b = append(append(b, s[from:i]...), e...)
		i++
		from = i
	}
	return append(b, s[from:]...)
}

var escapes = [128]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&#34;", '\'': "&#39;"}
