package usage

import (
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// skeleton is code without what stands in its literals. It knows how a literal
// ends in each language, and nothing of how the package writes one.
func skeleton(language Language, code string) string {
	var out strings.Builder
	for i := 0; i < len(code); {
		c := code[i]
		if c != '"' && c != '\'' && c != '`' {
			out.WriteByte(c)
			i++
			continue
		}
		out.WriteString("…")
		i = end(language, code, i)
	}
	return out.String()
}

// end is the index behind the literal that begins at i.
func end(language Language, code string, i int) int {
	quote := code[i]
	for i++; i < len(code); i++ {
		switch {
		case code[i] == quote && language == DuckDB && i+1 < len(code) && code[i+1] == quote:
			i++
		case code[i] == quote:
			return i + 1
		case code[i] == '\\' && language != DuckDB && (language != Shell || quote == '"'):
			i++
		case code[i] == '\n' && language != Shell:
			return len(code) + 1 // no literal of ours goes over a line
		}
	}
	return len(code) + 1
}

// shellWords joins the parts of one shell word: 'a'\”b' is one literal.
func shellWords(code string) string { return strings.ReplaceAll(code, `'\''`, "") }

// FuzzSamples holds every template to one rule: whatever comes from outside
// changes nothing but the inside of literals.
func FuzzSamples(f *testing.F) {
	for _, s := range []string{hostile, "", "a\nb", "\u202e", "'; DROP TABLE x; --", "$(touch x)", "`id`", `\`, `"`, "'''", "\x00", "\xff", "*/", "-rf", "${IFS}", "a\u2028b", "%27", "\\'"} {
		f.Add(s, s, s, s, s)
	}
	f.Fuzz(func(t *testing.T, address, name, layer, path, dialect string) {
		for _, kind := range kinds {
			for _, auth := range []catalog.AuthType{catalog.AuthNone, catalog.AuthBearer, catalog.AuthBasic, catalog.AuthAPIKey} {
				a := Target{Kind: kind, URL: "https://x.example/a" + strings.Map(inAddress, address), Name: name, Layer: layer, Path: path, Records: true, Separator: dialect, Encoding: dialect, Codes: []string{name}, Auth: auth}
				b := benign(a)
				if catalog.CheckURL("url", a.URL) != nil {
					return
				}
				x, y := a.Samples(), b.Samples()
				if len(x) != len(y) {
					t.Fatalf("%s: %d samples, %d of a harmless one", kind, len(x), len(y))
				}
				for i := range x {
					got, want := skeleton(x[i].Language, strip(x[i])), skeleton(y[i].Language, strip(y[i]))
					if got != want {
						t.Errorf("%s in %s:\n%s\nhas the form\n%s\nand not\n%s", kind, x[i].Language, x[i].Code, got, want)
					}
				}
			}
		}
	})
}

func strip(s Sample) string {
	code := s.Code
	if s.Language == Shell {
		code = shellWords(code)
	}
	return code
}

// inAddress leaves out what changes the form of a sample by design: patterns of
// curl, the parts of an address, and the ending.
func inAddress(r rune) rune {
	if strings.ContainsRune("[]{}?#/.&=", r) {
		return '_'
	}
	return r
}

// benign is a target of the same form without anything to quote.
func benign(t Target) Target {
	word := func(s, w string) string {
		if strings.TrimSpace(clean(s)) == "" {
			return s
		}
		return w
	}
	t.URL, t.Name, t.Codes = "https://x.example/a", word(t.Name, "name"), []string{"code"}
	t.Layer = map[bool]string{true: "layer"}[t.Layer != ""]
	if t.Path != "" {
		t.Path = strings.TrimSuffix(strings.Repeat("a.", strings.Count(t.Path, ".")+1), ".")
	}
	if t.Separator != "" && t.Separator != "," {
		t.Separator = ";"
	}
	if t.encoded() && t.Encoding != "iso-8859-1" {
		t.Encoding = "cp"
	}
	return t
}
