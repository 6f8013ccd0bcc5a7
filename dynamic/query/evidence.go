package query

import (
	"net/url"

	"github.com/assay-register/assay/render/wire"
)

// ParseEvidence reads the form of a citation, "" for what the client prefers.
func ParseEvidence(values url.Values) (string, error) {
	params := wire.EvidenceParams()[1:]
	p := &parser{values: values, out: &Request{}}
	p.param(&params[0])
	p.unknown(params)
	if len(p.errors) > 0 {
		return "", &paramsError{p.errors}
	}
	return values.Get("format"), nil
}
