package search

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/cmd/internal/bench/register"
	"github.com/assay-register/assay/cmd/internal/sample"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

var (
	pool      = flag.String("pool", "", "file for what the engines answer and nobody judged yet, without their names and in random order")
	judgeDB   = flag.String("judgedb", "", "store of the captured catalogues: harvested when it is not there, used again when it is")
	condensed = flag.Bool("condensed", false, "leave out what nobody judged, to compare weights between two rounds of judging")
	shown     = flag.String("shown", "", "print the answers of our search to the judged queries of a set, with their grades")
)

// Goals of the judged queries.
const (
	gainGoal     = 0.80 // nDCG@10 over all
	languageGoal = 0.70 // and in the worst language
)

// judgedMax is the highest grade.
const judgedMax = 3

// judgedCatalogues are the captured catalogues that the queries were judged over.
var judgedCatalogues = []captured{
	{"dcat", "dcat-large/belgium-full-2025-04.ttl.gz", "BE"}, {"ckan", "ckan/depositar_packages.jsonl.gz", "TW"},
	{"ckan", "ckan/data.stadt-zuerich.ch/ckan_package_search.json", "CH"}, {"ckan", "ckan/data.birmingham.gov.uk_package_search.json", "GB"},
	{"ckan", "ckan/dados.pbh.gov.br_package_abridged.jsonl", "BR"}, {"udata", "udata/results_2025-02.json", "FR"},
	{"api-gouv-fr", "api-gouv-fr", "FR"}, {"uk-api-catalogue", "uk-api-catalogue/catalogue.csv", "GB"},
	{"datajson", "datajson/argentina/datos.gob.ar_1.data.json", "AR"}, {"datajson", "datajson/argentina/datos.gob.ar_2.data.json.gz", "AR"},
	{"datajson", "datajson/argentina/catalogo-justicia.data.json", "AR"}, {"datajson", "datajson/us-federal/energy.data.json.gz", "US"},
	{"datajson", "datajson/us-federal/fcc.data.json", "US"}, {"datajson", "datajson/us-federal/fda.data.json", "US"},
	{"datajson", "datajson/us-federal/gsa.data.json.gz", "US"}, {"datajson", "datajson/arcgis-hub/12b-17097_20220417.data.json.gz", "US"},
	{"datajson", "datajson/arcgis-hub/07c-01_20220417.data.json.gz", "US"}, {"socrata", "socrata/data.cityofchicago.org.jsonl.gz", "US"},
	{"socrata", "socrata/data.cityofnewyork.us.jsonl.gz", "US"}, {"socrata", "socrata/data.melbourne.vic.gov.au.jsonl.gz", "AU"},
	{"socrata", "socrata/gnb.socrata.com.jsonl.gz", "CA"}, {"socrata", "socrata/www.data.act.gov.au.jsonl.gz", "AU"},
	{"socrata", "socrata/_mixed-small-portals.jsonl.gz", "US"}, {"iso", "iso/ch-iso-multilingual/iso-multilingual-records.tar.gz", "CH"},
}

// judgedQuery is one query with the grades of the entries that were judged for it.
type judgedQuery struct {
	id, lang, set, text, need string
	grades                    map[string]int
}

// judgedQueries reads the queries and their grades.
func judgedQueries(tb testing.TB) []judgedQuery {
	tb.Helper()
	var out []judgedQuery
	byID := map[string]int{}
	for _, f := range table(tb, "judged/queries.tsv", 6) {
		byID[f[0]] = len(out)
		out = append(out, judgedQuery{f[0], f[1], f[2], f[3], f[4] + ": " + f[5], map[string]int{}})
	}
	for _, f := range table(tb, "judged/grades.tsv", 4) {
		i, known := byID[f[0]]
		grade, err := strconv.Atoi(f[1])
		if !known || err != nil || grade < 0 || grade > judgedMax {
			tb.Fatalf("grades.tsv: %v: no such query or grade", f)
		}
		out[i].grades[f[2]] = grade
	}
	return out
}

// table are the rows of a file without its header.
func table(tb testing.TB, name string, columns int) (out [][]string) {
	tb.Helper()
	f, err := os.Open(name)
	check(tb, err)
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan(); s.Scan(); {
		row := strings.Split(s.Text(), "\t")
		if len(row) != columns {
			tb.Fatalf("%s: %q has %d columns, not %d", name, s.Text(), len(row), columns)
		}
		out = append(out, row)
	}
	check(tb, s.Err())
	return out
}

// gain is the nDCG@10 of an order of grades (K. Järvelin and J. Kekäläinen, "Cumulated
// gain-based evaluation of IR techniques", 2002), with the gain 2^grade - 1; 1 where
// nothing can be gained.
func gain(answers []string, grades map[string]int) float64 {
	best := make([]int, 0, len(grades))
	for _, g := range grades {
		best = append(best, g)
	}
	slices.SortFunc(best, func(a, b int) int { return b - a })
	have := make([]int, len(answers))
	for i, a := range answers {
		have[i] = grades[a]
	}
	if ideal := discounted(best); ideal > 0 {
		return discounted(have) / ideal
	}
	return 1
}

func discounted(grades []int) (sum float64) {
	for i, g := range grades[:min(10, len(grades))] {
		sum += (math.Exp2(float64(g)) - 1) / math.Log2(float64(i+2))
	}
	return sum
}

// judgedCorpus are the entries of the sample register and of the captured catalogues.
func judgedCorpus(b testing.TB) ([]catalog.Row, []catalog.Institution, []catalog.Licence, []catalog.Source) {
	b.Helper()
	g, err := register.New(b.Context())
	check(b, err)
	var rows []catalog.Row
	for _, l := range g.Real() {
		rows = append(rows, catalog.Row{Entry: *l.Entry, Provenance: *l.Provenance})
	}
	institutions, licences, sources := g.Institutions(), g.Licences(), g.Sources()
	path := *judgeDB
	if path == "" {
		path = filepath.Join(b.TempDir(), "judged.db")
	}
	_, missing := os.Stat(path)
	st, err := sqlite.Open(b.Context(), path)
	check(b, err)
	defer st.Close()
	if missing != nil {
		check(b, harvest.LoadReference(b.Context(), st, sample.Instant))
		harvestInto(b, st, captures, judgedCatalogues)
	}
	rows = append(rows, activeRows(b, st)...)
	check(b, st.View(b.Context(), func(tx catalog.Tx) error {
		known, err := tx.Institutions().All(b.Context())
		institutions = append(institutions, known...)
		return err
	}))
	return sorted(rows), institutions, licences, sources
}

// indexer is an engine that ours is compared with.
type indexer interface {
	engine
	add(d *document) error
	finish(b testing.TB)
}

// BenchmarkJudged asks the judged queries and prints nDCG@10 by language.
func BenchmarkJudged(b *testing.B) {
	if _, err := os.Stat(captures); err != nil {
		b.Skip("the captured catalogues are not there")
	}
	queries := judgedQueries(b)
	rows, institutions, licences, sources := judgedCorpus(b)
	entries := map[string]*catalog.Entry{}
	for i := range rows {
		entries[rows[i].Entry.ID] = &rows[i].Entry
	}
	library, others := judgedEngines(b, rows, institutions, licences, sources)
	engines := append([]engine{&ours{library}}, others...)
	for b.Loop() {
		gains, answers := judge(b, engines, queries, entries, seriesOf(library.Current()))
		printGains(b, queries, gains, len(rows))
		if *pool != "" {
			writePool(b, queries, answers, entries)
		}
	}
}

// judgedEngines are ours, from the folder of the site when it is made already, and those
// beside it.
func judgedEngines(b *testing.B, rows []catalog.Row, institutions []catalog.Institution, licences []catalog.Licence, sources []catalog.Source) (*query.Library, []engine) {
	if _, err := os.Stat(filepath.Join(*siteDir, "present")); err == nil && *siteDir != "" {
		library, err := query.Open(*siteDir, slog.New(slog.DiscardHandler), nil)
		check(b, err)
		return library, nil
	}
	s := newSite(b, institutions, licences, sources)
	var others []indexer
	if *beside {
		others = []indexer{newPostgres(b), newFTS5(b)}
	}
	for i := range rows {
		d, err := s.add(&rows[i])
		check(b, err)
		for _, o := range others {
			check(b, o.add(d))
		}
	}
	library, engines := s.finish(b), []engine{}
	for _, o := range others {
		o.finish(b)
		engines = append(engines, o)
	}
	return library, engines
}

// seriesOf tells the series of entries by their key, "" for none.
func seriesOf(s *query.Snapshot) func(id string) string {
	return func(id string) string {
		if g := s.SeriesOf(s.ByID(id)); g != nil {
			return g.ID
		}
		return ""
	}
}

// judge asks all engines: the gains by engine and query, and the answers by query. A series
// is one answer, of every engine and in the ideal order: the first of its entries that comes.
func judge(b *testing.B, engines []engine, queries []judgedQuery, entries map[string]*catalog.Entry, series func(id string) string) ([][]float64, [][]string) {
	gains, answers := make([][]float64, len(engines)), make([][]string, len(queries))
	one := map[string]string{} // by key
	for id, e := range entries {
		one[keyOf(e)] = cmp.Or(series(id), keyOf(e))
	}
	for i := range queries {
		grades := map[string]int{}
		for key, g := range queries[i].grades {
			name := cmp.Or(one[key], key)
			grades[name] = max(grades[name], g)
		}
		for k, e := range engines {
			ids, err := e.find(b.Context(), queries[i].text, judgedDepth)
			check(b, err)
			var names []string
			n := 0
			for _, id := range ids {
				if name := one[keyOf(entries[id])]; !slices.Contains(names, name) && n < 10+extra(*condensed) {
					names, ids[n] = append(names, name), id
					n++
				}
			}
			answers[i] = append(answers[i], ids[:n]...)
			if *condensed {
				names = slices.DeleteFunc(names, func(name string) bool { _, judged := grades[name]; return !judged })
			}
			gains[k] = append(gains[k], gain(names, grades))
			if *shown == queries[i].set && k == 0 {
				fmt.Printf("%.2f ", gains[k][i])
				show(&queries[i], ids[:n], entries)
			}
		}
	}
	return gains, answers
}

// extra is how many answers more are looked at when those that nobody judged are left out.
func extra(condensed bool) int {
	if condensed {
		return 5
	}
	return 0
}

// judgedDepth is how many answers are asked for, so that ten are left when each series is
// one.
const judgedDepth = 60

// keyOf names an entry by what its catalogue calls it.
func keyOf(e *catalog.Entry) string {
	if e.UpstreamRef != "" {
		return strings.ReplaceAll(e.UpstreamRef, "\t", " ")
	}
	return e.Slug
}

func show(q *judgedQuery, ids []string, entries map[string]*catalog.Entry) {
	fmt.Printf("%s %q\n", q.id, q.text)
	for _, id := range ids {
		grade := "-"
		if g, judged := q.grades[keyOf(entries[id])]; judged {
			grade = strconv.Itoa(g)
		}
		fmt.Printf("  %s  %.90s | %.40s\n", grade, entries[id].Name, entries[id].PublisherName)
	}
}

// printGains prints the means by language, by set and over all.
func printGains(b *testing.B, queries []judgedQuery, gains [][]float64, documents int) {
	mean := func(of int, fits func(q *judgedQuery) bool) (sum float64, n int) {
		for i := range queries {
			if fits(&queries[i]) {
				sum, n = sum+gains[of][i], n+1
			}
		}
		return sum / float64(n), n
	}
	line := func(name string, fits func(q *judgedQuery) bool) float64 {
		_, n := mean(0, fits)
		fmt.Printf("%-10s %4d", name, n)
		for k := range gains {
			m, _ := mean(k, fits)
			fmt.Printf("  %8.3f  ", m)
		}
		fmt.Println()
		m, _ := mean(0, fits)
		return m
	}
	fmt.Printf("judged: nDCG@10 of %d queries over %d documents\n%-10s %4s  %8s  %10s  %11s\n", len(queries), documents, "", "n", "assay", "postgresql", "sqlite fts5")
	var languages []string
	for i := range queries {
		if !slices.Contains(languages, queries[i].lang) {
			languages = append(languages, queries[i].lang)
		}
	}
	tuned := func(q *judgedQuery) bool { return q.set == "tune" }
	for _, l := range languages {
		if m := line(l, func(q *judgedQuery) bool { return tuned(q) && q.lang == l }); m < languageGoal {
			b.Errorf("%s: nDCG@10 %.3f, the goal is %.2f", l, m, languageGoal)
		}
	}
	all := line("all", tuned)
	held := line("held out", func(q *judgedQuery) bool { return !tuned(q) })
	b.ReportMetric(all, "nDCG10")
	b.ReportMetric(held, "held-nDCG10")
	if all < gainGoal {
		b.Errorf("nDCG@10 %.3f, the goal is %.2f", all, gainGoal)
	}
}

// writePool writes the answers that were not judged, in random order.
func writePool(b *testing.B, queries []judgedQuery, answers [][]string, entries map[string]*catalog.Entry) {
	f, err := os.Create(*pool)
	check(b, err)
	w := bufio.NewWriter(f)
	rng := rand.New(rand.NewPCG(*seed, 4))
	plain := func(s string, n int) string {
		s = strings.Join(strings.Fields(s), " ")
		return string([]rune(s)[:min(n, len([]rune(s)))])
	}
	for i := range queries {
		ids := slices.Clone(answers[i])
		slices.Sort(ids)
		ids = slices.Compact(ids)
		rng.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		for _, id := range ids {
			e := entries[id]
			if _, judged := queries[i].grades[keyOf(e)]; !judged {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", queries[i].id, queries[i].text, keyOf(e), plain(e.Name, 110), plain(e.PublisherName, 40), plain(e.Description, 160))
			}
		}
	}
	check(b, w.Flush())
	check(b, f.Close())
}
