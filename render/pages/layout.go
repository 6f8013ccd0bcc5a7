package pages

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"strings"
	"sync"

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
	// Data is a block of JSON-LD that was made for a script element.
	Data []byte
	// Kind is the Open Graph type, "website" if empty.
	Kind string
}

// Alternate is another form of a page: its media type, its route and a title.
type Alternate struct{ Type, Route, Title string }

// renderer is what all pages of one site share.
type renderer struct {
	site snapshot.Site
	// base is the address of the register without a slash at its end, prefix
	// what it has behind scheme and host.
	base, prefix string
	// memories hold what pages of a language share.
	memories map[string]*memory
	mu       sync.Mutex
	// frames and parsed are the layout by language and section, and the
	// templates by language and name.
	frames map[[2]string]*frame
	parsed map[string]*template.Template
}

func newKit(s snapshot.Site) *renderer {
	k := &renderer{site: s, base: strings.TrimSuffix(s.BaseURL, "/"), prefix: basePath(s.BaseURL), memories: map[string]*memory{}, frames: map[[2]string]*frame{}, parsed: map[string]*template.Template{}}
	for _, code := range languages {
		k.memories[code] = newMemory()
	}
	return k
}

// writer makes a writer that begins in a room.
func (k *renderer) writer(room []byte, t *locale) *writer {
	return &writer{b: room, renderer: k, locale: t, memory: k.memories[t.code]}
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

// funcs are the functions of the templates for a language.
func (k *renderer) funcs(t *locale) template.FuncMap {
	return template.FuncMap{
		"t":      func(key string, pairs ...string) string { return t.str(key, pairs...) },
		"route":  func(route string) string { return k.prefix + route },
		"local":  func(route string) string { return k.prefix + localRoute(t.code, route) },
		"asset":  func(name string) string { return k.prefix + assetRoute(name) },
		"number": t.number,
		"word":   t.word,
		"dict":   dict,
		"list":   func(words ...string) []string { return words },
	}
}

// localRoute puts a language before the route of a translated page.
func localRoute(lang, route string) string {
	switch {
	case lang == languages[0]:
		return route
	case route == "/":
		return "/" + lang
	}
	return "/" + lang + route
}

// frame is the layout of a section in a language: what stands before each slot
// and behind the last one.
type frame struct{ title, meta, main, languages, end markup }

func (k *renderer) frame(t *locale, section string) (*frame, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	key := [2]string{t.code, section}
	if f := k.frames[key]; f != nil {
		return f, nil
	}
	layout, err := template.New("layout.html").Funcs(k.funcs(t)).ParseFS(templates.Files, "layout.html")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = layout.Execute(&b, map[string]any{"Lang": t.code, "Site": k.site.Name, "Section": section, "Policy": wire.PagePolicy, "Theme": k.themed(), "OwnClock": k.site.OwnClock,
		"Slots": slots, "Languages": languages[1:], "Sections": sections})
	if err != nil {
		return nil, fmt.Errorf("layout: %w", err)
	}
	f := &frame{}
	rest := b.String()
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
var sections = []struct {
	ID, Route string
	// Local tells that the page exists in every language.
	Local bool
}{{"browse", "/browse", false}, {"leaderboard", "/leaderboard", true}, {"compare", "/compare", true}, {"docs", "/docs", false}, {"status", "/status", true}}

// headRoom is about what a page takes besides its main part, in bytes.
const headRoom = 12 << 10

// document writes a page in a room; main writes its main part.
func (k *renderer) document(room []byte, h *Head, main func(*writer)) ([]byte, error) {
	w := k.writer(room, locales()[cmp.Or(h.Lang, languages[0])])
	f, err := k.frame(w.locale, h.Section)
	if err != nil {
		return nil, err
	}
	w.raw(f.title)
	w.title(h)
	w.raw(f.meta)
	w.metadata(h)
	w.raw(f.main)
	main(w)
	w.raw(f.languages)
	w.languages(h)
	w.raw(f.end)
	return w.b, nil
}

func (w *writer) title(h *Head) {
	if h.Title != "" {
		w.clip(h.Title, 120)
		w.raw(" · ")
	}
	w.text(w.site.Name)
}

// metadata are the elements of the head that differ between pages.
func (w *writer) metadata(h *Head) {
	own, about := h.Route, clip(h.Description, 300)
	if h.Translated {
		own = localRoute(w.locale.code, h.Route)
	}
	w.meta("name", "description", about)
	switch {
	case h.Hidden:
		w.meta("name", "robots", "noindex")
	case h.Moved != "":
		w.meta("http-equiv", "refresh", "0; url=", w.prefix, h.Moved)
		w.raw(`<link rel="canonical"`)
		w.href(w.base, h.Moved)
		w.raw(">\n")
	default:
		w.raw(`<link rel="canonical"`)
		w.href(w.base, own)
		w.raw(">\n")
	}
	if h.Translated {
		for _, code := range languages {
			w.raw(`<link rel="alternate"`)
			w.attr("hreflang", code)
			w.href(w.base, localRoute(code, h.Route))
			w.raw(">\n")
		}
	}
	for _, a := range h.Alternates {
		w.raw(`<link rel="alternate"`)
		w.attr("type", a.Type)
		w.attr("title", a.Title)
		w.route("href", a.Route)
		w.raw(">\n")
	}
	w.meta("property", "og:type", cmp.Or(h.Kind, "website"))
	w.meta("property", "og:title", clip(cmp.Or(h.Title, w.site.Name), 120))
	w.meta("property", "og:description", about)
	w.meta("property", "og:url", w.base, own)
	w.same("card", "", w.card)
	for _, s := range h.Scripts {
		w.raw(`<script type="module"`)
		w.route("src", assetRoute(s))
		w.raw("></script>\n")
	}
	if h.Data != nil {
		w.raw(`<script type="application/ld+json">`)
		w.b = append(w.b, h.Data...) // escaped for a script element by render/schemaorg
		w.raw("</script>\n")
	}
}

// card is what a preview of a page shows besides its own.
func (w *writer) card() {
	w.meta("property", "og:image", w.base, assetRoute("card.png"))
	w.meta("property", "og:site_name", w.site.Name)
	w.meta("name", "twitter:card", "summary_large_image")
}

func (w *writer) meta(kind markup, name string, content ...string) {
	w.raw("<meta")
	w.attr(kind, name)
	w.attr("content", content...)
	w.raw(">\n")
}

// languages leads to the page in the other languages: to another address, or
// to the module that translates in place.
func (w *writer) languages(h *Head) {
	for _, code := range languages {
		w.raw("<a")
		w.attr("lang", code)
		w.attr("hreflang", code)
		w.attr("data-lang", code)
		if h.Translated {
			w.route("href", localRoute(code, h.Route))
		} else {
			w.route("href", localRoute(code, "/"))
		}
		if code == w.locale.code {
			w.raw(` aria-current="true"`)
		}
		w.raw(` translate="no">`)
		w.text(locales()[code].name)
		w.raw("</a>")
	}
}

// dict lets a template hand several values to another: name, value, name,
// value.
func dict(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return m
}
