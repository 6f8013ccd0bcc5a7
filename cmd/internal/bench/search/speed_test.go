package search

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"github.com/assay-register/assay/cmd/internal/bench/register"
	"github.com/assay-register/assay/cmd/internal/setup"
	"github.com/assay-register/assay/dynamic"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/search/segment"
)

var (
	entries = flag.Int("entries", 20_000, "entries of the register whose search is measured")
	beside  = flag.Bool("beside", true, "measure FTS5 and PostgreSQL, too")
	rate    = flag.Int("rate", 200, "requests a second of the load")
	lasting = flag.Duration("lasting", 10*time.Second, "how long the load lasts")
	siteDir = flag.String("site", "", "folder of the large register's site: made when it is empty, used again when it is not, so that memory can be measured apart from the making")
	perKind = flag.Int("queries", 60, "queries of each class that are timed one by one")
	class   = flag.String("class", "", "measure only classes and loads whose name has this")
)

// Goals of the speed, for a register of a size and above.
const (
	indexGoal   = 4.0 // times the time of FTS5
	besideGoal  = 5.0 // times PostgreSQL's median for common words with counts
	besideFloor = 0.7 // and in any class
)

// vocabulary are words of the documents by how many of them have each.
type vocabulary struct{ Common, Middle, Rare []string }

// timed are the queries of one class.
type timed struct {
	name    string
	queries []ask
}

// ask is one query with conditions beside it.
type ask struct{ words, country, kind string }

// BenchmarkSpeed builds an index of a large register, beside FTS5, and times
// queries, beside PostgreSQL.
func BenchmarkSpeed(b *testing.B) {
	m := newMeasured(b)
	for b.Loop() {
		if m.fts > 0 {
			m.builds(b)
		}
		m.open(b)
		m.classes(b)
		s := m.service(b)
		m.load(b, s, "two words, counts and a filter", func(rng *rand.Rand) string {
			q := pick(rng, m.words.Common) + " " + pick(rng, append(m.words.Common, m.words.Middle...))
			return "/api/v1/entries/search?q=" + url.QueryEscape(q) + "&country_code=" + pick(rng, []string{"GR,CY", "DE", "FR", "US", "EU", "GB,IE", "ES", "IT"}) +
				fmt.Sprint("&page=", 1+rng.IntN(3))
		})
		m.load(b, s, "suggestions", func(rng *rand.Rand) string {
			w := []rune(pick(rng, append(m.words.Common, m.words.Middle...)))
			return "/api/v1/entries/search/suggestions?q=" + url.QueryEscape(string(w[:min(len(w), 1+rng.IntN(6))])) + fmt.Sprint("&limit=", 5+rng.IntN(16))
		})
		var u syscall.Rusage
		check(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
		fmt.Printf("memory of the service: %d MiB now (%d MiB of it the heap), %d MiB at most\n", resident(), heap(), u.Maxrss>>10)
		runtime.KeepAlive(s)
	}
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// measured is a large register and the engines that hold it.
type measured struct {
	library *query.Library
	dir     string
	pg      *postgres
	words   vocabulary
	// indexing are the times of our index and of FTS5.
	indexing, fts time.Duration
	size          int64
}

// reopen uses a site that was made before, nil if there is none.
func reopen(b *testing.B, dir string) *measured {
	text, err := os.ReadFile(filepath.Join(dir, wordsFile))
	if dir == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	m := &measured{dir: dir}
	check(b, errors.Join(err, json.Unmarshal(text, &m.words)))
	return m
}

// open reads the site, of which this process holds one copy at a time, as the service does.
func (m *measured) open(b *testing.B) {
	var err error
	m.library, err = query.Open(m.dir, slog.New(slog.DiscardHandler), setup.ServeMemory)
	check(b, err)
}

// service answers from the site in place of the library.
func (m *measured) service(b *testing.B) *dynamic.Service {
	m.library = nil
	debug.FreeOSMemory()
	s, err := dynamic.New(dynamic.Config{SiteDir: m.dir, Limits: dynamic.Limits{Reads: 1 << 30, Writes: 1, Proxy: 1}, Holding: setup.ServeMemory})
	check(b, err)
	return s
}

// wordsFile holds the vocabulary of a site that is kept.
const wordsFile = "words.json"

func newMeasured(b *testing.B) *measured {
	if m := reopen(b, *siteDir); m != nil {
		return m
	}
	g, err := register.New(b.Context())
	check(b, err)
	s := newSite(b, g.Institutions(), g.Licences(), g.Sources())
	m := &measured{dir: s.dir}
	var fts *fts5
	if *beside {
		fts, m.pg = newFTS5(b), newPostgres(b)
	}
	frequency := map[string]int{}
	for i := range *entries {
		l, _ := g.Entry(i, *seed)
		l.Entry.ID = fmt.Sprintf("%08x-0000-5000-8000-%012x", i, i)
		d, err := s.add(&catalog.Row{Entry: *l.Entry, Provenance: *l.Provenance})
		check(b, err)
		if *beside {
			check(b, errors.Join(fts.add(d), m.pg.add(d)))
		}
		if i%(*entries/2000) == 0 {
			for _, w := range search.Terms(d.title + " " + d.tags + " " + d.body) {
				frequency[w]++
			}
		}
	}
	m.size = s.finish(b).Current().File().Section(segment.File).Size()
	if *beside {
		fts.finish(b)
		m.pg.finish(b)
		m.fts = fts.indexing
	}
	m.indexing = s.indexing
	m.words = wordsBy(frequency)
	text, err := json.Marshal(m.words)
	check(b, errors.Join(err, os.WriteFile(filepath.Join(s.dir, wordsFile), text, 0o644)))
	return m
}

// wordsBy parts the words of 2,000 documents by their frequency: the 60 most
// frequent, those that one in 30 to 200 has, and the 200 least frequent.
func wordsBy(frequency map[string]int) vocabulary {
	var words []string
	for w := range frequency {
		if utf8.RuneCountInString(w) >= 4 && !search.IsStop(w) && !strings.ContainsAny(w, "0123456789") {
			words = append(words, w)
		}
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(cmp.Compare(frequency[b], frequency[a]), cmp.Compare(a, b)) })
	v := vocabulary{Common: words[:60], Rare: words[len(words)-200:]}
	for _, w := range words {
		if n := frequency[w]; n >= 10 && n <= 66 {
			v.Middle = append(v.Middle, w)
		}
	}
	return v
}

func (m *measured) builds(b *testing.B) {
	times := float64(m.indexing) / float64(m.fts)
	fmt.Printf("index of %d entries: %.1f s, %d MiB; FTS5 %.1f s: %.2f times (goal at most %.0f); words: %d common, %d middle, %d rare\n",
		*entries, m.indexing.Seconds(), m.size>>20, m.fts.Seconds(), times, indexGoal, len(m.words.Common), len(m.words.Middle), len(m.words.Rare))
	b.ReportMetric(times, "fts5times")
	if times > indexGoal {
		b.Errorf("the index took %.2f times as long as FTS5's", times)
	}
}

// commonClass is the class for which besideGoal counts.
const commonClass = "common word, counts"

func (m *measured) kinds() []timed {
	rng := rand.New(rand.NewPCG(*seed, 2))
	make := func(name string, one func() ask) timed {
		t := timed{name: name}
		for range *perKind {
			t.queries = append(t.queries, one())
		}
		return t
	}
	v := &m.words
	return []timed{
		make(commonClass, func() ask { return ask{words: pick(rng, v.Common)} }),
		make("common word, filter, counts", func() ask { return ask{pick(rng, v.Common), pick(rng, []string{"GR", "DE", "FR"}), "DATASET"} }),
		make("two common words, counts", func() ask { return ask{words: pick(rng, v.Common) + " " + pick(rng, v.Common)} }),
		make("common and middle, counts", func() ask { return ask{words: pick(rng, v.Common) + " " + pick(rng, v.Middle)} }),
		make("three middle words", func() ask {
			return ask{words: pick(rng, v.Middle) + " " + pick(rng, v.Middle) + " " + pick(rng, v.Middle)}
		}),
		make("rare word", func() ask { return ask{words: pick(rng, v.Rare)} }),
		make("phrase", func() ask {
			return ask{words: `"` + pick(rng, []string{"air quality", "open data", "annual figures", "public transport", "quality reports", "census tables", "sensor network"}) + `"`}
		}),
		make("misspelt word", func() ask { return ask{words: misspelt([]string{pick(rng, v.Middle) + "ing"}, rng)[0]} }),
	}
}

func (m *measured) classes(b *testing.B) {
	fmt.Printf("%-30s %26s %12s %26s %8s\n", "one by one, ms", "assay p50 / p95", "processor", "postgresql p50 / p95", "times")
	for _, t := range m.kinds() {
		if !strings.Contains(t.name, *class) {
			continue
		}
		cpu := processor(b)
		ours := times(b, t.queries, m.ask)
		mean := 1000 * (processor(b) - cpu).Seconds() / float64(len(t.queries))
		if m.pg == nil {
			fmt.Printf("%-30s %13.2f /%10.2f %12.2f\n", t.name, ours.at(50), ours.at(95), mean)
			continue
		}
		theirs := times(b, t.queries, m.pg.ask)
		ratio := theirs.at(50) / ours.at(50)
		fmt.Printf("%-30s %13.2f /%10.2f %12.2f %14.2f /%10.2f %8.1f\n", t.name, ours.at(50), ours.at(95), mean, theirs.at(50), theirs.at(95), ratio)
		if t.name == commonClass && ratio < besideGoal || ratio < besideFloor {
			b.Errorf("%s: %.2f times as fast as PostgreSQL", t.name, ratio)
		}
	}
}

// latencies are sorted milliseconds.
type latencies []float64

func (l latencies) at(percent int) float64 { return l[min(len(l)-1, len(l)*percent/100)] }

func times(b *testing.B, queries []ask, do func(context.Context, *ask) error) latencies {
	b.Helper()
	var out latencies
	for i := range queries {
		began := time.Now()
		check(b, do(b.Context(), &queries[i]))
		out = append(out, float64(time.Since(began).Microseconds())/1000)
	}
	slices.Sort(out)
	return out
}

func (m *measured) ask(ctx context.Context, a *ask) error {
	values := parameters(a.words, 20)
	if a.country != "" {
		values.Set("country_code", a.country)
		values.Set("type", a.kind)
	}
	r, err := query.ParseSearch(values)
	if err != nil {
		return err
	}
	_, err = m.library.Current().SearchPage(ctx, r, time.Now)
	return err
}

const countsSQL = `WITH hits AS MATERIALIZED (SELECT item, id, type, country, kind, state, tag, format, ts_rank_cd('{0.1, 0.3, 0.5, 1}', tsv, q, 1) AS rank
	FROM doc, websearch_to_tsquery('folded', $1) q WHERE tsv @@ q AND ($2 = '' OR country = $2) AND ($3 = '' OR type = $3))
(SELECT 'item', item, rank::float8 FROM hits ORDER BY rank DESC, id LIMIT 20)
UNION ALL SELECT 'type', type, count(*) FROM hits GROUP BY 2
UNION ALL SELECT 'country', country, count(*) FROM hits GROUP BY 2
UNION ALL SELECT 'kind', kind, count(*) FROM hits GROUP BY 2
UNION ALL SELECT 'state', state, count(*) FROM hits GROUP BY 2
UNION ALL (SELECT 'tag', t, count(*) FROM hits, unnest(tag) t GROUP BY 2 ORDER BY 3 DESC LIMIT 50)
UNION ALL (SELECT 'format', f, count(*) FROM hits, unnest(format) f GROUP BY 2 ORDER BY 3 DESC LIMIT 50)`

// ask is the same question with the same counts; a word that is nowhere is
// looked for by its trigrams.
func (p *postgres) ask(ctx context.Context, a *ask) error {
	rows, err := p.pool.Query(ctx, countsSQL, a.words, a.country, a.kind)
	if err != nil {
		return err
	}
	found, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (string, error) {
		var kind, value string
		var n float64
		return kind, r.Scan(&kind, &value, &n)
	})
	if err != nil || len(found) > 0 {
		return err
	}
	_, err = p.ids(ctx, `SELECT id FROM doc WHERE unaccent($1) <% title ORDER BY word_similarity(unaccent($1), title) DESC, id LIMIT 20`, a.words)
	return err
}
