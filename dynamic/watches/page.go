package watches

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/assay-register/assay/dynamic/notify"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates/forms"
)

type step = forms.WatchStep

// step shows a page on the way of a watch, in its language, "" where none is known.
func (g *Group) step(w http.ResponseWriter, r *http.Request, status int, lang string, s step) error {
	return g.show(w, r, status, view.Screen{ID: "watch-step", Lang: lang, TitleKey: "watch." + s.Step, Main: &s})
}

// langOf is the language that a browser asks for, that of a watch where it asks for none.
func langOf(r *http.Request, watch string) string {
	if r.Header.Get("Accept-Language") == "" && watch != "" {
		return watch
	}
	return Wanted(r)
}

// form is where a watch begins, in the language of a page.
func (g *Group) form(lang string) string {
	return wire.Path(g.Site(), wire.LocalRoute(lang, "/watch"))
}

// show answers with a page in the language that the browser asks for, else in that of the watch. Its address holds a
// token, so it is told to nobody.
func (g *Group) show(w http.ResponseWriter, r *http.Request, status int, s view.Screen) error {
	current := g.Current()
	if current == nil {
		return &web.Error{Problem: wire.Problem{Status: http.StatusServiceUnavailable, Detail: "The register has no snapshot yet."}}
	}
	s.Lang = langOf(r, s.Lang)
	body, err := g.Views.Screen(current, s)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Vary", "Accept, Accept-Language")
	web.ReplyPage(w, r, status, body)
	return nil
}

// refuse answers a token that is good no more, as a page to a browser.
func (g *Group) refuse(w http.ResponseWriter, r *http.Request, err error) error {
	if !errors.Is(err, catalog.ErrNotFound) {
		return err
	}
	if wantsJSON(r) {
		return web.NotFound("The token is not known, was used, or has expired.")
	}
	return g.step(w, r, http.StatusNotFound, "", step{Step: "expired", Link: g.form(Wanted(r))})
}

// wantsJSON tells a program from a browser; one that does not say is a browser.
func wantsJSON(r *http.Request) bool {
	return web.Prefer(strings.Join(r.Header.Values("Accept"), ","), "text/html", wire.MediaJSON) == wire.MediaJSON
}

func (g *Group) managePath(token string) string {
	return wire.Path(g.Site(), notify.RouteManage+token)
}

// manage shows the page on which a watch is changed.
func (g *Group) manage(w http.ResponseWriter, r *http.Request, watch *catalog.Watch, saved bool) error {
	f := &watch.Filter
	m := forms.WatchManage{Countries: strings.Join(f.Countries, ", "), Tags: strings.Join(f.Tags, ", "), Institutions: slices.Clone(f.Institutions), All: !f.OfEntries(),
		Frequency: string(watch.Frequency), Saved: saved, End: wire.Path(g.Site(), notify.RouteUnsubscribe+r.PathValue("token"))}
	if d := watch.Digest; d != nil {
		m.Owner, m.All, m.Institutions = true, false, slices.Concat(d.Institutions, d.Sources)
	}
	for _, kind := range f.Types {
		m.Events = append(m.Events, string(kind))
	}
	for i, id := range m.Institutions {
		if known := g.institution(id); known != nil {
			m.Institutions[i] = known.Name
		}
	}
	if d := watch.Digest; d != nil && len(d.Sources) > 0 {
		if err := g.sources(r.Context(), m.Institutions); err != nil {
			return err
		}
	}
	var err error
	if m.Entries, err = g.entries(r.Context(), langOf(r, watch.Lang), f.Entries); err != nil {
		return err
	}
	return g.show(w, r, http.StatusOK, view.Screen{ID: "watch-manage", Lang: watch.Lang, TitleKey: "watch.manage", Main: &m})
}

// sources names those of a list of ids that are sources.
func (g *Group) sources(ctx context.Context, list []string) error {
	return g.Store.View(ctx, func(tx catalog.Tx) error {
		all, err := tx.Sources().All(ctx)
		for i := range all {
			if k := slices.Index(list, all[i].ID); k >= 0 {
				list[k] = cmp.Or(all[i].Title, all[i].Key)
			}
		}
		return err
	})
}

func (g *Group) institution(id string) *catalog.Institution {
	if current := g.Current(); current != nil {
		return current.Institutions[id]
	}
	return nil
}

// entries names entries as they are now, as the watch may be newer than the
// snapshot.
func (g *Group) entries(ctx context.Context, lang string, ids []string) ([]forms.Named, error) {
	var found []catalog.Entry
	err := g.Store.View(ctx, func(tx catalog.Tx) (err error) {
		found, err = tx.Entries().Get(ctx, ids...)
		return err
	})
	out := make([]forms.Named, len(ids))
	for i, id := range ids {
		out[i].Name = id
		for j := range found {
			if e := &found[j]; e.ID == id && e.Visible(g.Now()) {
				out[i] = forms.Named{Name: e.Name, Route: wire.Path(g.Site(), wire.LocalRoute(lang, "/entry/"+e.Slug))}
			}
		}
	}
	return out, err
}
