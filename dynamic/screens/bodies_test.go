package screens

import (
	"net/url"
	"reflect"
	"testing"

	"github.com/assay-register/assay/render/wire"
)

// TestSourcePortal: a box without a tick leaves a source what it is, unless the form showed
// what that is.
func TestSourcePortal(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for _, c := range []struct {
		form url.Values
		want *bool
	}{{url.Values{}, nil}, {url.Values{"portal": {"1"}}, &yes}, {url.Values{"shown": {"1"}}, &no}, {url.Values{"shown": {"1"}, "portal": {"1"}}, &yes}} {
		body, err := source(c.form)
		req, ok := body.(wire.SourceRequest)
		if err != nil || !ok {
			t.Fatalf("%T, %v", body, err)
		}
		if !reflect.DeepEqual(req.Portal, c.want) {
			t.Errorf("%v: %v", c.form, req.Portal)
		}
	}
}

// TestInstitutionForm: an empty field keeps what is known, unless the form showed it.
func TestInstitutionForm(t *testing.T) {
	t.Parallel()
	none, other := "", "be-statbel"
	for _, c := range []struct {
		form           url.Values
		aliases        *[]string
		parent, merged *string
	}{
		{url.Values{}, nil, nil, nil},
		{url.Values{"aliases": {"INS\r\nEconomy, Statistics \n"}, "merged_into": {" be-statbel "}}, &[]string{"INS", "Economy, Statistics"}, nil, &other},
		{url.Values{"shown": {"1"}}, &[]string{}, &none, &none},
		{url.Values{"shown": {"1"}, "parent": {"be-statbel"}}, &[]string{}, &other, &none},
	} {
		body, err := institution(c.form)
		req, ok := body.(wire.InstitutionRequest)
		if err != nil || !ok {
			t.Fatalf("%T, %v", body, err)
		}
		if !reflect.DeepEqual(req.Aliases, c.aliases) || !reflect.DeepEqual(req.Parent, c.parent) || !reflect.DeepEqual(req.MergedInto, c.merged) {
			t.Errorf("%v: %+v", c.form, req)
		}
	}
}
