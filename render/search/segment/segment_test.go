package segment

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-register/assay/render/search"
)

// corpus are documents as lists of words.
type corpus [][]string

var lexicon = strings.Fields("air water quality wasser trinkwasser qualitat station stations bus buses road roads rain a ab abc abd b ktiria")

func drawCorpus(t *rapid.T) corpus {
	var c corpus
	for range rapid.IntRange(0, 30).Draw(t, "documents") {
		c = append(c, rapid.SliceOfN(rapid.SampledFrom(lexicon), 0, 12).Draw(t, "words"))
	}
	return c
}

// write indexes a corpus; a run is spilled after every so many documents, 0
// for none.
func write(t fataler, c corpus, every int, completions *Completions) *Segment {
	t.Helper()
	var an search.Analyser
	var titles [][]uint64
	var runs []io.Reader
	b := NewBuilder()
	for i, words := range c {
		d := search.Document{search.FieldText: {{Value: strings.Join(words, " "), Lang: "de"}}, search.FieldTitle: {{Value: "document " + fmt.Sprint(i), Lang: "en"}}}
		a := an.Analyse(&d)
		b.Add(uint32(i), a)
		titles = append(titles, a.Titles)
		if every > 0 && (i+1)%every == 0 {
			var run bytes.Buffer
			must(t, b.Spill(&run))
			runs = append(runs, &run)
		}
	}
	var out bytes.Buffer
	w := NewWriter(&out)
	if every > 0 {
		var run bytes.Buffer
		must(t, b.Spill(&run))
		must(t, Merge(w, append(runs, &run)...))
	} else {
		must(t, b.Write(w))
	}
	must(t, w.Finish(titles, completions))
	s, err := Open(out.Bytes())
	must(t, err)
	return s
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func must(t fataler, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}

// Every posting and position is that of the documents, however often the
// builder was spilled.
func TestPostingsAreThoseOfTheDocuments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCorpus(t)
		s := write(t, c, rapid.SampledFrom([]int{0, 1, 4, 100}).Draw(t, "every"), nil)
		if s.Documents() != len(c) {
			t.Fatalf("%d documents of %d", s.Documents(), len(c))
		}
		for _, w := range lexicon {
			var want, got []string
			for i, words := range c {
				var at []int
				for k, v := range words {
					if v == w {
						at = append(at, k)
					}
				}
				if at != nil {
					want = append(want, fmt.Sprint(i, at))
				}
			}
			if n := s.Find(w); n >= 0 {
				got = read(s, n)
				if s.Frequency(n) != len(want) || s.Term(n) != w {
					t.Fatalf("%s: %d documents of %d", s.Term(n), s.Frequency(n), len(want))
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s is at %v, want %v", w, got, want)
			}
		}
		for i := range c {
			if hash := search.TitleHash(search.Key(fmt.Sprint("Document ", i), "")); !s.HasTitle(uint32(i), hash) || s.HasTitle(uint32(i), hash+1) {
				t.Fatalf("title of %d", i)
			}
		}
	})
}

// read lists documents with the word's places in the text.
func read(s *Segment, term int) []string {
	var out []string
	skip := s.Positions(term)
	at := s.Positions(term)
	for p := s.Postings(term); p.Next(); {
		var places []int
		for _, position := range at.Next() {
			places = append(places, int(position)-int(search.FieldText)<<16)
		}
		skip.Skip()
		out = append(out, fmt.Sprint(p.Document, places))
	}
	if !bytes.Equal(at.rest, skip.rest) {
		out = append(out, "Skip goes elsewhere than Next")
	}
	return out
}

func TestRangesAndNeighboursAreThoseOfTheDictionary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[abcd]{1,7}`), 0, 40).Draw(t, "words")
		s := write(t, corpus{words}, 0, nil)
		word := rapid.StringMatching(`[abcd]{1,7}`).Draw(t, "word")
		limit, same := rapid.IntRange(0, 2).Draw(t, "limit"), rapid.IntRange(0, min(1, len(word))).Draw(t, "same")
		got, want := map[string]int{}, map[string]int{}
		s.Near(word, same, limit, func(term, d int) { got[s.Term(term)] = d })
		from, to := s.Range(word)
		within := map[int]bool{}
		s.Inside(word, 1000, func(term int) { within[term] = true })
		for i := range s.Terms() {
			term := s.Term(i)
			if strings.HasPrefix(term, word) != (i >= from && i < to) {
				t.Fatalf("%s: terms %d to %d begin with %s", term, from, to, word)
			}
			if strings.Contains(term, word) != within[i] {
				t.Fatalf("%s within %s: %t", word, term, within[i])
			}
			if d := distance(word, term); d <= limit && term[:min(same, len(term))] == word[:same] {
				want[term] = d
			}
		}
		if !maps.Equal(got, want) {
			t.Fatalf("near %s by %d: %v, want %v", word, limit, got, want)
		}
	})
}

// distance is the optimal string alignment distance by its recurrence.
func distance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

func TestStemsAndCompounds(t *testing.T) {
	s := write(t, corpus{{"trinkwasser", "qualitat", "stationen", "grundwasserstand"}, {"wasser", "station", "trink", "grund", "stand"}}, 0, nil)
	for _, c := range []struct {
		find func([]int, string) []int
		word string
		want []string
	}{
		{s.Stemmed, "station", []string{"stationen"}}, {s.Stemmed, "nothing", nil},
		{s.Compounds, "wasser", []string{"grundwasserstand", "trinkwasser"}}, {s.Compounds, "stand", []string{"grundwasserstand"}}, {s.Compounds, "trink", []string{"trinkwasser"}}, {s.Compounds, "quali", nil},
	} {
		var got []string
		for _, n := range c.find(nil, c.word) {
			got = append(got, s.Term(n))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s leads to %q, want %q", c.word, got, c.want)
		}
	}
}

func TestCompletions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list Completions
		weight := map[string]uint16{}
		for range rapid.IntRange(0, 200).Draw(t, "completions") {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(lexicon), 1, 4).Draw(t, "text"), " ")
			w := uint16(rapid.IntRange(0, 50).Draw(t, "weight"))
			list.Add(Completion{Kind: KindTitle, Text: text, Key: text, Weight: w, Count: 1})
			weight[text] = max(weight[text], w)
		}
		s := write(t, nil, 0, &list)
		prefix, n := rapid.SampledFrom([]string{"", "a", "ab", "water q", "bus", "zz"}).Draw(t, "prefix"), rapid.IntRange(1, 20).Draw(t, "n")
		var want []uint16
		for text, w := range weight {
			if strings.HasPrefix(text, prefix) || strings.Contains(text, " "+prefix) {
				want = append(want, w)
			}
		}
		sort.Slice(want, func(i, j int) bool { return want[i] > want[j] })
		var got []uint16
		seen := map[string]bool{}
		for _, c := range s.Complete(prefix, n) {
			got = append(got, c.Weight)
			if seen[c.Text] || !strings.HasPrefix(c.Text, prefix) && !strings.Contains(c.Text, " "+prefix) {
				t.Fatalf("%q goes on as %q", prefix, c.Text)
			}
			seen[c.Text] = true
		}
		if want = want[:min(n, len(want))]; !slices.Equal(got, want) {
			t.Fatalf("%q: weights %v, want %v", prefix, got, want)
		}
	})
}

func TestCompletionsOfOneTextAreOne(t *testing.T) {
	var list Completions
	list.Add(Completion{Kind: KindTag, Text: "Air", Key: "air", Weight: 1, Count: 2})
	list.Add(Completion{Kind: KindTag, Text: "AIR", Key: "air", Weight: 5, Count: 3})
	list.Add(Completion{Kind: KindTitle, Text: "Air", Key: "air", Weight: 2, Count: 1})
	list.Add(Completion{Kind: KindTag, Text: "!", Key: "", Weight: 9})
	got := write(t, nil, 0, &list).Complete("a", 9)
	if len(got) != 2 || got[0] != (Completion{KindTag, "AIR", "air", 5, 5}) || got[1].Kind != KindTitle {
		t.Errorf("%+v", got)
	}
}

// Passing over documents leads where reading them does, whatever numbers they have.
func TestSkippedPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l list
		lists := rapid.SliceOfN(rapid.SliceOfN(rapid.Uint32Range(0, 1<<22), 0, 40), 1, 12).Draw(t, "positions")
		for i, positions := range lists {
			slices.Sort(positions)
			l.add(uint32(i), &search.Occurrence{Positions: positions})
		}
		p := Positions{rest: l.positions}
		for i, positions := range lists {
			if rapid.Bool().Draw(t, "skip") {
				p.Skip()
			} else if got := p.Next(); !slices.Equal(got, positions) && len(got)+len(positions) > 0 {
				t.Fatalf("list %d: %v, want %v", i, got, positions)
			}
		}
		if len(p.rest) > 0 {
			t.Fatalf("%d bytes are left", len(p.rest))
		}
	})
}

// A document has the titles that were written for it, and no others.
func TestTitles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		titles := rapid.SliceOfN(rapid.SliceOfN(rapid.Uint64Range(0, 1<<12), 0, 4), 0, 40).Draw(t, "titles")
		var out bytes.Buffer
		must(t, NewWriter(&out).Finish(titles, nil))
		s, err := Open(out.Bytes())
		must(t, err)
		for d := range titles {
			for range 20 {
				hash := rapid.Uint64Range(0, 1<<12).Draw(t, "hash")
				if got := s.HasTitle(uint32(d), hash); got != slices.Contains(titles[d], hash) {
					t.Fatalf("document %d, %d: %v", d, hash, got)
				}
			}
			for _, hash := range titles[d] {
				if !s.HasTitle(uint32(d), hash) {
					t.Fatalf("document %d lacks %d", d, hash)
				}
			}
		}
	})
}

func TestOpenRefuses(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	must(t, w.Finish(nil, nil))
	whole := out.Bytes()
	if _, err := Open(whole); err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		bad := bytes.Clone(whole)
		bad[i] ^= 0x10
		if _, err := Open(bad); err == nil {
			t.Errorf("a change of byte %d of %d goes unseen", i, len(whole))
		}
		if _, err := Open(whole[:i]); err == nil {
			t.Errorf("%d bytes of %d are enough", i, len(whole))
		}
	}
}

func FuzzOpen(f *testing.F) {
	var out bytes.Buffer
	if err := NewWriter(&out).Finish(nil, nil); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := Open(b); err == nil && (s.Documents() < 0 || s.Find("x") >= s.Terms()) {
			t.Error("a segment that cannot be")
		}
	})
}

// A run that breaks off is an error, not a shorter index.
func TestMergeRefuses(t *testing.T) {
	var an search.Analyser
	b := NewBuilder()
	b.Add(0, an.Analyse(&search.Document{search.FieldText: {{Value: "air", Lang: "en"}}}))
	var run bytes.Buffer
	must(t, b.Spill(&run))
	for i := 1; i < run.Len(); i++ {
		if err := Merge(NewWriter(io.Discard), bytes.NewReader(run.Bytes()[:i])); err == nil {
			t.Errorf("%d bytes of %d are enough", i, run.Len())
		}
	}
}
