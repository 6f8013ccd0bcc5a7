// Package register makes large registers for measurements, from the real
// entries of the sample register: the same seed gives the same bytes.
package register

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/cmd/internal/sample"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// Line is one line of the import format.
type Line struct {
	Kind        string               `json:"kind"`
	Institution *catalog.Institution `json:"institution,omitempty"`
	Licence     *catalog.Licence     `json:"licence,omitempty"`
	Source      *catalog.Source      `json:"source,omitempty"`
	Entry       *catalog.Entry       `json:"entry,omitempty"`
	Provenance  *catalog.Provenance  `json:"provenance,omitempty"`
	CheckState  *catalog.CheckState  `json:"check_state,omitempty"`
	Check       *catalog.Check       `json:"check,omitempty"`
}

// Generator makes entries from the real ones of the sample register.
type Generator struct {
	institutions []catalog.Institution
	licences     []catalog.Licence
	sources      []catalog.Source
	real         []Line
	// tags and sentences are what real entries say, by their language.
	tags      []string
	sentences map[string][]string
	slugs     map[string]bool
	ids       map[string]bool
	// matchKeys tell sources without an address apart by their names, of which a million have some twice.
	matchKeys map[string]bool
}

// New reads the sample register by way of a store, so that its
// records are what a harvest makes of them.
func New(ctx context.Context) (*Generator, error) {
	dir, err := os.MkdirTemp("", "assay-bench-sample-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	st, err := sqlite.Open(ctx, filepath.Join(dir, "sample.db"))
	if err != nil {
		return nil, err
	}
	defer st.Close()
	if err := sample.Load(ctx, st); err != nil {
		return nil, err
	}
	g := &Generator{sentences: map[string][]string{}, slugs: map[string]bool{}, ids: map[string]bool{}, matchKeys: map[string]bool{}}
	return g, st.View(ctx, func(tx catalog.Tx) error { return g.read(ctx, tx) })
}

func (g *Generator) read(ctx context.Context, tx catalog.Tx) (err error) {
	if g.institutions, err = tx.Institutions().All(ctx); err != nil {
		return err
	}
	if g.licences, err = tx.Licences().All(ctx); err != nil {
		return err
	}
	if g.sources, err = tx.Sources().All(ctx); err != nil {
		return err
	}
	err = tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
		if e.Status == catalog.StatusActive && e.Visible(sample.Instant) {
			own := *e
			g.real = append(g.real, Line{Kind: "entry", Entry: &own})
		}
		return nil
	})
	tags := map[string]bool{}
	for i := range g.real {
		e := g.real[i].Entry
		p, getErr := tx.Provenances().Get(ctx, e.ID)
		err = errors.Join(err, getErr)
		g.real[i].Provenance = p
		for _, t := range e.Tags {
			tags[t] = true
		}
		for _, s := range strings.SplitAfter(e.Description, ". ") {
			if len(s) > 30 {
				g.sentences[e.NativeLang] = append(g.sentences[e.NativeLang], strings.TrimSpace(s))
			}
		}
		for _, s := range strings.SplitAfter(e.DescriptionEn, ". ") {
			if len(s) > 30 {
				g.sentences["en"] = append(g.sentences["en"], strings.TrimSpace(s))
			}
		}
	}
	g.tags = slices.Sorted(maps.Keys(tags))
	return err
}

// regions are places that a generated entry is about: the larger regions of
// the European statistics, by country and elsewhere.
var regions = strings.Split("Attica,Thessaly,Crete,Epirus,Peloponnese,Central Macedonia,Bavaria,Saxony,Hesse,Brandenburg,"+
	"Thuringia,Saarland,Berlin,Hamburg,Bretagne,Normandie,Occitanie,Corse,Île-de-France,Grand Est,Lombardia,Toscana,Veneto,"+
	"Puglia,Sicilia,Piemonte,Andalucía,Cataluña,Galicia,Aragón,Navarra,Castilla y León,Alentejo,Algarve,Norte,Wien,Tirol,"+
	"Steiermark,Kärnten,Flanders,Wallonia,Utrecht,Friesland,Zeeland,Limburg,Mazowieckie,Śląskie,Podlaskie,Pomorskie,"+
	"Moravia,Bohemia,Bratislava,Žilina,Zagreb,Istria,Dalmatia,Maribor,Ljubljana,Budapest,Észak-Alföld,Transylvania,Dobrogea,"+
	"Sofia,Plovdiv,Varna,Riga,Latgale,Vilnius,Kaunas,Tallinn,Tartu,Uusimaa,Lapland,Åland,Skåne,Västra Götaland,Norrbotten,"+
	"Oslo,Vestland,Trøndelag,Jylland,Sjælland,Fyn,Leinster,Munster,Connacht,Ulster,Scotland,Wales,Cornwall,Kent,Yorkshire,"+
	"Devon,Zürich,Ticino,Vaud,Genève,Reykjavík,Nicosia,Limassol,Gozo,Luxembourg,Ontario,Québec,Ohio,Texas,Oregon,Victoria", ",")

var facets = strings.Split("annual figures,monthly figures,daily readings,open registry,historical series,boundaries,inventory,"+
	"live feed,forecasts,indicators,census tables,permits,budget lines,inspections,sensor network,timetables,tariffs,incidents,"+
	"metadata service,download service,view service,statistics,survey results,locations,contracts,grants,quality reports", ",")

// Write writes a register of n entries, each with a number of checks, one each
// six hours, and the state after them.
func (g *Generator) Write(w *bufio.Writer, n, checks int, seed uint64) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range g.institutions {
		if err := enc.Encode(Line{Kind: "institution", Institution: &g.institutions[i]}); err != nil {
			return err
		}
	}
	for i := range g.licences {
		if err := enc.Encode(Line{Kind: "licence", Licence: &g.licences[i]}); err != nil {
			return err
		}
	}
	for i := range g.sources {
		if err := enc.Encode(Line{Kind: "source", Source: &g.sources[i]}); err != nil {
			return err
		}
	}
	for i := range n {
		l, rng := g.Entry(i, seed)
		if err := enc.Encode(l); err != nil {
			return err
		}
		for _, c := range history(l.Entry, checks, rng) {
			if err := enc.Encode(c); err != nil {
				return err
			}
		}
	}
	return nil
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// Entry makes the i-th entry of a register: a real one in the words, places and
// dates of others. Its provenance has the real rows at the new addresses. The
// source of randomness is left for what belongs to the entry. Entries must be
// made in their order.
func (g *Generator) Entry(i int, seed uint64) (Line, *rand.Rand) {
	rng := rand.New(rand.NewPCG(seed, uint64(i)))
	base := g.real[i%len(g.real)]
	e := clone(base.Entry)
	e.ID, e.FormerSlugs, e.Members, e.Revision = "", nil, nil, 0
	region, facet, tag := pick(rng, regions), pick(rng, facets), pick(rng, g.tags)
	year := 1995 + rng.IntN(32)
	for range 1 + rng.IntN(3) {
		e.Description += " " + g.sentence(rng, e.NativeLang)
		if e.DescriptionEn != "" {
			e.DescriptionEn += " " + g.sentence(rng, "en")
		}
	}
	// One tag of a pair of words in ten thousand: real registers have a long
	// tail of tags that few entries carry.
	e.Tags = append(e.Tags, tag, facet, strings.ToLower(region), tag+" "+strings.ToLower(region), pick(rng, g.tags))
	slices.Sort(e.Tags)
	e.Tags = slices.Compact(e.Tags)
	address(e, i)
	name, nameEn := cutWords(e.Name, 60), cutWords(e.NameEn, 60)
	for e.MatchKey = ""; e.MatchKey == "" || g.matchKeys[e.MatchKey]; year++ {
		about := fmt.Sprintf(": %s, %s, %s %d", tag, facet, region, year)
		if e.Name = name + about; nameEn != "" {
			e.NameEn = nameEn + about
		}
		identity.Keys(e)
	}
	g.matchKeys[e.MatchKey] = true
	if e.UpstreamRef != "" {
		e.UpstreamRef = fmt.Sprintf("%s-%d", e.UpstreamRef, i)
	}
	g.identify(e)
	clocks(e, rng)
	p := &catalog.Provenance{EntryID: e.ID, Rows: slices.Clone(base.Provenance.Rows)}
	for k := range p.Rows {
		p.Rows[k].ObservedAt = e.UpdatedAt
	}
	return Line{Kind: "entry", Entry: e, Provenance: p}, rng
}

// Real are the entries of the sample register that are listed.
func (g *Generator) Real() []Line { return g.real }

// Institutions are those of the reference table.
func (g *Generator) Institutions() []catalog.Institution { return g.institutions }

// Licences are those of the reference table.
func (g *Generator) Licences() []catalog.Licence { return g.licences }

// Sources are the catalogues of the sample register.
func (g *Generator) Sources() []catalog.Source { return g.sources }

func (g *Generator) sentence(rng *rand.Rand, lang string) string {
	if list := g.sentences[lang]; len(list) > 0 {
		return pick(rng, list)
	}
	return pick(rng, g.sentences["en"])
}

func clone(e *catalog.Entry) *catalog.Entry {
	doc, err := json.Marshal(e)
	out := &catalog.Entry{}
	if err := errors.Join(err, json.Unmarshal(doc, out)); err != nil {
		panic(err) // an entry of the sample register is JSON
	}
	return out
}

func cutWords(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if i := strings.LastIndexByte(s[:n], ' '); i > 0 {
		return s[:i]
	}
	return strings.ToValidUTF8(s[:n], "")
}

// address moves every URL of an entry to one of its own on the same host.
func address(e *catalog.Entry, i int) {
	own := func(u *string) {
		if *u == "" {
			return
		}
		base, query, _ := strings.Cut(*u, "?")
		*u = fmt.Sprintf("%s/%d", strings.TrimSuffix(base, "/"), i)
		if query != "" {
			*u += "?" + query
		}
	}
	own(&e.PrimarySourceURL)
	own(&e.HomepageURL)
	own(&e.DocsURL)
	if d := e.API; d != nil {
		d.ID = ""
		own(&d.BaseURL)
		own(&d.OpenAPIURL)
		own(&d.GraphQLURL)
		own(&d.PingURL)
	}
	if d := e.Dataset; d != nil {
		d.ID = ""
		own(&d.LandingPage)
		for k := range d.Distributions {
			d.Distributions[k].ID = ""
			own(&d.Distributions[k].AccessURL)
			own(&d.Distributions[k].DownloadURL)
		}
	}
	if d := e.MCP; d != nil {
		d.ID = ""
		own(&d.EndpointURL)
	}
}

// clocks gives an entry a past: published by its owner in the last ten years,
// listed in the last one.
func clocks(e *catalog.Entry, rng *rand.Rand) {
	back := func(days int) time.Time {
		return sample.Instant.Add(-time.Duration(rng.IntN(days*24*3600)) * time.Second)
	}
	e.CreatedAt = back(365).Add(-24 * time.Hour)
	e.PublishedAt = e.CreatedAt
	e.UpdatedAt = e.CreatedAt.Add(time.Duration(rng.Int64N(int64(sample.Instant.Sub(e.CreatedAt))))).Truncate(time.Second)
	e.ContentChangedAt = e.UpdatedAt
	if !e.SourceModifiedAt.IsZero() || rng.IntN(2) == 0 {
		e.SourceModifiedAt = back(3650)
		e.SourceIssuedAt = e.SourceModifiedAt.AddDate(-rng.IntN(5), 0, 0)
	}
	for k := range e.Signals {
		e.Signals[k].ObservedAt = e.UpdatedAt
	}
	if e.Admission != nil {
		e.Admission.At = e.CreatedAt
	}
	identity.StampDetails(e, nil, e.UpdatedAt)
}

func (g *Generator) identify(e *catalog.Entry) {
	identity.Keys(e)
	for try := 1; e.ID == "" || g.ids[e.ID]; try++ {
		e.ID = catalog.EntryID(e.UpstreamRef, e.IdentityKey, try)
	}
	g.ids[e.ID] = true
	e.Slug = catalog.ChooseSlug(identity.Slug(e), e.Type, e.IdentityKey, func(s string) bool { return g.slugs[s] })
	g.slugs[e.Slug] = true
}

// history are the last checks of an entry and the state after them.
func history(e *catalog.Entry, n int, rng *rand.Rand) []Line {
	if n == 0 {
		return nil
	}
	url := cmp.Or(e.PrimarySourceURL, e.HomepageURL)
	var lines []Line
	last := catalog.Check{}
	for k := range n {
		last = catalog.Check{EntryID: e.ID, At: sample.Instant.Add(-time.Duration(n-k) * 6 * time.Hour).Add(time.Duration(rng.IntN(3600)) * time.Second),
			Kind: "http", URL: url, Method: "GET", Vantages: 1, Up: true, HTTPStatus: 200, ContentType: "application/json",
			LatencyMS: 40 + rng.IntN(900), Bytes: int64(rng.IntN(40_000))}
		if rng.IntN(50) == 0 {
			last.Up, last.HTTPStatus, last.Class, last.Error = false, 503, catalog.ErrorHTTP, "status 503"
		}
		own := last
		lines = append(lines, Line{Kind: "check", Check: &own})
	}
	state := catalog.CheckState{ID: catalog.NewID("check_state", e.ID), EntryID: e.ID, State: catalog.StateVerified, LastCheckedAt: last.At,
		SucceededAt: last.At, ConsecutiveSuccesses: 1, CreatedAt: last.At, UpdatedAt: last.At, ProbeURL: url, ProbeMethod: "GET",
		ProbeHTTPStatus: 200, ProbeContentType: "application/json", Vantages: 1}
	return append(lines, Line{Kind: "check_state", CheckState: &state})
}
