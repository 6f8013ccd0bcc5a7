package templates

import (
	"html/template"
	"io/fs"
	"testing"
)

// Every template parses once the functions of the pages are known.
func TestTemplatesParse(t *testing.T) {
	names, err := fs.Glob(Files, "*.html")
	if err != nil || len(names) < 5 {
		t.Fatalf("templates %v: %v", names, err)
	}
	none := func(...any) string { return "" }
	funcs := template.FuncMap{"t": none, "route": none, "asset": none, "number": none, "local": none, "word": none, "dict": func(...any) map[string]any { return nil },
		"list": func(...string) []string { return nil }}
	if _, err := template.New("").Funcs(funcs).ParseFS(Files, "*.html"); err != nil {
		t.Error(err)
	}
}
