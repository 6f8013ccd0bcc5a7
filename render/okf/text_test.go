package okf

import (
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestFrontmatterReadsAsText reads the traps of YAML back.
func TestFrontmatterReadsAsText(t *testing.T) {
	for _, s := range []string{"no", "2026", "y", "~", "null", "0x1f", "1:30", "2026-11-20", "a: b", "\n a", "'", `"`, `\`, "- x", "{a}", "#", "%", "@", "\u2028x\u2029", "\u202e", "\ufeff", "=", "<<", ""} {
		var m matter
		m.plain("k", quote(s))
		m.list("l", []string{s, "x"})
		var got struct {
			K any   `yaml:"k"`
			L []any `yaml:"l"`
		}
		front := strings.TrimSuffix(strings.TrimPrefix(m.block(), "---\n"), "---\n")
		if err := yaml.Unmarshal([]byte(front), &got); err != nil || got.K != clean(s) || oneLine(s) != "" && got.L[0] != oneLine(s) {
			t.Errorf("%q comes back as %#v, %v", s, got, err)
		}
	}
}

func TestSentence(t *testing.T) {
	long := strings.Repeat("word ", 60)
	for in, want := range map[string]string{
		"": "", "Short.": "Short.", "Companies and their officers. More.": "Companies and their officers.",
		"Uses e.g. numbers and things. Then more.": "Uses e.g. numbers and things.", "a\n\nb": "a b",
		"これは統計データの長い説明であり十分な長さがある文です。次の文。": "これは統計データの長い説明であり十分な長さがある文です。",
	} {
		if got := sentence(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
	if got := sentence(long); len(got) > sentenceMax+3 || !strings.HasSuffix(got, "word…") {
		t.Errorf("a long sentence gives %q", got)
	}
}
