package publisher

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/translit"
)

// Bounds of the search by words: a name is looked up by its rarest words, and
// a word that this many names have leads nowhere.
const (
	rarest    = 4
	commonest = 512
)

// acronymMax is the length of the longest acronym, in characters.
const acronymMax = 6

// digraphs writes the letters of German and the Scandinavian languages that
// folding turns into plain vowels the way people write them without them.
var digraphs = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "å", "aa", "ø", "oe", "æ", "ae")

// nameIndex finds institutions by their names.
type nameIndex struct {
	exact map[string][]hit
	docs  []document
	// words numbers the words of all names, postings the documents of each.
	words    map[string]int32
	postings [][]int32
	weights  []float64
	unknown  float64
}

// hit is an institution under an exact name.
type hit struct {
	institution int32
	kind        nameKind
}

// document is one name as a sorted list of distinct words.
type document struct {
	institution int32
	words       []int32
	weight      float64
}

func newNameIndex() nameIndex {
	return nameIndex{exact: map[string][]hit{}, words: map[string]int32{}}
}

// add files an institution under its names, their readings in Latin letters,
// its acronyms and its aliases.
func (x *nameIndex) add(i int32, inst *catalog.Institution, aliases []string) {
	x.addName(i, inst.Name, kindName)
	if inst.NameEn != inst.Name {
		x.addName(i, inst.NameEn, kindEnglish)
	}
	for _, a := range aliases {
		if isAcronym(a) {
			x.file(strings.Join(wordsOf(search.Fold(a)), " "), hit{i, kindAcronym})
			continue
		}
		x.addName(i, a, kindAlias)
	}
	folded := search.Fold(inst.Name)
	for _, latin := range []string{translit.ASCIIFor(inst.Name, inst.NativeLang), digraphs.Replace(strings.ToLower(inst.Name))} {
		if latin = search.Fold(latin); latin != folded {
			x.addName(i, latin, kindLatin)
		}
	}
	if _, handle, ok := strings.Cut(inst.Key, "-"); ok && len(handle) >= 3 && !strings.Contains(handle, "-") {
		x.file(handle, hit{i, kindAcronym})
	}
}

// addName files one name. What stands in brackets is an acronym or another
// name of the same body.
func (x *nameIndex) addName(i int32, name string, kind nameKind) {
	if strings.TrimSpace(name) == "" {
		return
	}
	outside, inside := brackets(name)
	for _, text := range []string{name, outside} {
		words := wordsOf(search.Fold(text))
		x.file(strings.Join(words, " "), hit{i, kind})
		x.file(strings.Join(meaningful(words), " "), hit{i, kind})
		x.file(initials(words), hit{i, kindInitials})
		x.document(i, words)
	}
	for _, text := range inside {
		x.file(strings.Join(wordsOf(search.Fold(text)), " "), hit{i, kindAcronym})
	}
}

func (x *nameIndex) file(key string, h hit) {
	if len(key) >= 2 && !slices.Contains(x.exact[key], h) {
		x.exact[key] = append(x.exact[key], h)
	}
}

func (x *nameIndex) document(i int32, words []string) {
	d := document{institution: i}
	for _, w := range meaningful(words) {
		id, ok := x.words[w]
		if !ok {
			id = int32(len(x.words))
			x.words[w] = id
			x.postings = append(x.postings, nil)
		}
		d.words = append(d.words, id)
	}
	slices.Sort(d.words)
	if d.words = slices.Compact(d.words); len(d.words) < 2 {
		return // one word alone is matched exactly or not at all
	}
	n := int32(len(x.docs))
	x.docs = append(x.docs, d)
	for _, id := range d.words {
		x.postings[id] = append(x.postings[id], n)
	}
}

// finish weighs the words: rare ones tell more.
func (x *nameIndex) finish() {
	n := float64(len(x.docs) + 1)
	x.unknown = math.Log(1 + n)
	x.weights = make([]float64, len(x.postings))
	for id, p := range x.postings {
		x.weights[id] = math.Log(1 + n/float64(max(1, len(p))))
	}
	for i := range x.docs {
		for _, id := range x.docs[i].words {
			x.docs[i].weight += x.weights[id]
		}
	}
}

// find calls found for each institution that the words may mean.
func (x *nameIndex) find(words []string, found func(i int32, kind nameKind, points int, text string)) {
	keys := []string{strings.Join(words, " "), strings.Join(meaningful(words), " ")}
	for _, key := range slices.Compact(keys) {
		for _, h := range x.exact[key] {
			found(h.institution, h.kind, namePoints[h.kind], nameTexts[h.kind])
		}
	}
	x.similar(words, func(i int32, share float64) {
		points := int(share * float64(namePoints[kindWords]))
		found(i, kindWords, points, fmt.Sprintf("%d %% of the %s", int(share*100), nameTexts[kindWords]))
	})
}

// similar compares the words with the names that share a rare word. The share
// is the weight of the common words in the mean weight of both names (Dice).
func (x *nameIndex) similar(words []string, found func(i int32, share float64)) {
	total, ids := 0.0, []int32{}
	for _, w := range meaningful(words) {
		if id, ok := x.words[w]; ok {
			ids = append(ids, id)
		} else {
			total += x.unknown
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	for _, id := range ids {
		total += x.weights[id]
	}
	rare := slices.Clone(ids)
	slices.SortStableFunc(rare, func(a, b int32) int { return cmp.Compare(x.weights[b], x.weights[a]) })
	var seen []int32
	for _, id := range rare[:min(len(rare), rarest)] {
		if len(x.postings[id]) > commonest {
			continue
		}
		seen = append(seen, x.postings[id]...)
	}
	slices.Sort(seen)
	for _, n := range slices.Compact(seen) {
		d := &x.docs[n]
		if share := 2 * x.common(ids, d.words) / (total + d.weight); share >= 0.5 {
			found(d.institution, share)
		}
	}
}

// common is the weight of the words that two sorted lists share.
func (x *nameIndex) common(a, b []int32) float64 {
	sum := 0.0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			sum += x.weights[a[i]]
			i, j = i+1, j+1
		}
	}
	return sum
}

// isAcronym tells whether a name is one short word, which bodies of several
// countries may share.
func isAcronym(name string) bool {
	return utf8.RuneCountInString(name) <= acronymMax && !strings.ContainsAny(name, " -")
}
