package web

import (
	"encoding/json"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

type inner struct {
	Tags []string `json:"tags,omitempty"`
}

type outer struct {
	inner
	Name  string            `json:"name"`
	Count int               `json:"count,omitempty"`
	Note  *string           `json:"note,omitempty"`
	At    time.Time         `json:"at,omitzero"`
	Inner inner             `json:"inner,omitempty"`
	Many  []inner           `json:"many,omitempty"`
	Words map[string]string `json:"words,omitempty"`
	Any   json.RawMessage   `json:"any,omitempty"`
}

func TestDecodeIsStrict(t *testing.T) {
	for body, want := range map[string]struct {
		status int
		shows  string
	}{
		`{"name":"a","tags":["b"],"note":null,"at":"2026-01-01T00:00:00Z","inner":{"tags":[]},"many":[{}],"words":{"A":"b","a":"c"},"any":{"x":null,"X":1}}`: {0, ""},
		` { "name" : "" } `: {0, ""}, "{ }\r\n": {422, "name"}, `{}`: {422, "name"}, `{"tags":[]}`: {422, "name"},
		``: {400, "empty"}, `{`: {400, ""}, `{"name":"a"}x`: {400, "more than one"}, `{"name":"a"}{}`: {400, "more than one"}, "{\"name\":\"\xff\"}": {400, "UTF-8"}, `nul`: {400, ""},
		`null`: {422, "null"}, `[]`: {422, ""}, `"x"`: {422, ""}, `1`: {422, ""},
		`{"Name":"a"}`: {422, "Name"}, `{"nobody":1}`: {422, "nobody"}, `{"name":"a","name":"b"}`: {422, "name"}, `{"name":null}`: {422, "name"},
		`{"count":1.5}`: {422, "count"}, `{"count":"1"}`: {422, "count"}, `{"count":1e99}`: {422, "count"}, `{"tags":null}`: {422, "tags"}, `{"tags":[null]}`: {422, "tags[0]"},
		`{"inner":{"Tags":[]}}`: {422, "inner.Tags"}, `{"many":[{},{"x":1}]}`: {422, "x"}, `{"words":{"a":null}}`: {422, "words.a"}, `{"words":{"a":"1","a":"2"}}`: {422, "words.a"},
		`{"inner":null}`: {422, "inner"}, `{"any":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`: {400, ""},
	} {
		r := httptest.NewRequest("POST", "/", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json; charset=utf-8")
		var v outer
		err := Decode(r, &v)
		var e *Error
		status, text := 0, ""
		if errors.As(err, &e) {
			status = e.Problem.Status
			shown, _ := JSON(e.Problem)
			text = string(shown)
		} else if err != nil {
			t.Errorf("%.60s: %v", body, err)
		}
		if status != want.status || !strings.Contains(text, want.shows) {
			t.Errorf("%.60s: %d %s, want %d naming %q", body, status, text, want.status, want.shows)
		}
	}
}

func TestDecodeTakesJSONOnly(t *testing.T) {
	for _, media := range []string{"", "text/plain", "application/x-www-form-urlencoded", "application/jsonx", "application/json;;"} {
		r := httptest.NewRequest("POST", "/", strings.NewReader(`{"name":"a"}`))
		r.Header.Set("Content-Type", media)
		var v outer
		var e *Error
		if err := Decode(r, &v); !errors.As(err, &e) || e.Problem.Status != 415 {
			t.Errorf("%q: %v", media, err)
		}
	}
}

// FuzzDecode: no body is taken that is not exactly one object of the type.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{"name":"a","tags":["b"],"words":{"a":"b"}}`, `{"many":[{"tags":[]}]}`, `{"name":"a","NAME":"b"}`, "null", "{}x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest("POST", "/", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		var v outer
		if Decode(r, &v) != nil {
			return
		}
		again, err := json.Marshal(v)
		if err != nil {
			t.Fatalf("%q: %v", body, err)
		}
		r = httptest.NewRequest("POST", "/", strings.NewReader(string(again)))
		r.Header.Set("Content-Type", "application/json")
		var w outer
		if err := Decode(r, &w); err != nil {
			t.Errorf("%q became %s, which is refused: %v", body, again, err)
		}
	})
}
