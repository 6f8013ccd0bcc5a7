package pages

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"
	"sync"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/templates"
)

// Policy is the content security policy of every page. The service sends it as
// a header with frame-ancestors beside it; a page says the rest itself, for
// hosts that send no headers.
const Policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; manifest-src 'self'"

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

// kit is what all pages of one site share.
type kit struct {
	site   snapshot.Site
	prefix string
	mu     sync.Mutex
	// frames and parsed are the layout and the templates by language and name.
	frames map[string][]string
	parsed map[string]*template.Template
}

func newKit(s snapshot.Site) *kit {
	return &kit{site: s, prefix: basePath(s.BaseURL), frames: map[string][]string{}, parsed: map[string]*template.Template{}}
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
func (k *kit) themed() string {
	if f := theme(k.site); f.Route != "" {
		return k.prefix + f.Route
	}
	return ""
}

// absolute is the full address of a route.
func (k *kit) absolute(route string) string { return strings.TrimSuffix(k.site.BaseURL, "/") + route }

// slots stand where a page differs from the others of its section.
var slots = []string{"Slot0Title", "Slot1Meta", "Slot2Main", "Slot3Langs"}

// funcs are the functions of the templates for a language.
func (k *kit) funcs(t *tongue) template.FuncMap {
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

// frame is the layout of a section in a language, cut at its slots.
func (k *kit) frame(t *tongue, section string) ([]string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	key := t.code + " " + section
	if f, ok := k.frames[key]; ok {
		return f, nil
	}
	layout, err := template.New("layout.html").Funcs(k.funcs(t)).ParseFS(templates.Files, "layout.html")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = layout.Execute(&b, map[string]any{"Lang": t.code, "Site": k.site.Name, "Section": section, "Policy": Policy, "Theme": k.themed(),
		"Slots": slots, "Languages": languages[1:], "Sections": sections})
	if err != nil {
		return nil, fmt.Errorf("layout: %w", err)
	}
	var parts []string
	rest := b.String()
	for _, s := range slots {
		before, after, found := strings.Cut(rest, s)
		if !found {
			return nil, fmt.Errorf("layout has no %s", s)
		}
		parts, rest = append(parts, before), after
	}
	k.frames[key] = append(parts, rest)
	return k.frames[key], nil
}

// sections are the parts of the site that the navigation shows.
var sections = []struct {
	ID, Route string
	// Local tells that the page exists in every language.
	Local bool
}{{"browse", "/browse", false}, {"leaderboard", "/leaderboard", true}, {"compare", "/compare", true}, {"docs", "/docs", false}, {"status", "/status", true}}

// headRoom is about what the head of a page takes besides the layout, in bytes.
const headRoom = 4096

// document puts the main part of a page into its layout.
func (k *kit) document(h *Head, main []byte) ([]byte, error) {
	if h.Lang == "" {
		h.Lang = languages[0]
	}
	t := tongues()[h.Lang]
	f, err := k.frame(t, h.Section)
	if err != nil {
		return nil, err
	}
	size := len(main) + len(h.Data) + headRoom
	for _, part := range f {
		size += len(part)
	}
	w := &writer{b: make([]byte, 0, size), kit: k, tongue: t}
	w.b = append(w.b, f[0]...)
	w.title(h)
	w.b = append(w.b, f[1]...)
	w.metadata(h)
	w.b = append(w.b, f[2]...)
	w.b = append(w.b, main...)
	w.b = append(w.b, f[3]...)
	w.languages(h)
	w.b = append(w.b, f[4]...)
	return w.b, nil
}

func (w *writer) title(h *Head) {
	if h.Title != "" {
		w.text(clip(h.Title, 120))
		w.raw(" · ")
	}
	w.text(w.site.Name)
}

// metadata are the elements of the head that differ between pages.
func (w *writer) metadata(h *Head) {
	own := h.Route
	if h.Translated {
		own = localRoute(h.Lang, h.Route)
	}
	w.meta("name", "description", clip(h.Description, 300))
	if h.Hidden {
		w.meta("name", "robots", "noindex")
	} else {
		w.raw(`<link rel="canonical"`)
		w.href(w.absolute(own))
		w.raw(">\n")
	}
	if h.Translated {
		for _, code := range languages {
			w.raw(`<link rel="alternate"`)
			w.attr("hreflang", code)
			w.href(w.absolute(localRoute(code, h.Route)))
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
	kind := h.Kind
	if kind == "" {
		kind = "website"
	}
	title := h.Title
	if title == "" {
		title = w.site.Name
	}
	w.meta("property", "og:type", kind)
	w.meta("property", "og:title", clip(title, 120))
	w.meta("property", "og:description", clip(h.Description, 300))
	w.meta("property", "og:url", w.absolute(own))
	w.meta("property", "og:image", w.absolute(assetRoute("card.png")))
	w.meta("property", "og:site_name", w.site.Name)
	w.meta("name", "twitter:card", "summary_large_image")
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

func (w *writer) meta(kind markup, name, content string) {
	w.raw("<meta")
	w.attr(kind, name)
	w.attr("content", content)
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
		if code == h.Lang {
			w.raw(` aria-current="true"`)
		}
		w.raw(` translate="no">`)
		w.text(tongues()[code].name)
		w.raw("</a>")
	}
}

// clip shortens text to n characters at most, on one line.
func clip(s string, n int) string {
	if len(s) <= n && !strings.ContainsAny(s, "\n\r\t") && !strings.Contains(s, "  ") {
		return s
	}
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= n {
		return s
	}
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return strings.TrimSpace(string(runes[:n-1])) + "…"
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
