package harvest

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPublicWords(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"", "plain text", "plain text"},
		{"/srv/in/list.csv", "/srv/in/list.csv:7: bad", "list.csv:7: bad"},
		{`C:\data\list.csv`, `open C:\data\list.csv`, "open list.csv"},
		{"https://x.example/list", "https://x.example/list?key=1 is bad", "https://x.example/list is bad"},
		{"", "ask jo@example.org, or <a.b+c@d.example>", "ask [mail address], or <[mail address]>"},
		{"", "https://u:p@x.example/a?b#c", "https://x.example/a"},
		{"", "line\nbreak\x00 and \xff", "line break and ÿ"},
	} {
		if got := publicWords(c.name, c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func FuzzPublicWords(f *testing.F) {
	f.Add("/srv/list.csv", "/srv/list.csv: jo@example.org https://u:p@x.example/?k=s \xff")
	f.Fuzz(func(t *testing.T, name, text string) {
		got := publicWords(name, text)
		if len(got) > publicText || !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\n") || mails.MatchString(got) {
			t.Errorf("%q", got)
		}
	})
}
