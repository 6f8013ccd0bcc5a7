package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// records reads the field n of each record, and the codes of the rejections.
func records(t testing.TB, r io.Reader, limits Limits, paths ...string) (got []string, codes []Code, j *JSON) {
	t.Helper()
	s, err := NewStream(r, "in.json", limits)
	if err != nil {
		t.Fatal(err)
	}
	if j, err = NewJSON(s, paths...); err != nil {
		t.Fatal(err)
	}
	for {
		it, bad, err := j.Next()
		if errors.Is(err, io.EOF) {
			return got, codes, j
		}
		if err != nil {
			t.Fatal(err)
		}
		var v struct{ N Loose }
		if bad == nil {
			bad = j.Decode(it, &v)
		}
		if bad != nil {
			codes = append(codes, bad.Code)
			continue
		}
		got = append(got, it.Path+fmt.Sprint(it.Line)+":"+string(v.N))
	}
}

func TestJSON(t *testing.T) {
	long := `{"n":"` + strings.Repeat("x", 2000) + `"}`
	for _, c := range []struct {
		name, in string
		want     string
		codes    []Code
	}{
		{"array", `[{"n":1}, {"n":"b"}]`, "1:1 1:b", nil},
		{"array on lines", "[\n{\"n\":1},\n{\"n\":2}\n]\n", "2:1 3:2", nil},
		{"empty array", `[]`, "", nil},
		{"one object", `{"n":1,"m":{"n":2},"l":[1,2]}`, "1:1", nil},
		{"empty object", `{}`, "1:", nil},
		{"envelope", `{"help":"x","success":true,"result":{"count":2,"results":[{"n":1},{"n":2}],"sort":"id"}}`, "result.results1:1 result.results1:2", nil},
		{"envelope of one", `{"success":true,"result":{"n":7,"x":["]"]}}`, "result1:7", nil},
		{"envelope of an array", `{"success":true,"result":[{"n":7}]}`, "result1:7", nil},
		{"empty envelope", `{"result":{"count":0,"results":[]}}`, "", nil},
		{"two lists", `{"dataset":[{"n":1}],"service":[{"n":2}]}`, "dataset1:1 service1:2", nil},
		{"json lines", "{\"n\":1}\n{\"n\":2}\n\n{\"n\":3}", "1:1 2:2 4:3", nil},
		{"json lines with crlf", "{\"n\":1}\r\n{\"n\":2}\r\n", "1:1 2:2", nil},
		{"one line", `{"n":1}`, "1:1", nil},
		{"values in a row", `{"n":1} {"n":2}`, "1:1 1:2", nil},
		{"text sequence", "\x1e{\"n\":1}\n\x1e{\"n\":2}\n", "1:1 2:2", nil},
		{"brackets and quotes in strings", `[{"n":"a]}\"[{\\"},{"n":2}]`, `1:a]}"[{\ 1:2`, nil},
		{"escapes", `[{"n":"\u00e9\ud83d\ude00"}]`, "1:é😀", nil},
		{"byte order mark", "\xef\xbb\xbf[{\"n\":1}]", "1:1", nil},
		{"scalars in an array", `[1,"a",null,{"n":1}]`, "1: 1:1", []Code{CodeInvalidField, CodeInvalidField}},
		{"broken line", "{\"n\":1}\n{\"n\":2\n{\"n\":3}\n", "1:1 3:3", []Code{CodeBrokenJSON}},
		{"broken first line", "{\"n\":1,}\n{\"n\":2}\n", "2:2", []Code{CodeBrokenJSON}},
		{"unclosed first line", "{\"n\":1\n{\"n\":2}\n", "2:2", []Code{CodeBrokenJSON}},
		{"trailing comma", `[{"n":1},{"n":2,},{"n":3}]`, "1:1 1:3", []Code{CodeBrokenJSON}},
		{"lost quote on lines", "[\n {\"n\":1},\n {\"n\":\"2},\n {\"n\":3},\n {\"n\":4}\n]", "2:1 4:3 5:4", []Code{CodeBrokenJSON}},
		{"lost bracket on lines", "[\n {\"n\":1},\n {\"n\":2,\n {\"n\":3},\n {\"n\":4}\n]", "2:1 4:3 5:4", []Code{CodeBrokenJSON}},
		{"lost comma", `[{"n":1}{"n":2}]`, "1:1 1:2", nil},
		{"cut off in a record", `{"dataset":[{"n":1},{"n":2`, "dataset1:1", []Code{CodeBrokenJSON, CodeBrokenJSON}},
		{"cut off between", `{"dataset":[{"n":1},`, "dataset1:1", []Code{CodeBrokenJSON}},
		{"not JSON", `<html>`, "", []Code{CodeBrokenJSON}},
		{"a text", `"hello"`, "", []Code{CodeBrokenJSON}},
		{"wrong bracket", `{"dataset":[{"n":1}}`, "dataset1:1", []Code{CodeBrokenJSON}},
		{"member without value", `{"a"}`, "", []Code{CodeBrokenJSON}},
		{"too long", `[{"n":1},` + long + `,{"n":2}]`, "1:1 1:2", []Code{CodeRecordTooLarge}},
		{"too long line", "{\"n\":1}\n" + long + "\n{\"n\":2}\n", "1:1 3:2", []Code{CodeRecordTooLarge}},
		{"one too long", `{"n":1,"m":` + long + `}`, "", []Code{CodeRecordTooLarge}},
		{"empty", "", "", nil},
		{"white space", " \n\t", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in))} {
				got, codes, _ := records(t, r, Limits{Record: 1000}, "result.results", "result", "dataset", "service")
				if s := strings.Join(got, " "); s != c.want {
					t.Errorf("got %.300q, want %q", s, c.want)
				}
				if fmt.Sprint(codes) != fmt.Sprint(c.codes) {
					t.Errorf("codes %v, want %v", codes, c.codes)
				}
			}
		})
	}
}

func TestJSONHead(t *testing.T) {
	in := `{"success":true,"big":"` + strings.Repeat("x", 100_000) + `","result":{"count":2,"results":[{"n":1}],"after":"z"}}`
	_, codes, j := records(t, strings.NewReader(in), Limits{}, "result.results")
	var count int
	var after string
	if !j.Head("result.count", &count) || count != 2 || !j.Head("result.after", &after) || after != "z" || len(codes) > 0 {
		t.Errorf("count %d, after %q, codes %v", count, after, codes)
	}
	if j.Head("big", &after) || j.Head("nothing", &after) || j.Head("success", &after) {
		t.Error("a member that is large, absent or of another type was found")
	}
}

// A page of a million small records must not be held in memory.
func TestJSONHoldsOneRecord(t *testing.T) {
	record := []byte(`{"n":"` + strings.Repeat("y", 94) + `"},`)
	body := io.MultiReader(strings.NewReader(`{"dataset":[`), &repeated{b: record, n: 200_000}, strings.NewReader(`{"n":1}]}`))
	s, err := NewStream(body, "in", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	j, err := NewJSON(s, "dataset")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for {
		if _, bad, err := j.Next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil || bad != nil {
			t.Fatal(bad, err)
		}
		n++
	}
	if n != 200_001 || cap(j.item) > 4096 || len(j.scan.buf) > 64<<10 {
		t.Errorf("%d records, %d bytes held", n, cap(j.item)+len(j.scan.buf))
	}
}

type repeated struct {
	b    []byte
	n, i int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.n == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.b[r.i:])
	if r.i += n; r.i == len(r.b) {
		r.i, r.n = 0, r.n-1
	}
	return n, nil
}

func TestTruncatedGzipOfJSON(t *testing.T) {
	text := `{"dataset":[{"n":1},{"n":2,"x":"` + noise(300_000) + `"}]}`
	packed := zipped(t, text)
	got, codes, j := records(t, bytes.NewReader(packed[:len(packed)/2]), Limits{}, "dataset")
	if len(got) != 1 || len(codes) != 0 || j.Problem() == nil || j.Problem().Code != CodeTruncatedGzip {
		t.Errorf("got %v, %v, %v", got, codes, j.Problem())
	}
}

func TestLooseValues(t *testing.T) {
	for in, want := range map[string]string{
		`"a"`: "a", `12`: "12", `true`: "true", `null`: "", `["","b","c"]`: "b", `{"name":"n"}`: "n", `{"@value":"v","@language":"fr"}`: "v",
		`{"fr":"f","en":"e"}`: "e", `[]`: "", `{}`: "", `"caf\u00e9"`: "café", `[[["x"]]]`: "x", `{"@id":"https://a.gov"}`: "https://a.gov",
	} {
		var l Loose
		if err := json.Unmarshal([]byte(in), &l); err != nil || string(l) != want {
			t.Errorf("%s: got %q, %v; want %q", in, l, err, want)
		}
	}
	var list LooseList
	if err := json.Unmarshal([]byte(`["a",{"display_name":"b"},3,null,""]`), &list); err != nil || strings.Join(list, ",") != "a,b,3" {
		t.Errorf("got %v, %v", list, err)
	}
	var texts LooseTexts
	err := json.Unmarshal([]byte(`[{"@value":"v","@language":"fr"},{"de":["a","b"],"fixme":"c","shape":"no"},"d"]`), &texts)
	if err != nil || fmt.Sprint(texts) != "[{v fr} {a de} {b de} {c fixme} {d }]" {
		t.Errorf("got %v, %v", texts, err)
	}
	for in, want := range map[string]string{
		`"{\"uk\":\"Школи\",\"en\":\"Schools\"}"`: "[{Schools en} {Школи uk}]", `"{\"de\":\"Schulen\",\"fr\":null}"`: "[{Schulen de}]",
		`"{\"id\":1}"`: `[{{"id":1} }]`, `"{\"shape\":\"x\"}"`: `[{{"shape":"x"} }]`, `"{}"`: "[{{} }]", `"{broken"`: "[{{broken }]",
	} {
		if err := json.Unmarshal([]byte(in), &texts); err != nil || fmt.Sprint(texts) != want {
			t.Errorf("%s: got %v, %v, want %s", in, texts, err, want)
		}
	}
	for in, want := range map[string]LooseInt{`12`: 12, `"34"`: 34, `"12 KB"`: 0, `null`: 0, `-3`: 0, `1e3`: 1000, `{}`: 0, `[1]`: 0, `"NaN"`: 0, `"Inf"`: 0} {
		var n LooseInt
		if err := json.Unmarshal([]byte(in), &n); err != nil || n != want {
			t.Errorf("%s: got %d, %v", in, n, err)
		}
	}
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"result":{"results":[{"n":1},{"n":2}]}}`, "{\"n\":1}\n{\"n\":2\n", "[\n {\"n\":\"1},\n {\"n\":2}]", `[{]}`, `{"a":`, "\xff", `[,,]`, `{"result":{"n":1}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, codes, _ := records(t, bytes.NewReader(data), Limits{Record: 500}, "result.results", "result")
		if len(got)+len(codes) > len(data)+2 {
			t.Fatalf("%d records and %d rejections out of %d bytes", len(got), len(codes), len(data))
		}
		var list []struct{ N Loose }
		if json.Unmarshal(data, &list) == nil && bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) && len(data) < 500 && len(got) != len(list) {
			t.Fatalf("%d of %d records in %q", len(got), len(list), data)
		}
	})
}
