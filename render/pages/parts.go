package pages

import (
	"cmp"

	"github.com/assay-register/assay/render/catalog"
)

// stateClasses give a state its colour and its picture, which the style sheet
// draws; the word stands beside them.
var stateClasses = map[catalog.VerificationState]markup{
	catalog.StateVerified: "ok", catalog.StateStale: "warn", catalog.StateFailing: "bad", catalog.StateUnverified: "idle",
}

func (t *locale) state(s catalog.VerificationState) markup {
	return `<span class="state ` + cmp.Or(stateClasses[s], "idle") + `">` + t.html("state."+string(s)) + "</span>"
}

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
