package search

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/cmd/internal/bench/register"
	"github.com/assay-register/assay/cmd/internal/sample"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/translit"
)

var (
	seed    = flag.Uint64("seed", 20261121, "seed of the queries")
	verbose = flag.Bool("missed", false, "list the queries that our search missed")
)

// Goals of the relevance.
const (
	rankGoal  = 0.85
	foundGoal = 0.95
)

// perLanguage is how many entries of one language are looked for.
const perLanguage = 30

// known is one known entry and a query by which it is looked for.
type known struct {
	class, lang, query string
	// titles are the folded titles of the entry: another one of the same title
	// is as good.
	id     string
	titles []string
}

// engine is one search.
type engine interface {
	find(ctx context.Context, q string, n int) ([]string, error)
}

func parameters(q string, n int) url.Values {
	return url.Values{"q": {q}, "limit": {strconv.Itoa(n)}, "collapse": {"series"}}
}

// BenchmarkRelevance looks for known entries and prints, for each class of
// queries, the mean reciprocal rank and the share that is among the first ten.
func BenchmarkRelevance(b *testing.B) {
	rows, institutions, licences, sources := corpus(b)
	s, fts, pg := newSite(b, institutions, licences, sources), newFTS5(b), newPostgres(b)
	titles := map[string][]string{}
	for i := range rows {
		d, err := s.add(&rows[i])
		check(b, err)
		check(b, fts.add(d))
		check(b, pg.add(d))
		titles[d.id] = titlesOf(&rows[i].Entry)
	}
	library := s.finish(b)
	fts.finish(b)
	pg.finish(b)
	queries := queriesOf(rows, *seed)
	engines := []struct {
		name string
		engine
	}{{"assay", &ours{library}}, {"postgresql", pg}, {"fts5", fts}}
	for b.Loop() {
		fmt.Printf("relevance: %d documents, %d queries, seed %d\n", len(rows), len(queries), *seed)
		var results []scores
		for _, e := range engines {
			r := scores{}
			for i := range queries {
				check(b, r.ask(b.Context(), e.engine, &queries[i], titles, *verbose && e.name == "assay"))
			}
			results = append(results, r)
		}
		printScores(results)
		all := results[0]["all"]
		b.ReportMetric(all.rank(), "MRR")
		b.ReportMetric(all.share(), "found10")
		if all.rank() < rankGoal || all.share() < foundGoal {
			b.Errorf("MRR %.3f, found in ten %.3f: the goals are %.2f and %.2f", all.rank(), all.share(), rankGoal, foundGoal)
		}
	}
}

// scores sum up by class, by language and over all.
type scores map[string]*sum

type sum struct {
	n, found   int
	reciprocal float64
}

func (s *sum) rank() float64  { return s.reciprocal / float64(s.n) }
func (s *sum) share() float64 { return float64(s.found) / float64(s.n) }

func (s scores) ask(ctx context.Context, e engine, k *known, titles map[string][]string, tell bool) error {
	ids, err := e.find(ctx, k.query, 10)
	if err != nil {
		return fmt.Errorf("query %q: %w", k.query, err)
	}
	rank := 1 + slices.IndexFunc(ids, func(id string) bool {
		return id == k.id || slices.ContainsFunc(titles[id], func(t string) bool { return slices.Contains(k.titles, t) })
	})
	if rank == 0 && tell {
		fmt.Printf("missed %s %s: %q of %q\n", k.class, k.lang, k.query, k.titles)
	}
	for _, name := range []string{k.class, "lang " + k.lang, "all"} {
		if s[name] == nil {
			s[name] = &sum{}
		}
		s[name].n++
		if rank > 0 {
			s[name].found++
			s[name].reciprocal += 1 / float64(rank)
		}
	}
	return nil
}

func printScores(results []scores) {
	names := []string{"exact", "accent-less", "transliterated", "partial", "typo"}
	for name := range results[0] {
		if strings.HasPrefix(name, "lang ") {
			names = append(names, name)
		}
	}
	slices.Sort(names[5:])
	fmt.Printf("%-16s %6s  %-18s %-18s %-18s\n", "", "n", "assay MRR/found10", "postgresql", "sqlite fts5")
	for _, name := range append(names, "all") {
		if results[0][name] == nil {
			continue
		}
		fmt.Printf("%-16s %6d", name, results[0][name].n)
		for _, r := range results {
			fmt.Printf("  %.3f / %5.1f %%   ", r[name].rank(), 100*r[name].share())
		}
		fmt.Println()
	}
}

// corpus are the entries of the sample register and, where it is there, of the
// shared folder of real catalogues.
func corpus(b testing.TB) ([]catalog.Row, []catalog.Institution, []catalog.Licence, []catalog.Source) {
	b.Helper()
	g, err := register.New(b.Context())
	check(b, err)
	var rows []catalog.Row
	for _, l := range g.Real() {
		rows = append(rows, catalog.Row{Entry: *l.Entry, Provenance: *l.Provenance})
	}
	if _, err := os.Stat(captures); err == nil {
		rows = append(rows, harvested(b)...)
	}
	return sorted(rows), g.Institutions(), g.Licences(), g.Sources()
}

// sorted are the rows in the order of their ids, each once.
func sorted(rows []catalog.Row) []catalog.Row {
	slices.SortFunc(rows, func(a, c catalog.Row) int { return strings.Compare(a.Entry.ID, c.Entry.ID) })
	return slices.CompactFunc(rows, func(a, c catalog.Row) bool { return a.Entry.ID == c.Entry.ID })
}

// captures is the folder of captured catalogues.
const captures = "../../../../../shared/data"

// captured is a file of that folder.
type captured struct{ kind, file, country string }

// catalogues are files of the shared folder, by kind.
var catalogues = []captured{
	{"socrata", "socrata/data.cityofchicago.org.jsonl.gz", "US"}, {"socrata", "socrata/data.melbourne.vic.gov.au.jsonl.gz", "AU"},
	{"socrata", "socrata/gnb.socrata.com.jsonl.gz", "CA"}, {"socrata", "socrata/data.michigan.gov.jsonl.gz", "US"},
	{"datajson", "datajson/argentina/datos.gob.ar_2.data.json.gz", "AR"}, {"datajson", "datajson/argentina/catalogo-justicia.data.json", "AR"},
	{"datajson", "datajson/us-federal/energy.data.json.gz", "US"}, {"datajson", "datajson/arcgis-hub/12b-17097_20220417.data.json.gz", "US"},
	{"ckan", "ckan/depositar_packages.jsonl.gz", "TW"}, {"ckan", "ckan/data.birmingham.gov.uk_package_search.json", "GB"},
	{"dcat", "dcat-large/belgium-part-2025-04.ttl.gz", "BE"}, {"api-gouv-fr", "api-gouv-fr", "FR"}, {"uk-api-catalogue", "uk-api-catalogue/catalogue.csv", "GB"},
}

// harvested are the entries that harvests of the captured catalogues make.
func harvested(b testing.TB) []catalog.Row {
	b.Helper()
	st, err := sqlite.Open(b.Context(), b.TempDir()+"/harvest.db")
	check(b, err)
	defer st.Close()
	check(b, harvest.LoadReference(b.Context(), st, sample.Instant))
	harvestInto(b, st, captures, catalogues)
	return activeRows(b, st)
}

// harvestInto harvests captured catalogues.
func harvestInto(b testing.TB, st catalog.Store, folder string, list []captured) {
	b.Helper()
	ctx := b.Context()
	for _, c := range list {
		path := folder + "/" + c.file
		if _, err := os.Stat(path); err != nil {
			fmt.Printf("relevance: without %s: %v\n", c.file, err)
			continue
		}
		src := catalog.Source{ID: catalog.NewID("source", c.file), Kind: c.kind, Title: c.file, File: path, CountryCode: c.country,
			Official: "real catalogue", CreatedAt: sample.Instant, UpdatedAt: sample.Instant}
		in, err := harvest.InputOf(src, false)
		check(b, err)
		check(b, st.Update(ctx, func(tx catalog.Tx) error { return tx.Sources().Put(ctx, src) }))
		_, err = harvest.Run(ctx, st, harvest.Connectors()[c.kind], in, harvest.Options{Now: sample.Instant, Country: c.country})
		check(b, err)
	}
}

// activeRows are the active entries of a store.
func activeRows(b testing.TB, st catalog.Store) (rows []catalog.Row) {
	b.Helper()
	ctx := b.Context()
	check(b, st.View(ctx, func(tx catalog.Tx) error {
		return tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			if e.Status == catalog.StatusActive {
				rows = append(rows, catalog.Row{Entry: *e})
			}
			return nil
		})
	}))
	return rows
}

func titlesOf(e *catalog.Entry) []string {
	out := []string{search.Key(e.Name, e.NativeLang)}
	if e.NameEn != "" {
		out = append(out, search.Key(e.NameEn, "en"))
	}
	return out
}

// queriesOf draws entries of each language and makes the queries of each class.
func queriesOf(rows []catalog.Row, seed uint64) []known {
	rng := rand.New(rand.NewPCG(seed, 1))
	byLang := map[string][]*catalog.Entry{}
	for i := range rows {
		e := &rows[i].Entry
		if words := wordsOf(e.Name); len(words) >= 2 && e.NativeLang != "" {
			byLang[e.NativeLang] = append(byLang[e.NativeLang], e)
		}
	}
	holders := titleWords(rows)
	var out []known
	for _, lang := range []string{"bg", "cs", "de", "el", "en", "es", "fr", "it", "pl", "sv", "pt", "nl", "fi", "uk"} {
		list := byLang[lang]
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for _, e := range list[:min(len(list), perLanguage)] {
			for class, q := range queriesFor(e, rng, holders) {
				if q != "" {
					out = append(out, known{classes[class], lang, q, e.ID, titlesOf(e)})
				}
			}
		}
	}
	return out
}

var classes = [5]string{"exact", "accent-less", "transliterated", "partial", "typo"}

// queriesFor makes one query of each class for an entry; those that would equal
// another class are left out.
func queriesFor(e *catalog.Entry, rng *rand.Rand, holders map[string]map[string]bool) (out [5]string) {
	out[0] = e.Name
	if plain := search.Fold(e.Name); plain != strings.ToLower(e.Name) {
		out[1] = plain
	}
	if latin := strings.ToLower(translit.ASCIIFor(e.Name, e.NativeLang)); latin != search.Fold(e.Name) {
		out[2] = latin
	}
	some := telling(e, rng, holders)
	last := len(some) - 1
	partial := slices.Clone(some)
	if w := []rune(partial[last]); len(w) > 5 && rng.IntN(2) == 0 {
		partial[last] = string(w[:len(w)*2/3])
	}
	out[3] = strings.Join(partial, " ")
	out[4] = strings.Join(misspelt(some, rng), " ")
	return out
}

// wordsOf are the words of a title that tell something, as they are written.
func wordsOf(title string) []string {
	var out []string
	search.Words(title, "", func(w search.Word) {
		if utf8.RuneCountInString(title[w.Start:w.End]) >= 4 && !search.IsStop(w.Term) {
			out = append(out, title[w.Start:w.End])
		}
	})
	return out
}

// titleWords say which titles have a word.
func titleWords(rows []catalog.Row) map[string]map[string]bool {
	m := map[string]map[string]bool{}
	for i := range rows {
		for _, key := range titlesOf(&rows[i].Entry) {
			for w := range strings.SplitSeq(key, " ") {
				if m[w] == nil {
					m[w] = map[string]bool{}
				}
				m[w][key] = true
			}
		}
	}
	return m
}

// telling are words of the title, in its order from a random one on, as many as
// tell it from all but two other titles; at least two if it has them.
func telling(e *catalog.Entry, rng *rand.Rand, holders map[string]map[string]bool) []string {
	words := wordsOf(e.Name)
	start := rng.IntN(len(words))
	if start == len(words)-1 {
		start--
	}
	var some []string
	var left map[string]bool
	for i := range words {
		w := words[(start+i)%len(words)]
		some = append(some, w)
		next := map[string]bool{}
		for title := range holders[search.Key(w, "")] {
			if left == nil || left[title] {
				next[title] = true
			}
		}
		if left = next; len(left) <= 3 && len(some) >= 2 {
			break
		}
	}
	return some
}

// misspelt puts one slip of the keyboard into the longest word.
func misspelt(words []string, rng *rand.Rand) []string {
	out := slices.Clone(words)
	longest := 0
	for i, w := range out {
		if utf8.RuneCountInString(w) > utf8.RuneCountInString(out[longest]) {
			longest = i
		}
	}
	w := []rune(out[longest])
	if len(w) < 5 {
		return nil
	}
	i := 1 + rng.IntN(len(w)-2)
	switch rng.IntN(4) {
	case 0:
		w[i], w[i+1] = w[i+1], w[i]
	case 1:
		w = slices.Delete(w, i, i+1)
	case 2:
		w = slices.Insert(w, i, w[rng.IntN(len(w))])
	default:
		w[i] = w[rng.IntN(len(w))]
	}
	out[longest] = string(w)
	return out
}
