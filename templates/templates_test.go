package templates

import (
	"strings"
	"testing"
)

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
		if want = "x\x00" + `<bdi translate=no>` + want + "</bdi>"; err != nil || string(got) != want {
			t.Errorf("%q gives %q (%v), want %q", text, got, err, want)
		}
	}
}

// Every place in a text of every length is looked at, whatever stands before it.
func TestForbidden(t *testing.T) {
	for _, fill := range []string{"a", "é", "\n", "€"} {
		for n := range 30 {
			for _, bad := range []string{"\x00", "\x1f", "\x7f", "\u0080", "\ufffe", "\xff"} {
				text := strings.Repeat(fill, n)
				if got := forbidden([]byte(text + bad + "b")); got != len(text) {
					t.Errorf("%d times %q before %q: %d", n, fill, bad, got)
				}
			}
			if text := strings.Repeat(fill, n); forbidden([]byte(text)) != len(text) {
				t.Errorf("%d times %q", n, fill)
			}
		}
	}
}
