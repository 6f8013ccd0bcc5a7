package source

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestClean(t *testing.T) {
	for _, c := range []struct{ name, in, want, repair string }{
		{"plain", "  a b\n", "a b", ""},
		{"crlf", "a\r\nb\rc", "a\nb\nc", ""},
		{"composition", "e\u0301tat", "état", ""},
		{"byte order mark", "\ufeffname", "name", "control and invisible characters removed"},
		{"zero width", "a\u200bb\u2060c", "abc", "control and invisible characters removed"},
		{"control", "a\x00b\x07\x80c", "abc", "invalid"},
		{"c1", "a\u0080b", "ab", "control and invisible characters removed"},
		{"bidi override", "a\u202eb", "ab", "control and invisible characters removed"},
		{"persian joiner stays", "می\u200cخواهم", "می\u200cخواهم", ""},
		{"latin joiner goes", "a\u200db", "ab", "control and invisible characters removed"},
		{"line separator", "a\u2028b", "a\nb", ""},
		{"windows-1252", "Donn\xe9es \x93ouvertes\x94", "Données “ouvertes”", "decoded as Windows-1252"},
		{"mixed encodings", "é\xe9", "é\ufffd", "invalid UTF-8 replaced"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, repair := Clean(c.in)
			if c.name == "control" {
				if got != "ab€c" || repair == "" {
					t.Errorf("got %q, %q", got, repair)
				}
				return
			}
			if got != c.want || repair != c.repair {
				t.Errorf("got %q, %q; want %q, %q", got, repair, c.want, c.repair)
			}
		})
	}
}

func FuzzCleanText(f *testing.F) {
	for _, s := range []string{"", "a\r\nb", "\xff\xfe", "e\u0301", "\u200c\u200d", "a\x00", "Donn\xe9es", "👨\u200d👩", strings.Repeat("\u200b", 9)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := CleanText(s)
		if !utf8.ValidString(got) || !norm.NFC.IsNormalString(got) {
			t.Fatalf("not valid NFC: %q", got)
		}
		for _, r := range got {
			if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f {
				t.Fatalf("control character %U in %q", r, got)
			}
		}
		if again := CleanText(got); again != got {
			t.Fatalf("cleaning again changes %q to %q", got, again)
		}
	})
}

func TestLiteralBreaks(t *testing.T) {
	got, had := LiteralBreaks(`one\n\n- two\r\nthree`)
	if got != "one\n\n- two\nthree" || !had {
		t.Errorf("got %q, %v", got, had)
	}
	if got, had := LiteralBreaks(`C:\path`); got != `C:\path` || had {
		t.Errorf("got %q, %v", got, had)
	}
}

func TestCut(t *testing.T) {
	got, cut := Cut("αβγ δεζ ηθι", 16)
	if got != "αβγ δεζ…" && got != "αβγ…" || !cut || len(got) > 16 {
		t.Errorf("got %q (%d bytes), %v", got, len(got), cut)
	}
	if got, cut := Cut("short", 5); got != "short" || cut {
		t.Errorf("got %q, %v", got, cut)
	}
	if got, _ := Cut(strings.Repeat("ü", 100), 21); len(got) > 21 || !utf8.ValidString(got) {
		t.Errorf("got %q", got)
	}
}

func TestHTMLText(t *testing.T) {
	in := `<h2>Title</h2><p>One &amp; two<br>three</p><script>evil("<p>")</script><ul><li>a<li>b</ul>`
	want := "Title\n\nOne & two\nthree\n\n- a\n- b"
	if got := HTMLText(in); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for in, want := range map[string]string{
		"1 < 2":                             "1 < 2",
		"Values <LOQ":                       "Values <LOQ",
		"Values <LOQ are <b>zero</b>. More": "Values <LOQ are zero. More",
		"<p>Values <LOQ, or p<a and b>c.</p><p>End</p>":   "Values <LOQ, or p<a and b>c.\n\nEnd",
		"See <https://a.example/?q=1> or <o@a.example>":   "See <https://a.example/?q=1> or <o@a.example>",
		"Ask for <name> and <date>. End":                  "Ask for <name> and <date>. End",
		"a </ b <! c":                                     "a </ b <! c",
		"a <!-- draft --> b":                              "a  b",
		`See <a href="https://a.example/long`:             "See",
		`<P>One<P>Two<br/>Three <td nowrap>x`:             "One\n\nTwo\nThree  x",
		`<p class="a"align=left>x<o:p></o:p>`:             "x",
		`<img src="a"alt='b'/>x <font color= red"">y`:     "x y",
		`<gmd:note>x</gmd:note> <Tile /> <Card a="b">`:    "x",
		"<script async>evil(1<2)</script>y":               "y",
		"<!DOCTYPE html><?xml x?>y":                       "y",
		"<p>Rivers &amp;amp; lakes of l&amp;#039;Est</p>": "Rivers & lakes of l'Est",
	} {
		if got := HTMLText(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func TestMarkdownText(t *testing.T) {
	in := "## Heading\n\nSee [the *docs*](https://example.org) and <External href=\"x\">l'article</External>.\n\n" +
		"- one\n- two\n\n<NextSteps />\n\n<Button href=\"/x\">Go on</Button>\n\n1. first\n2. second\n\n```\ncode\n```\n![alt](i.png)\n"
	want := "Heading\n\nSee the docs and l'article.\n\n- one\n- two\n\nGo on\n\n1. first\n2. second\n\ncode\n\nalt"
	if got := MarkdownText(in); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
