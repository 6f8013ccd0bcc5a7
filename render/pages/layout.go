package pages

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"github.com/a-h/templ"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates"
)

// Head is what a page says about itself.
type Head struct {
	// Lang is the language of the page, "en" if empty.
	Lang string
	// Section is the part of the site to which the page belongs, for the
	// navigation, or "".
	Section string
	// Title and Description are text, the title without the site's name.
	Title, Description string
	// Route is the page's own, without the language before it.
	Route string
	// Translated tells that the page exists in every interface language.
	Translated bool
	// Hidden keeps the page out of search engines.
	Hidden bool
	// Moved is the route that takes the page's place: readers are led there at
	// once, also where nobody can answer with a redirect. "" for none.
	Moved string
	// Scripts are assets that the page needs besides the site's own.
	Scripts []string
	// Alternates are other forms of the page.
	Alternates []Alternate
	// Cards are the routes of pictures that other sites show beside a link, the best one first; nil for
	// that of the register.
	Cards []string
	// Data is a block of JSON-LD that was made for a script element.
	Data []byte
}

// Alternate is another form of a page: its media type, its route and a title.
type Alternate struct{ Type, Route, Title string }

// renderer is what all pages of one site share.
type renderer struct {
	site snapshot.Site
	// base is the address of the register without a slash at its end, prefix
	// what it has behind scheme and host.
	base, prefix string
	mu           sync.Mutex
	// frames are the layout by language and section.
	frames map[frameKey]*frame
	// sites are what the components of a language are handed.
	sites map[string]*templates.Site
}

func newKit(s snapshot.Site) *renderer {
	k := &renderer{site: s, base: strings.TrimSuffix(s.BaseURL, "/"), prefix: basePath(s.BaseURL), frames: map[frameKey]*frame{}, sites: map[string]*templates.Site{}}
	for _, code := range languages {
		k.sites[code] = k.siteIn(locales()[code])
	}
	return k
}

// writer makes a writer that begins in a room.
func (k *renderer) writer(room []byte, t *locale) *writer {
	return &writer{b: room, renderer: k, locale: t}
}

// basePath is what follows scheme and host of an address.
func basePath(base string) string {
	_, rest, _ := strings.Cut(base, "://")
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return strings.TrimSuffix(rest[i:], "/")
	}
	return ""
}

// themed is where the register's own colours lie, "" if it has none.
func (k *renderer) themed() string {
	if f := theme(k.site); f.Route != "" {
		return k.prefix + f.Route
	}
	return ""
}

// absolute is the full address of a route.
func (k *renderer) absolute(route string) string { return k.base + route }

// slots stand where a page differs from the others of its section.
var slots = []string{"Slot0Title", "Slot1Meta", "Slot2Main", "Slot3Langs"}

// localRoute puts a language before the route of a translated page.
func localRoute(lang, route string) string { return wire.LocalRoute(lang, route) }

// frameKey names a frame.
type frameKey struct{ lang, section string }

// frame is the layout of a section in a language: what stands before each slot
// and behind the last one.
type frame struct{ title, meta, main, languages, end markup }

func (k *renderer) frame(t *locale, section string) (*frame, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	key := frameKey{t.code, section}
	said := ""
	if t.code != languages[0] {
		said = "words-" + t.code + ".json"
	}
	if f := k.frames[key]; f != nil {
		return f, nil
	}
	layout := templates.Layout(k.sites[t.code], &templates.Frame{Section: section, Sections: sections, Policy: wire.PagePolicy, Theme: k.themed(), OwnClock: k.site.OwnClock, Said: said},
		slots[0], templ.Raw(slots[1]), templ.Raw(slots[2]), templ.Raw(slots[3]))
	b, err := templates.Append(nil, layout)
	if err != nil {
		return nil, fmt.Errorf("layout: %w", err)
	}
	f := &frame{}
	rest := string(b)
	for i, part := range []*markup{&f.title, &f.meta, &f.main, &f.languages} {
		before, after, found := strings.Cut(rest, slots[i])
		if !found {
			return nil, fmt.Errorf("layout has no %s", slots[i])
		}
		*part, rest = markup(before), after
	}
	f.end = markup(rest)
	k.frames[key] = f
	return f, nil
}

// sections are the parts of the site that the navigation shows.
var sections = []templates.Section{{ID: "browse", Route: "/browse"}, {ID: "leaderboard", Route: "/leaderboard"}, {ID: "compare", Route: "/compare"},
	{ID: "docs", Route: "/docs"}}

// headRoom is about what a page takes besides its main part, in bytes.
const headRoom = 12 << 10

// document writes a page in a room; main writes its main part.
func (k *renderer) document(room []byte, h *Head, main func(*writer)) ([]byte, error) {
	w := k.writer(room, locales()[cmp.Or(h.Lang, languages[0])])
	f, err := k.frame(w.locale, h.Section)
	if err != nil {
		return nil, err
	}
	head := k.head(w.locale, h)
	w.raw(f.title)
	w.text(head.Named(k.site.Name))
	w.raw(f.meta)
	if err := w.component(templates.Meta(k.sites[w.locale.code], head)); err != nil {
		return nil, err
	}
	w.raw(f.main)
	main(w)
	w.raw(f.languages)
	if err := w.component(templates.Languages(k.sites[w.locale.code], cmp.Or(head.Route, "/"))); err != nil {
		return nil, err
	}
	w.raw(f.end)
	return w.b, nil
}

// head is what a page says about itself, for its components.
func (k *renderer) head(t *locale, h *Head) *templates.Head {
	own, all := h.Route, ""
	if h.Translated {
		own, all = localRoute(t.code, h.Route), h.Route
	}
	if len(h.Cards) == 0 {
		h.Cards = []string{assetRoute("card.png")}
	}
	var alternates []templates.Alternate
	for _, a := range h.Alternates {
		alternates = append(alternates, templates.Alternate(a))
	}
	return &templates.Head{Title: h.Title, Description: h.Description, Address: own, Route: all, Hidden: h.Hidden, Moved: h.Moved, Scripts: h.Scripts, Alternates: alternates,
		Data: h.Data, Cards: h.Cards}
}
