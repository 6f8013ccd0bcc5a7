package web

import (
	"net/http"
	"net/url"
	"unicode/utf8"

	"github.com/assay-register/assay/render/wire"
)

// QueryMax is the longest query string, in bytes.
const QueryMax = 8 << 10

// DecodeQuery reads a query string strictly: what cannot be decoded is
// malformed, not ignored.
func DecodeQuery(raw string) (url.Values, error) {
	if len(raw) > QueryMax {
		return nil, &Error{Problem: wire.Problem{Status: http.StatusRequestURITooLong, Detail: "A query string has at most 8 KiB."}}
	}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, Malformed("The query string cannot be decoded: write name=value pairs joined by &, other characters as %XX.")
	}
	for name, list := range values {
		for _, s := range append(list, name) {
			if !utf8.ValidString(s) {
				return nil, Malformed("The query string is not UTF-8.")
			}
		}
	}
	return values, nil
}
