package source

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLinesHaveNoMarkup(t *testing.T) {
	for in, want := range map[string]string{
		"<b>Rivers</b> of the <i>islands</i>":            "Rivers of the islands",
		"Rivers &amp; lakes":                             "Rivers & lakes",
		"Rivers &amp;amp; lakes":                         "Rivers & lakes",
		"Rivers &amp;amp;amp;#233;t&#xE9;":               "Rivers été",
		"CO<sub>2</sub> in the air":                      "CO2 in the air",
		"a<br/>b<BR>c<hr>d":                              "a b c d",
		`See <a href="https://a.example/?a=1&b=2">x</a>`: "See x",
		"<p>One</p><p>Two":                               "One Two",
		"<script>alert('<b>')</script>Rivers":            "Rivers",
		"Rivers<style>p { color: red }</style>":          "Rivers",
		"<SCRIPT src=//e.example>x":                      "",
		"Rivers <!-- draft --> 2026":                     "Rivers 2026",
		"&lt;b&gt;Rivers&lt;/b&gt;":                      "Rivers",
		"Rivers&nbsp;and&nbsp;lakes &#8203;":             "Rivers and lakes",
		`Licence <a href="https://a.example/long`:        "Licence",
		`<img src=x onerror="alert(1)">Rivers`:           "Rivers",
		"<font color=red>Rivers</font>":                  "Rivers",
		"</div>Rivers":                                   "Rivers",
		"Caf&eacute; l&#39;eau &quot;vive&quot;":         "Café l'eau \"vive\"",
	} {
		got, repair := Line(in)
		if got != want || repair == "" {
			t.Errorf("%q is %q (%s), want %q", in, got, repair, want)
		}
	}
	for _, same := range []string{"a < b", "x<y", "<10 km", "List<T>", "Map<K, V>", "List<Span>", "Vec<P>", "a <b and c> d", "if a<b then c>d", "-e KEY=<your_key>", "<HOST>", "--port <port number ex. 5672>",
		"<from> to <to>", "GET /records/<code>", "<template>", "AT&T", "R&D; x", "P&L", "a && b", "&notanentity;", "https://a.example/?a=1&copy=2&lt", "1 <2> 3", "<", ">", "&", "&;", "&amp", "<b", "<3", "a <- b -> c", "<=10 & >=5",
		"<https://a.example/>", "office <office@example.org>"} {
		if got, repair := Line(same); got != same || repair != "" {
			t.Errorf("%q became %q (%s)", same, got, repair)
		}
		if got := Token("<b>" + same + "</b>&amp;"); got != "<b>"+same+"</b>&amp;" {
			t.Errorf("as a token %q became %q", same, got)
		}
	}
}

func FuzzLine(f *testing.F) {
	for _, s := range []string{"<b>x</b>", "&amp;amp;lt;b&gt;", "a < b", "List<T>", "<script>x", "<!-- <b>", `<a href="`, "&#38;#38;lt;", "&am<b></b>p;", "<a b='>'>x</a>", "x<y", "<b\u200b>x</b>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, _ := Line(s)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\t\r") || strings.TrimSpace(got) != got {
			t.Fatalf("%q is %q", s, got)
		}
		if !strings.ContainsAny(CleanText(s), "<&") && got != Token(s) {
			t.Fatalf("%q without markup is %q", s, got)
		}
		// What is nested deeper than rounds are made may keep some.
		if again, _ := Line(got); again != got && strings.Count(s, "<")+strings.Count(s, "&") < roundsMax {
			t.Fatalf("%q is %q, and that is %q", s, got, again)
		}
	})
}
