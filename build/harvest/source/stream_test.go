package source

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding/unicode"
)

func zipped(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func utf16(t testing.TB, text string, e unicode.Endianness) []byte {
	t.Helper()
	b, err := unicode.UTF16(e, unicode.UseBOM).NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// noise is text that hardly compresses, so that half of its gzip holds about
// half of it.
func noise(n int) string {
	var b strings.Builder
	for x := uint32(1); b.Len() < n; {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b.WriteByte('a' + byte(x%26))
	}
	return b.String()
}

func TestStream(t *testing.T) {
	long := noise(200_000)
	packed := zipped(t, long)
	damaged := bytes.Clone(packed)
	damaged[len(damaged)/2] ^= 0xff
	for _, c := range []struct {
		name   string
		in     []byte
		limits Limits
		want   string
		code   Code
	}{
		{"plain", []byte("abc"), Limits{}, "abc", ""},
		{"empty", nil, Limits{}, "", ""},
		{"one byte", []byte("a"), Limits{}, "a", ""},
		{"byte order mark", []byte("\xef\xbb\xbfabc"), Limits{}, "abc", ""},
		{"utf-16 le", utf16(t, "né", unicode.LittleEndian), Limits{}, "né", ""},
		{"utf-16 be", utf16(t, "né", unicode.BigEndian), Limits{}, "né", ""},
		{"gzip", zipped(t, "abc"), Limits{}, "abc", ""},
		{"gzip with mark", zipped(t, "\xef\xbb\xbfabc"), Limits{}, "abc", ""},
		{"two gzip members", append(zipped(t, "abc"), zipped(t, "def")...), Limits{}, "abcdef", ""},
		{"truncated gzip", packed[:len(packed)/2], Limits{}, long[:1000], CodeTruncatedGzip},
		{"truncated gzip header", packed[:5], Limits{}, "", CodeTruncatedGzip},
		{"corrupt gzip", damaged, Limits{}, long[:1000], CodeCorruptGzip},
		{"too large", []byte("abcdef"), Limits{Bytes: 3}, "abc", CodeInputTooLarge},
		{"bomb", zipped(t, strings.Repeat("0", 1<<20)), Limits{Ratio: 10, RatioFrom: 1000}, "000", CodeDecompressionBomb},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := NewStream(iotest.OneByteReader(bytes.NewReader(c.in)), "in", c.limits)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(s)
			if err != nil {
				t.Fatal(err)
			}
			if c.code == "" && string(got) != c.want || !strings.HasPrefix(string(got), c.want) {
				t.Errorf("read %.40q (%d bytes), want %.40q", got, len(got), c.want)
			}
			var code Code
			if p := s.Problem(); p != nil {
				code = p.Code
			}
			if code != c.code {
				t.Errorf("problem %q, want %q", code, c.code)
			}
		})
	}
}

func TestStreamKeepsTheWaysErrors(t *testing.T) {
	broken := errors.New("network down")
	s, err := NewStream(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken)), "in", Limits{})
	if err == nil {
		_, err = io.ReadAll(s)
	}
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func rows(t *testing.T, text string, limits Limits) (got [][]string, codes []Code) {
	t.Helper()
	s, err := NewStream(strings.NewReader(text), "in.csv", limits)
	if err != nil {
		t.Fatal(err)
	}
	c := NewCSV(s, ',')
	for {
		row, bad, err := c.Next()
		if errors.Is(err, io.EOF) {
			return got, codes
		}
		if err != nil {
			t.Fatal(err)
		}
		if bad != nil {
			codes = append(codes, bad.Code)
			continue
		}
		got = append(got, row.Fields)
	}
}

func TestCSV(t *testing.T) {
	for _, c := range []struct {
		name, in string
		limits   Limits
		want     string
		codes    []Code
	}{
		{"plain", "a,b\n1,2\n", Limits{}, "a|b;1|2", nil},
		{"no final line feed, crlf", "a,b\r\n1,2", Limits{}, "a|b;1|2", nil},
		{"quotes", "\"a,\"\"x\"\"\",\"b\nc\"\n\"\",\n", Limits{}, "a,\"x\"|b\nc;|", nil},
		{"empty lines", "a\n\n\nb\n", Limits{}, "a;b", nil},
		{"lost quote", "a,b\n1,\"open\n3,4\n5,6\n", Limits{}, "a|b;3|4;5|6", []Code{CodeUnbalancedQuotes}},
		{"lost quote before a quoted row", "1,\"open\n3,\"x, y\"\n5,6\n", Limits{}, "3|x, y;5|6", []Code{CodeUnbalancedQuotes}},
		{"quote inside quotes", "1,\"a\"b\"\n3,4\n", Limits{}, "3|4", []Code{CodeUnbalancedQuotes}},
		{"bare quote", "1,a\"b\n", Limits{}, "1|a\"b", nil},
		{"long row", "1,2\n3," + strings.Repeat("x", 300_000) + "\n5,6\n", Limits{Record: 1000}, "1|2;5|6", []Code{CodeRecordTooLarge}},
		{"long quoted row", "1,2\n3,\"" + strings.Repeat("x\n", 800) + "\"\n5,6\n", Limits{Record: 1000}, "", []Code{CodeRecordTooLarge}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, codes := rows(t, c.in, c.limits)
			if c.name == "long quoted row" {
				if len(codes) == 0 || codes[0] != c.codes[0] || strings.Join(got[len(got)-1], "|") != "5|6" {
					t.Errorf("codes %v, last %v", codes, got[len(got)-1])
				}
				return
			}
			var flat []string
			for _, r := range got {
				flat = append(flat, strings.Join(r, "|"))
			}
			if s := strings.Join(flat, ";"); s != c.want {
				t.Errorf("rows %.200q, want %q", s, c.want)
			}
			if len(codes) != len(c.codes) || len(codes) > 0 && codes[0] != c.codes[0] {
				t.Errorf("codes %v, want %v", codes, c.codes)
			}
		})
	}
}

func TestCSVDropsTheRowThatWasCutOff(t *testing.T) {
	text := "a,b\n1," + noise(300) + "\n2," + noise(300_000) + "\n"
	packed := zipped(t, text)
	s, err := NewStream(bytes.NewReader(packed[:len(packed)/2]), "in.csv.gz", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	c, n := NewCSV(s, ','), 0
	for {
		_, bad, err := c.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if bad != nil || err != nil {
			t.Fatal(bad, err)
		}
		n++
	}
	if n != 2 || s.Problem() == nil || s.Problem().Code != CodeTruncatedGzip {
		t.Errorf("%d rows, problem %v", n, s.Problem())
	}
}
