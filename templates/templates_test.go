package templates

import (
	"html/template"
	"io/fs"
	"testing"
)

// Every template parses once the functions of the pages are known.
func TestTemplatesParse(t *testing.T) {
	names, err := fs.Glob(Files, "*.html")
	if err != nil || len(names) == 0 {
		t.Fatalf("templates %v: %v", names, err)
	}
	none := func(...any) string { return "" }
	funcs := template.FuncMap{"t": none, "route": none, "asset": none, "number": none, "local": none, "word": none, "dict": func(...any) map[string]any { return nil },
		"list": func(...string) []string { return nil }}
	if _, err := template.New("").Funcs(funcs).ParseFS(Files, "*.html"); err != nil {
		t.Error(err)
	}
}

// Text from outside reaches a page as text, without what HTML forbids; what is no
// character is replaced.
func TestAppend(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                   "plain",
		"a\x00b\x1fc\x7fd\te\nf":  "abcd\te\nf",
		"<b>&\"'":                 "&lt;b&gt;&amp;&#34;&#39;",
		"caf\xe9 \u0085 \ufdd0 é": "caf\ufffd \ufffd \ufffd é",
		"Παρατηρήσεις 😀 \ufffd":   "Παρατηρήσεις 😀 \ufffd",
	} {
		got, err := Append([]byte("x\x00"), Outside(text))
		if want = "x\x00" + `<bdi translate="no">` + want + "</bdi>"; err != nil || string(got) != want {
			t.Errorf("%q gives %q (%v), want %q", text, got, err, want)
		}
	}
}
