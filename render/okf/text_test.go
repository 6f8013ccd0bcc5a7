package okf

import (
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/assay-register/assay/render/catalog"
)

// TestFrontmatterReadsAsText reads the traps of YAML back.
func TestFrontmatterReadsAsText(t *testing.T) {
	for _, s := range []string{"no", "2026", "y", "~", "null", "0x1f", "1:30", "2026-11-20", "a: b", "\n a", "'", `"`, `\`, "- x", "{a}", "#", "%", "@", "\u2028x\u2029", "\u202e", "\ufeff", "=", "<<", ""} {
		var m markdown
		m.raw("k: ").quote(s).raw("\n")
		m.list("l", []string{s, "x"})
		var got struct {
			K any   `yaml:"k"`
			L []any `yaml:"l"`
		}
		if err := yaml.Unmarshal(m, &got); err != nil || got.K != clean(s) || oneLine(s) != "" && got.L[0] != oneLine(s) {
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

func TestMarkdown(t *testing.T) {
	write := func(fn func(m *markdown) *markdown) string {
		var m markdown
		return string(*fn(&m))
	}
	for in, want := range map[string]string{
		"": "", " a \n b": "a b", "a*b_c": `a\*b_c`, "[x](y)": `\[x\](y)`, "# 1": `\# 1`, `a\b`: `a\\b`, "&amp; & &a b; &;": `\&amp; & &a b; &;`,
		"&#39;": `&\#39;`, "é|ü": `é\|ü`,
	} {
		if got := write(func(m *markdown) *markdown { return m.inline(in) }); got != want {
			t.Errorf("inline of %q is %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"": "", "- a": `\- a`, "+": `\+`, "=x": `\=x`, "12. a": `12\. a`, "1)": `1\)`, "1 .": "1 .", "123456789.": `123456789\.`, "1234567890.": "1234567890.", "a - b": "a - b",
	} {
		if got := write(func(m *markdown) *markdown { return m.paragraph(in) }); got != want {
			t.Errorf("paragraph of %q is %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"https://x.example/a": "https://x.example/a", "a(b) é\x7f": "a%28b%29%20%C3%A9%7F"} {
		if got := write(func(m *markdown) *markdown { return m.target(in) }); got != want {
			t.Errorf("target of %q is %q, want %q", in, got, want)
		}
	}
	for _, c := range [][3]string{
		{"index.md", "apis/a.md", "apis/a.md"}, {"apis/index.md", "apis/a.md", "a.md"}, {"countries/gr/index.md", "apis/a.md", "../../apis/a.md"},
		{"apis/by/a/index.md", "apis/by/ab/index.md", "../ab/index.md"}, {"countries/gr/index.md", "countries/gr/index.md", "index.md"},
	} {
		if got := write(func(m *markdown) *markdown { return m.relative(c[0], c[1]) }); got != c[2] {
			t.Errorf("%s from %s is %s, want %s", c[1], c[0], got, c[2])
		}
	}
}

// TestAccess: how one gets in, else who may; a licence is another matter.
func TestAccess(t *testing.T) {
	for _, c := range []struct {
		class  catalog.FreeAccessClass
		rights catalog.AccessRights
		want   string
	}{
		{catalog.AccessUnknown, "", "It is not known who gets in, nor how."},
		{catalog.AccessUnknown, catalog.RightsPublic, rights[catalog.RightsPublic]},
		{catalog.AccessUnknown, catalog.RightsNonPublic, rights[catalog.RightsNonPublic]},
		{catalog.AccessFreeNoAuth, catalog.RightsPublic, "Free, without registration."},
		{catalog.AccessFreeKey, catalog.RightsRestricted, "Free, with a key that the publisher gives out."},
	} {
		if got := (&doc{e: &catalog.Entry{FreeAccessClass: c.class, AccessRights: c.rights}}).access(); got != c.want || got == "" {
			t.Errorf("%s, %s: %q, want %q", c.class, c.rights, got, c.want)
		}
	}
}
