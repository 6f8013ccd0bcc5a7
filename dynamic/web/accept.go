package web

import (
	"net/http"
	"strconv"
	"strings"
)

// Prefer chooses the media type that an Accept header wants most; among equals
// the first one. A client that names none of them gets the first (RFC 9110,
// section 12.5.1, lets a server disregard the header).
func Prefer(accept string, media ...string) string {
	best, bestQ := media[0], 0.0
	for _, m := range media {
		if q := Quality(accept, m); q > bestQ {
			best, bestQ = m, q
		}
	}
	return best
}

// Quality is how much an Accept header wants a media type, from 0 to 1 (RFC 9110, section
// 12.5.1): 1 without a header, 0 for what it does not name.
func Quality(accept, media string) float64 {
	if strings.TrimSpace(accept) == "" {
		return 1
	}
	media, _, _ = strings.Cut(media, ";")
	kind, _, _ := strings.Cut(media, "/")
	specific := map[string]int{media: 2, kind + "/*": 1, "*/*": 0}
	best, rank := 0.0, -1
	for part := range strings.SplitSeq(accept, ",") {
		name, params, _ := strings.Cut(part, ";")
		if level, ok := specific[strings.ToLower(strings.TrimSpace(name))]; ok && level >= rank {
			best, rank = weight(params), level
		}
	}
	return best
}

// weight reads the q parameter, 1 if there is none or it is broken.
func weight(params string) float64 {
	for p := range strings.SplitSeq(params, ";") {
		if v, ok := strings.CutPrefix(strings.TrimSpace(strings.ToLower(p)), "q="); ok {
			if q, err := strconv.ParseFloat(v, 64); err == nil && q >= 0 && q <= 1 {
				return q
			}
		}
	}
	return 1
}

// Varied adds a request header to Vary, whatever else the answer varies by.
func Varied(w http.ResponseWriter, header string) http.ResponseWriter {
	return &varied{w, header}
}

type varied struct {
	http.ResponseWriter
	header string
}

// WriteHeader implements http.ResponseWriter.
func (v *varied) WriteHeader(status int) {
	h := v.Header()
	h.Set("Vary", strings.Join(append([]string{v.header}, h.Values("Vary")...), ", "))
	v.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (v *varied) Unwrap() http.ResponseWriter { return v.ResponseWriter }
