package query

import (
	"net/url"

	"github.com/assay-register/assay/render/wire"
)

// ParseRestate reads the notation to restate a code in, "" for all.
func ParseRestate(values url.Values) (string, error) {
	params := wire.RestateParams()[1:]
	p := &parser{values: values, out: &Request{}}
	p.param(&params[0])
	p.unknown(params)
	if len(p.errors) > 0 {
		return "", &paramsError{p.errors}
	}
	return values.Get("notation"), nil
}
