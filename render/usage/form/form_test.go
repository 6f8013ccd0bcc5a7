package form

import "testing"

// TestOf: code that differs in what it names has one form, other code has another.
func TestOf(t *testing.T) {
	const form = "curl -fsSL S -o S\nls -l S"
	for code, want := range map[string]string{
		"curl -fsSL 'https://a.example/x' -o data.pdf\nls -l data.pdf":             form,
		"curl -fsSL 'https://a.example/y' -o S200.02N_x.pdf\nls -l S200.02N_x.pdf": form,
		"# why\ncurl -fsSL 'it'\\''s' -o S\nls -l S":                               form,
		"curl -sSL 'https://a.example/x' -o data.pdf\nls -l data.pdf":              "curl -sSL S -o S\nls -l S",
		`get("a", "b", "c", timeout=30)`:                                           "get(S, timeout=N)",
		`{"type": "http", "url": "x"}`:                                             "{type: S, url: S}",
	} {
		if got := Of(code); got != want {
			t.Errorf("%q has the form %q, want %q", code, got, want)
		}
	}
}
