package pages

import (
	"cmp"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/schemaorg"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/templates/entry"
)

// Bounds of lists on an entry's page; what is left out is in the JSON that the
// page leads to.
const (
	tagsShown      = 8
	fieldsShown    = 40
	samplesShown   = 5
	columnsShown   = 8
	filesShown     = 6
	endpointsShown = 20
	toolsShown     = 30
	originsShown   = 8
	eventsShown    = 8
	membersShown   = 20
)

// view is what an entry's page is made from.
type view struct {
	*snapshot.Scored
	e *catalog.Entry
	// lang is the language of the page, in which files are offered before others.
	lang string
	// halved is how often the bounds of lists are halved, so that the page fits.
	halved int
}

// halvedMost is how often bounds are halved at most.
const halvedMost = 4

// most is a bound of a list in the room that the page has, at least 1.
func (v *view) most(bound int) int { return max(1, bound>>v.halved) }

// fewer is a bound of what a page is for, which gives way more slowly: by a step at a time, to a third at least.
func (v *view) fewer(bound, step int) int { return max(bound/3+1, bound-step*v.halved) }

// fragmentRoom is about what the fragment of an entry takes, in bytes.
const fragmentRoom = 24 << 10

// entryFragments are an entry's page in every language of the interface, but for what
// stands in the slots.
func (k *renderer) entryFragments(s *snapshot.Scored) (out []artifact.Fragment, err error) {
	v := &view{Scored: s, e: s.Entry()}
	for {
		var excess int
		if out, excess, err = k.fragmentsOf(v); out != nil || err != nil {
			return out, err
		}
		v.halved = min(halvedMost, v.halved+1+excess/halvingSaves)
	}
}

// halvingSaves is about how many bytes a page loses when bounds are halved.
const halvingSaves = 2_000

// An entry's page has 20,000 bytes at most, before compression: lists are cut until it fits. What the register
// as a whole adds takes up to fillsKept of them.
const (
	heaviest  = 20_000
	fillsKept = 2_600
)

// fragmentsOf are the fragments with the bounds that the page has; nil where one of them is too heavy, by so many bytes, and
// bounds can be halved again.
func (k *renderer) fragmentsOf(v *view) (out []artifact.Fragment, excess int, err error) {
	s := v.Scored
	v.lang = languages[0]
	shown := k.entryPage(v)
	several := tongues(v.e.Dataset)
	out = make([]artifact.Fragment, 0, len(languages))
	for _, lang := range languages {
		if several && lang != v.lang {
			v.lang = lang
			v.offer(shown)
		}
		texts := v.texts(lang)
		h := k.entryHead(v, &texts)
		h.Lang = lang
		if h.Data, err = blockOf(k.site, s, lang); err != nil {
			return nil, 0, err
		}
		body, err := k.page(artifact.Buffer(fragmentRoom), &h, shown.Main(k.sites[lang], &texts))
		if err != nil {
			return nil, 0, err
		}
		out = append(out, artifact.Fragment{Stream: streamOf(lang), Body: body, Own: true, Pooled: true})
		if excess = len(body) - (heaviest - fillsKept); excess > 0 && v.halved < halvedMost {
			for i := range out {
				out[i].Free()
			}
			return nil, excess, nil
		}
	}
	return out, 0, nil
}

// blockOf is the description of the entry in schema.org on the page of the first language, which those of the others name.
func blockOf(site snapshot.Site, s *snapshot.Scored, lang string) ([]byte, error) {
	if lang == languages[0] {
		return schemaorg.Entry(site, s)
	}
	return schemaorg.Page(site, s, lang)
}

// page renders a component into a room, as the main part of a page.
func (k *renderer) page(room []byte, h *Head, main templ.Component) (body []byte, err error) {
	var failed error
	body, err = k.document(room, h, func(w *writer) { failed = w.component(main) })
	return body, cmp.Or(failed, err)
}

// streamOf is the catalog's stream of the entries' pages in a language.
func streamOf(lang string) string { return "pages-" + lang }

// entryRoute is where the page of an entry lies in the first language.
func entryRoute(slug string) string { return "/entry/" + slug }

func (k *renderer) entryHead(v *view, t *entry.Texts) Head {
	about := t.Description.Text
	if about == "" {
		about = t.Title.Text
		if by := v.publisher(); by != "" {
			about += ", " + by
		}
	}
	cards := []string{"/id/" + v.e.ID + ".png"}
	// The service draws that one; a copy of the site has the publisher's.
	if i := v.Institution; i != nil && catalog.IsID(i.ID) {
		cards = append(cards, cardRoute("institution", i.ID))
	}
	return Head{Cards: cards, Section: "browse", Title: t.Title.Text, Description: about, Route: entryRoute(v.e.Slug), Translated: true,
		Alternates: []Alternate{
			{"application/atom+xml", "/api/v1/feeds/entry/" + v.e.ID + ".atom", "Atom"},
		}}
}

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

var typeRoutes = map[catalog.EntryType]string{catalog.TypeAPI: "/browse/type/api", catalog.TypeDataset: "/browse/type/dataset", catalog.TypeMCPServer: "/browse/type/mcp-server"}

// publisher is who publishes the source, as it states it; else the institution
// that the register found, in English where it is known.
func (v *view) publisher() string {
	if i := v.Institution; i != nil && v.e.PublisherName == "" {
		return cmp.Or(i.NameEn, i.Name)
	}
	if p := v.e.Publisher; v.e.PublisherName == "" && p != nil && !p.Person {
		return p.IRI
	}
	return v.e.PublisherName
}

// title is the entry's own, its slug where it has none.
func (v *view) title() string { return cmp.Or(strings.TrimSpace(v.e.Name), v.e.Slug) }

// entryPage is what the page shows in every language.
func (k *renderer) entryPage(v *view) *entry.Page {
	e := v.e
	p := &entry.Page{ID: e.ID, Slug: e.Slug, Type: string(e.Type), TypeRoute: typeRoutes[e.Type], Qualifier: v.Qualifier, Publisher: clip(v.publisher(), 100),
		Terms: v.terms(), Access: v.access(), Fresh: v.fresh(), Preview: v.preview(), Verdict: v.verdict(), Rights: v.rights(), Checks: v.checks(), Changes: v.changes(), Scores: v.scores(),
		Contract: v.contract(), Announced: v.announced(), Said: v.said(),
		Origins: v.origins(), Cite: k.cite(v), About: v.about()}
	if i := v.Institution; i != nil && catalog.IsID(i.ID) {
		p.PublisherRoute = "/institution/" + i.ID
	}
	p.Unnamed = e.PublisherName == "" && p.Publisher != "" && (v.Institution == nil || v.Institution.Unnamed())
	if catalog.CountryShape(e.CountryCode) {
		p.Country = e.CountryCode
	}
	v.offer(p)
	return p
}

// offer sets the buttons of a page and how to use what is behind them.
func (v *view) offer(p *entry.Page) {
	p.Actions = v.actions()
	p.Use = v.use(p.Actions)
	if len(p.Use.Files) == 0 {
		p.Actions = slices.DeleteFunc(p.Actions, func(a entry.Action) bool { return a.Address == filesPlace })
	}
}
