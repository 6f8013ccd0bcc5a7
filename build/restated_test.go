package build

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/artifact"
)

// TestRestatedIsNoNews: a document that is only written otherwise, as after an upgrade of the program, is not
// told to readers of the feed; one that states something else is, and so is what cannot be compared.
func TestRestatedIsNoNews(t *testing.T) {
	const id = "0b5f1c1e-7c1f-4f3e-9a55-0c1d2e3f4a5b"
	const was = `@prefix dct: <http://purl.org/dc/terms/> . <https://r.example/id/1> dct:title "Water"@en ; dct:modified "2026-01-01" .`
	for _, c := range []struct {
		what, is string
		former   func(string) (io.Reader, error)
		news     bool
	}{
		{"the same bytes", was, nil, false},
		{"other prefixes, order and spaces", "@prefix t: <http://purl.org/dc/terms/> .\n<https://r.example/id/1>\n  t:modified \"2026-01-01\" ;\n  t:title \"Water\"@en .\n", nil, false},
		{"another text", strings.ReplaceAll(was, "Water", "Air"), nil, true},
		{"another language", strings.ReplaceAll(was, "@en", "@nl"), nil, true},
		{"a statement less", `@prefix dct: <http://purl.org/dc/terms/> . <https://r.example/id/1> dct:title "Water"@en .`, nil, true},
		{"a blank node", was + ` <https://r.example/id/1> dct:publisher [] .`, nil, true},
		{"no Turtle", "<", nil, true},
		{"a former document that is not there", was + "\n", func(string) (io.Reader, error) { return nil, errors.New("gone") }, true},
		{"a former document that cannot be read", was + "\n", func(string) (io.Reader, error) { return strings.NewReader("<"), nil }, true},
	} {
		t.Run(c.what, func(t *testing.T) {
			first := told(t, &feedLog{}, id, was)
			l := &feedLog{before: first.now, former: c.former}
			if l.former == nil {
				l.former = func(route string) (io.Reader, error) {
					if route != turtleRoute(id) {
						t.Errorf("the document of %s is asked for", route)
					}
					return strings.NewReader(was), nil
				}
			}
			if news := len(told(t, l, id, c.is).changed) > 0; news != c.news {
				t.Errorf("news is %v, not %v", news, c.news)
			}
			// What was told is compared by its bytes the next time.
			next := &feedLog{before: l.now, former: func(string) (io.Reader, error) { return nil, errors.New("not asked") }}
			if len(told(t, next, id, c.is).changed) > 0 {
				t.Error("the same document is news a second time")
			}
		})
	}
}

// told has a feed see the document of its one entry.
func told(t *testing.T, l *feedLog, id, body string) *feedLog {
	t.Helper()
	l.now, l.spill = make([]standing, 1), newSpill(t)
	if err := l.see(0, id, []artifact.File{{Route: turtleRoute(id), Body: []byte(body)}}); err != nil {
		t.Fatal(err)
	}
	return l
}

func newSpill(t *testing.T) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "spill"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
