package query

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/wire"
)

func newMarker(terms ...string) *marker {
	m := &marker{terms: map[string]bool{}, surfaces: map[string]string{}, speller: &search.Speller{}}
	for _, t := range terms {
		m.terms[t] = true
	}
	return m
}

func TestMark(t *testing.T) {
	long := strings.Repeat("before ", 40) + "the <b>Κτίρια</b> & roads " + strings.Repeat("after ", 60)
	for _, c := range []struct{ text, want string }{
		{"Air quality", "<mark>Air</mark> quality"},
		{"air, AIR", "<mark>air</mark>, <mark>AIR</mark>"},
		{"<script>air</script>", "&lt;script&gt;<mark>air</mark>&lt;/script&gt;"},
		{"Κτίρια", "<mark>Κτίρια</mark>"},
		{"nothing", ""}, {"", ""},
	} {
		if got, found := newMarker("air", "ktiria").mark(c.text, "el"); got != c.want || found != (c.want != "") {
			t.Errorf("%q is marked as %q, want %q", c.text, got, c.want)
		}
	}
	got, _ := newMarker("ktiria").mark(long, "")
	if !strings.Contains(got, "&lt;b&gt;<mark>Κτίρια</mark>&lt;/b&gt; &amp; roads") || !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "…") || len(got) > 2*pieceMax {
		t.Errorf("a long text is marked as %q", got)
	}
}

// A piece is a part of the text that holds the first word found.
func TestPiece(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("ab cκд北 😀")), 0, 400, -1).Draw(t, "text")
		first := rapid.IntRange(0, len(text)).Draw(t, "first")
		for first < len(text) && !utf8.RuneStart(text[first]) {
			first++
		}
		from, to := piece(text, first)
		if from < 0 || from > first || to < min(first+1, len(text)) || to > len(text) || !utf8.ValidString(text[from:to]) || to-from > pieceMax+utf8.UTFMax+leadMax {
			t.Fatalf("%d bytes, word at %d: %d to %d", len(text), first, from, to)
		}
	})
}

func TestTextsOfItems(t *testing.T) {
	site := sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 40})
	str := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	for id, item := range site.Items {
		var want wire.Item
		if err := json.Unmarshal(item, &want); err != nil {
			t.Fatal(err)
		}
		got, err := textsOf(item)
		if err != nil || got.Name != want.Name || got.NameEn != str(want.NameEn) || got.Description != str(want.Description) ||
			got.DescriptionEn != str(want.DescriptionEn) || got.NativeLang != str(want.NativeLang) || !slices.Equal(got.Tags, want.Tags) {
			t.Errorf("%s: %+v, %v", id, got, err)
		}
	}
	if _, err := textsOf([]byte(`{"id":"x","name":"\",\"tags\":"}`)); err == nil {
		t.Error("a name within a text is taken for a member")
	}
}

func TestKeeperKeepsTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOf(rapid.IntRange(0, 50)).Draw(t, "list")
		k := topK[int]{n: rapid.IntRange(0, 20).Draw(t, "n"), compare: cmp.Compare[int]}
		for _, v := range list {
			k.add(v)
		}
		slices.SortFunc(list, func(a, b int) int { return b - a })
		if want := list[:min(k.n, len(list))]; !slices.Equal(k.sorted(), want) {
			t.Fatalf("%v, want %v", k.heap, want)
		}
	})
}
