package pages

import (
	"cmp"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

// stateClasses give a state its colour and its picture, which the style sheet
// draws; the word stands beside them.
var stateClasses = map[catalog.VerificationState]markup{
	catalog.StateVerified: "ok", catalog.StateStale: "warn", catalog.StateFailing: "bad", catalog.StateUnverified: "idle",
}

// state shows a verification state.
func (w *writer) state(s catalog.VerificationState) {
	m, ok := w.locale.states[s]
	if !ok {
		m = w.locale.state(s)
	}
	w.raw(m)
}

func (t *locale) state(s catalog.VerificationState) markup {
	return `<span class="state ` + cmp.Or(stateClasses[s], "idle") + `">` + t.html("state."+string(s)) + "</span>"
}

// bar shows a value of 0 to 100; its number stands beside it.
func (w *writer) bar(v score.Tenths) {
	w.raw(`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="bar-bg" width="100" height="8"/><rect class="bar-v" height="8" width="`)
	w.points(v)
	w.raw(`"/></svg>`)
}

// right writes the cell of a table that says yes, no or unknown.
func (w *writer) right(r catalog.Right) {
	switch r {
	case catalog.RightYes:
		w.raw(w.locale.yes)
	case catalog.RightNo:
		w.raw(w.locale.no)
	default:
		w.raw(w.locale.unknown)
	}
}

// part begins a section of a page; its heading is a string of the interface.
func (w *writer) part(id markup, heading string) {
	w.raw(`<section class="part" id="`, id, `" aria-labelledby="h-`, id, `"><h2 id="h-`, id, `">`)
	w.t(heading)
	w.raw("</h2>")
}

func (w *writer) end() { w.raw("</section>\n") }

// copyable shows text in one line with a button that copies it.
func (w *writer) copyable(text string) {
	w.raw(`<div class="line"><div class="field" tabindex="0" translate="no">`)
	w.text(text)
	w.raw(`</div><button class="btn btn-s" type="button" data-copy hidden>`)
	w.t("copy")
	w.raw("</button></div>")
}

// code begins text in lines with a button that copies it.
func (w *writer) code(label string) {
	w.same("code", label, func() {
		w.raw(`<div class="stack code"><div class="line"><span class="small soft">`)
		w.t(label)
		w.raw(`</span><button class="btn btn-s" type="button" data-copy hidden>`)
		w.t("copy")
		w.raw(`</button></div><pre tabindex="0" translate="no"><code>`)
	})
}

func (w *writer) endCode() { w.raw("</code></pre></div>") }

// table begins a table in a region that scrolls by itself. A caption stands over
// the same columns everywhere.
func (w *writer) table(caption string, columns ...string) {
	w.same("table", caption, func() {
		w.raw(`<div class="scroll" tabindex="0" role="group"`)
		w.raw(` aria-label="`)
		w.t(caption)
		w.raw(`"><table><caption>`)
		w.t(caption)
		w.raw("</caption><thead><tr>")
		for _, c := range columns {
			w.raw(`<th scope="col">`)
			w.t(c)
			w.raw("</th>")
		}
		w.raw("</tr></thead><tbody>")
	})
}

func (w *writer) endTable() { w.raw("</tbody></table></div>") }

// more begins a disclosure.
func (w *writer) more(label string) {
	w.raw(`<details class="more"><summary>`)
	w.t(label)
	w.raw("</summary>")
}

func (w *writer) endMore() { w.raw("</details>") }

// crumb is one step of the way to a page: a string of the interface or a name
// from outside.
type crumb struct{ key, name, route string }

func (w *writer) crumbs(list ...crumb) {
	w.raw(`<nav class="crumbs" aria-label="`)
	w.t("nav.crumbs")
	w.raw(`"><ol>`)
	w.crumb(&crumb{key: "nav.home", route: "/"})
	for i := range list {
		w.crumb(&list[i])
	}
	w.raw("</ol></nav>")
}

func (w *writer) crumb(c *crumb) {
	w.raw("<li>")
	if c.route != "" {
		w.raw("<a")
		w.route("href", c.route)
		w.raw(">")
	}
	if c.key != "" {
		w.t(c.key)
	} else {
		w.outside(clip(c.name, 60))
	}
	if c.route != "" {
		w.raw("</a>")
	}
	w.raw("</li>")
}

func (w *writer) term(key string) {
	w.raw("<dt>")
	w.t(key)
	w.raw("</dt><dd>")
}

func (w *writer) endTerm() { w.raw("</dd>") }

// rest says how many of a list are not shown.
func (w *writer) rest(all, shown int) {
	if all > shown {
		w.raw(`<p class="small soft">`)
		w.text(w.locale.str("more_in_json", "n", w.locale.number(all-shown)))
		w.raw("</p>")
	}
}
