package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestPrefer(t *testing.T) {
	for accept, want := range map[string]string{
		"":                                       "application/json",
		"*/*":                                    "application/json",
		"text/csv":                               "text/csv; charset=utf-8",
		"TEXT/CSV;q=0.5, application/json;q=0.4": "text/csv; charset=utf-8",
		"text/csv, application/json":             "application/json",
		"text/*;q=0.9, application/json;q=0.1":   "text/csv; charset=utf-8",
		"text/csv;q=0, */*":                      "application/json",
		"application/json;q=0, */*;q=0.1":        "text/csv; charset=utf-8",
		"image/png":                              "application/json",
		"text/csv;q=bad, application/json;q=0.9": "text/csv; charset=utf-8",
		",,;;q=":                                 "application/json",
	} {
		if got := Prefer(accept, "application/json", "text/csv; charset=utf-8"); got != want {
			t.Errorf("%q gives %s, want %s", accept, got, want)
		}
	}
}

func TestVaried(t *testing.T) {
	for before, want := range map[string]string{"": "Accept", "Accept-Encoding": "Accept, Accept-Encoding"} {
		w := httptest.NewRecorder()
		if before != "" {
			w.Header().Set("Vary", before)
		}
		Varied(w, "Accept").WriteHeader(http.StatusOK)
		if got := w.Header().Get("Vary"); got != want {
			t.Errorf("Vary is %q, want %q", got, want)
		}
	}
}
