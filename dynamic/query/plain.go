package query

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// Plain holds the parameters of a request that selects no entries, as they
// were given; one that was left out has its default.
type Plain map[string]string

// Int is a parameter that is a number, 0 where it is neither given nor has a
// default.
func (p Plain) Int(name string) int {
	n, _ := strconv.Atoi(p[name])
	return n
}

// ReadPlain reads the query parameters of an operation that selects no
// entries. All errors come together.
func ReadPlain(r *http.Request, params []wire.Param) (Plain, error) {
	values, err := web.DecodeQuery(r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	return ParsePlain(values, params)
}

// ParsePlain is ReadPlain for a query that was decoded.
func ParsePlain(values url.Values, params []wire.Param) (Plain, error) {
	params = slices.DeleteFunc(slices.Clone(params), func(d wire.Param) bool { return d.In != "query" })
	p := &parser{values: values}
	out := Plain{}
	for i := range params {
		d := &params[i]
		list := values[d.Name]
		switch {
		case len(list) == 0 && d.Default != nil:
			out[d.Name] = fmt.Sprint(d.Default)
		case len(list) == 0:
		case len(list) > 1:
			p.wrong(d.Name, list[1], "given more than once")
		default:
			if remedy := refusePlain(d, list[0]); remedy != "" {
				p.wrong(d.Name, list[0], remedy)
			}
			out[d.Name] = list[0]
		}
	}
	p.unknown(params)
	if len(p.errors) > 0 {
		return nil, &paramsError{p.errors}
	}
	return out, nil
}

func refusePlain(d *wire.Param, value string) string {
	switch {
	case d.Kind == wire.KindBoolean && value != "true" && value != "false":
		return "use true or false"
	case d.Format == "date-time":
		if _, err := time.Parse(time.RFC3339, value); err != nil {
			return "use an instant such as 2027-01-31T00:00:00Z"
		}
		return ""
	case d.Kind != wire.KindInteger:
		return refuse(d, value)
	}
	top := cmp.Or(d.Max, wire.MaxInteger)
	if n, err := strconv.ParseUint(value, 10, 63); err != nil || n < uint64(d.Min) || n > uint64(top) {
		return fmt.Sprintf("use an integer from %d to %d", d.Min, top)
	}
	return ""
}
