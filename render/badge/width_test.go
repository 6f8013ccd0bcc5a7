package badge

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// corpus reads the widths that badge-maker gave, which .ci/badges/judge keeps
// true.
func corpus(t testing.TB) [][3]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "corpus.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var out [][3]string
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if !strings.HasPrefix(line, "#") && len(f) == 3 {
			out = append(out, [3]string(f))
		}
	}
	if len(out) < 100 {
		t.Fatalf("the corpus has %d texts", len(out))
	}
	return out
}

// drawn is an SVG document as a reader sees it.
type drawn struct {
	XMLName xml.Name
	Width   int    `xml:"width,attr"`
	Height  int    `xml:"height,attr"`
	Role    string `xml:"role,attr"`
	Label   string `xml:"aria-label,attr"`
	Title   string `xml:"title"`
	Texts   []struct {
		Fill   string `xml:"fill,attr"`
		X      int    `xml:"x,attr"`
		Length int    `xml:"textLength,attr"`
		Text   string `xml:",chardata"`
	} `xml:"g>text"`
}

func parse(t testing.TB, svg []byte) drawn {
	t.Helper()
	var d drawn
	if err := xml.Unmarshal(svg, &d); err != nil {
		t.Fatalf("%v: %s", err, svg)
	}
	return d
}

func TestWidthsAreThoseOfBadgeMaker(t *testing.T) {
	worst := 0
	for _, c := range corpus(t) {
		want, err := strconv.Atoi(c[2])
		if err != nil {
			t.Fatal(err)
		}
		got := parse(t, (&Badge{Label: c[0], Message: c[1], Colour: Green}).draw(nil)).Width
		worst = max(worst, got-want, want-got)
		if got < want-2 || got > want+2 {
			t.Errorf("%q %q: %d px, badge-maker draws %d", c[0], c[1], got, want)
		}
	}
	t.Logf("%d badges, at most %d px apart", len(corpus(t)), worst)
}

func TestWidthTable(t *testing.T) {
	count := 0
	for i, p := range widths() {
		if p == nil {
			continue
		}
		for j, w := range p {
			if w != unlisted {
				count++
			}
			if w != unlisted && w > 2000 {
				t.Errorf("U+%04X is %d wide", i<<pageBits+j, w)
			}
		}
	}
	if count < 30000 {
		t.Errorf("%d characters are known", count)
	}
	for _, c := range []struct {
		r    rune
		want uint16
	}{{' ', 387}, {'m', 1070}, {'日', 1100}, {'ש', unlisted}, {0x10ffff, unlisted}} {
		if got := widths().of(c.r); got != c.want {
			t.Errorf("%q is %d wide, want %d", c.r, got, c.want)
		}
	}
}

// A script whose letters were not measured gets room as badge-maker gives it,
// but is not torn apart to fill it.
func TestUnmeasuredScriptsAreNotStretched(t *testing.T) {
	for _, text := range []string{"עברית", "العربية", "हिन्दी", "ไทย"} {
		room, length := measure(text)
		if length*4 > room*3 {
			t.Errorf("%s: drawn at %d px of %d", text, length, room)
		}
	}
	for _, text := range []string{"한국어", "日本語", "Ελλάδα", "excellent"} {
		if room, length := measure(text); length != room {
			t.Errorf("%s: drawn at %d px of %d", text, length, room)
		}
	}
}
