package pages

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/schemaorg"
	"github.com/assay-register/assay/render/snapshot"
)

// slot marks where in the fragment of an entry Related puts what it knows of others.
// No text of a page holds it: the writer leaves control characters out.
const slot markup = "\x00"

// Bounds of lists on an entry's page; what is left out is in the JSON that the
// page leads to.
const (
	tagsShown      = 60
	fieldsShown    = 60
	samplesShown   = 8
	columnsShown   = 12
	filesShown     = 40
	endpointsShown = 30
	toolsShown     = 40
	originsShown   = 60
	eventsShown    = 12
	membersShown   = 40
)

// view is what an entry's page is written from.
type view struct {
	*snapshot.Scored
	e *catalog.Entry
}

// fragmentRoom is about what the fragment of an entry takes, in bytes.
const fragmentRoom = 64 << 10

// entryFragment is an entry's page but for what stands in the slots.
func (k *renderer) entryFragment(s *snapshot.Scored) ([]byte, error) {
	v := &view{Scored: s, e: s.Entry()}
	data, err := schemaorg.Entry(k.site, s)
	if err != nil {
		return nil, err
	}
	h := Head{Section: "browse", Title: v.e.Name, Description: v.summary(), Route: "/entry/" + v.e.Slug, Data: data, Kind: "article", Scripts: entryScripts,
		Alternates: []Alternate{
			{"application/json", "/api/v1/entries/" + v.e.ID, "JSON"},
			{"text/markdown", "/api/v1/okf/" + sectionOf(v.e.Type) + "/" + v.e.Slug + ".md", "Markdown"},
			{"application/atom+xml", "/api/v1/feeds/entry/" + v.e.ID + ".atom", "Atom"},
		}}
	return k.document(artifact.Buffer(fragmentRoom), &h, func(w *writer) {
		w.entryHead(v)
		w.raw(`<div class="entry"><div><a class="to-side" href="#about">`)
		w.t("rail.jump")
		w.raw("</a>")
		w.verdict(v)
		w.use(v)
		w.uptime(v)
		w.data(v)
		w.licence(v)
		w.changes(v)
		w.raw(slot) // other entries
		w.origins(v)
		w.cite(v)
		w.raw("</div>")
		w.rail(v)
		w.raw("</div></div>")
	})
}

// entryScripts are the assets that an entry's page needs.
var entryScripts = []string{"entry.js"}

// sectionOf is the directory of a type in the OKF bundle.
func sectionOf(t catalog.EntryType) string {
	switch t {
	case catalog.TypeAPI:
		return "apis"
	case catalog.TypeDataset:
		return "datasets"
	case catalog.TypeMCPServer:
		return "mcp-servers"
	}
	return "others"
}

// summary describes the entry in a sentence or two.
func (v *view) summary() string {
	if text := cmp.Or(v.e.DescriptionEn, v.e.Description); strings.TrimSpace(text) != "" {
		return text
	}
	name := cmp.Or(v.e.NameEn, v.e.Name)
	if by := v.publisher(); by != "" {
		return name + ", " + by
	}
	return name
}

// publisher is who publishes the source, as it states it; else the institution
// that the register found, in English where it is known.
func (v *view) publisher() string {
	if i := v.Institution; i != nil && v.e.PublisherName == "" {
		return cmp.Or(i.NameEn, i.Name)
	}
	return v.e.PublisherName
}

var typeRoutes = map[catalog.EntryType]string{catalog.TypeAPI: "/browse/type/api", catalog.TypeDataset: "/browse/type/dataset", catalog.TypeMCPServer: "/browse/type/mcp-server"}

func (w *writer) entryHead(v *view) {
	e := v.e
	w.raw(`<div class="wrap">`)
	w.crumbs(crumb{key: "nav.browse", route: "/browse"}, crumb{key: "type." + string(e.Type), route: typeRoutes[e.Type]}, crumb{name: cmp.Or(e.NameEn, e.Name)})
	w.raw(`<div class="entry-head"><div class="title"><span class="tile" aria-hidden="true" translate="no">`)
	w.initial(e.Name)
	w.raw(`</span><div><h1`)
	w.native(e.NativeLang)
	w.raw(">")
	w.text(cmp.Or(strings.TrimSpace(e.Name), e.Slug))
	w.raw("</h1>")
	if e.NameEn != "" && e.NameEn != e.Name {
		w.raw(`<p lang="en" translate="no">`)
		w.text(e.NameEn)
		w.raw("</p>")
	}
	if v.Qualifier != "" {
		w.raw(`<p translate="no">`)
		w.text(v.Qualifier)
		w.raw("</p>")
	}
	w.raw("</div></div>")
	w.raw(slot) // what became of it
	w.chips(v)
	w.about(v)
	w.raw("</div>")
}

// initial writes the first letter of a name, for the tile.
func (w *writer) initial(name string) {
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			w.b = utf8.AppendRune(w.b, unicode.ToUpper(r))
			return
		}
	}
	w.raw("·")
}

func (w *writer) chips(v *view) {
	e := v.e
	w.raw(`<ul class="chips"><li>`)
	w.state(v.Result.State)
	w.raw(`</li><li><a class="chip"`)
	w.route("href", typeRoutes[e.Type])
	w.raw(">")
	w.t("type." + string(e.Type))
	w.raw("</a></li>")
	if i := v.Institution; i != nil && catalog.IsID(i.ID) {
		w.raw(`<li><a class="chip"`)
		w.route("href", "/institution/", i.ID)
		w.native("")
		w.raw(">")
		w.clip(v.publisher(), 70)
		w.raw("</a></li>")
	} else if p := v.publisher(); p != "" {
		w.raw(`<li><span class="chip"`)
		w.native("")
		w.raw(">")
		w.clip(p, 70)
		w.raw("</span></li>")
	}
	if catalog.CountryShape(e.CountryCode) {
		w.raw(`<li><a class="chip"`)
		w.route("href", "/country/", e.CountryCode)
		w.raw(` translate="no">`)
		w.text(w.locale.country(e.CountryCode))
		w.raw("</a></li>")
	}
	w.raw(`<li><span class="chip">`)
	w.t(accessKey(e.FreeAccessClass, e.AccessRights))
	w.raw("</span></li>")
	for _, f := range e.Formats[:min(len(e.Formats), 6)] {
		w.raw(`<li><span class="chip" translate="no">`)
		w.clip(f, 30)
		w.raw("</span></li>")
	}
	w.raw("</ul>")
}

// about is what the source says of itself, in its language and in English.
func (w *writer) about(v *view) {
	e := v.e
	w.raw(`<div class="about">`)
	if strings.TrimSpace(e.Description) != "" {
		w.paragraphs(e.Description, e.NativeLang)
	}
	if strings.TrimSpace(e.DescriptionEn) != "" && e.DescriptionEn != e.Description {
		w.paragraphs(e.DescriptionEn, "en")
	}
	if strings.TrimSpace(e.Description) == "" && strings.TrimSpace(e.DescriptionEn) == "" {
		w.raw(`<p class="soft">`)
		w.t("entry.no_description")
		w.raw("</p>")
	}
	w.otherLanguages(e)
	w.raw(slot) // tags
	w.raw("</div>")
}

// longText is from how many bytes on a description is folded.
const longText = 900

func (w *writer) paragraphs(text, lang string) {
	short, rest := text, ""
	if len(text) > longText {
		n := longText
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		if i := strings.LastIndexAny(text[:n], " \n"); i > longText/2 {
			n = i
		}
		short, rest = text[:n], text[n:]
	}
	w.raw("<p")
	w.native(lang)
	w.raw(">")
	w.lines(short)
	w.raw("</p>")
	if rest != "" {
		w.more("entry.more_text")
		w.raw("<p")
		w.native(lang)
		w.raw(">")
		w.lines(rest)
		w.raw("</p>")
		w.endMore()
	}
}

// lines writes text with its line breaks.
func (w *writer) lines(text string) {
	first := true
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if !first {
			w.raw("<br>")
		}
		first = false
		w.text(strings.TrimSpace(line))
	}
}
