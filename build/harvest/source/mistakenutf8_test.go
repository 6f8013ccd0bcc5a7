package source

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestMistakenUTF8 reads XML whose bytes are in another encoding than its declaration says, whole and byte by byte.
func TestMistakenUTF8(t *testing.T) {
	for in, want := range map[string]string{
		"<a>Espa\xf1a</a>": "<a>España</a>",
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>\x80</a>":  "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>€</a>",
		"<?xml version=\"1.0\"?>\n<a>\xe9\xe9</a>":               "<?xml version=\"1.0\"?>\n<a>éé</a>",
		"<a>España \xf1</a>":                                     "<a>España \ufffd</a>",
		"<a>日本 é</a>":                                            "<a>日本 é</a>",
		"<a>caf\xe9":                                             "<a>café",
		"<?xml version='1.0' encoding='iso-8859-1'?><a>\xf1</a>": "<?xml version='1.0' encoding='iso-8859-1'?><a>\xf1</a>",
		"<!DOCTYPE html><p>\xf1":                                 "<!DOCTYPE html><p>\xf1",
		"{\"a\":\"\xf1\"}":                                       "{\"a\":\"\xf1\"}",
		"\xef\xbb\xbf<a>\xf1</a>":                                "<a>\xf1</a>",
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>" + strings.Repeat("x", 5000) + "\xf1</a>": "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>" + strings.Repeat("x", 5000) + "ñ</a>",
	} {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(in), "by bytes": iotest.OneByteReader(strings.NewReader(in))} {
			s, err := NewStream(r, "x", Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(s); err != nil || string(got) != want {
				t.Errorf("%s, %q: %q, %v; want %q", name, in[:min(len(in), 60)], got, err, want)
			}
		}
	}
}
