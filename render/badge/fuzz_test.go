package badge

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzSVG parses back what was drawn from any words.
func FuzzSVG(f *testing.F) {
	for _, s := range []string{"", " ", "a  b", `"'<>&`, "</title><script>alert(1)</script>", "]]>", "\x00\x01\t\n\r", "\u2028\u2029\u0085",
		"\xed\xa0\x80", "\xff", "\ufffe\uffff", "\u202eabc\u200f", "👩‍💻🇬🇷", "ελληνικά", "עברית", strings.Repeat("W", 500)} {
		f.Add(s, "message", "name", uint8(2))
		f.Add("label", s, s, uint8(200))
	}
	f.Fuzz(func(t *testing.T, label, message, subject string, colour uint8) {
		b := Badge{Label: label, Message: message, Subject: subject, Colour: Colour(colour)}
		svg := b.draw(nil)
		d := parse(t, svg)
		if !utf8.Valid(svg) || d.XMLName.Local != "svg" || d.XMLName.Space != "http://www.w3.org/2000/svg" || d.Role != "img" {
			t.Fatalf("not an accessible SVG: %s", svg)
		}
		last := d.Texts[len(d.Texts)-1]
		if last.Text != clean(message) || len(d.Texts) == 2 && d.Texts[0].Text != clean(label) || len(d.Texts) > 2 {
			t.Fatalf("texts %+v", d.Texts)
		}
		for _, text := range d.Texts {
			if left, right := text.X-text.Length/2, text.X+text.Length/2; text.Length < 10 || left < 0 || right > 10*d.Width {
				t.Fatalf("text leaves the badge: %d to %d of %d", left, right, 10*d.Width)
			}
		}
		if c := clean(label); clean(c) != c {
			t.Fatalf("%q is not clean", c)
		}
	})
}

// BenchmarkSVG draws the badges that entries really have.
func BenchmarkSVG(b *testing.B) {
	badges := everyBadge()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			badges[i%len(badges)].draw(nil)
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "badges/s")
}

// BenchmarkEntry is what a build spends on the badges of one entry.
func BenchmarkEntry(b *testing.B) {
	s := scored()
	b.ReportAllocs()
	for b.Loop() {
		files, err := Entry(s)
		if err != nil {
			b.Fatal(err)
		}
		for i := range files {
			files[i].Free()
		}
	}
}
