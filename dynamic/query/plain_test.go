package query

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/wire"
)

// TestPlainParameters: a value that is none of its kind is refused by the parameter's name.
func TestPlainParameters(t *testing.T) {
	t.Parallel()
	for asked, message := range map[string]string{
		"open=true": "", "open=false": "", "open=maybe": "use true or false", "open=": "use true or false",
		"since=2026-01-01T00:00:00Z": "", "since=yesterday": "use an instant", "since=2026-01-01": "use an instant",
		"limit=1": "", "limit=0": "use an integer", "open=true&open=true": "more than once", "closed=true": "unknown parameter",
	} {
		values, _ := url.ParseQuery(asked)
		_, err := ParsePlain(values, wire.IncidentsParams())
		var wrong *paramsError
		name, _, _ := strings.Cut(asked, "=")
		switch {
		case message == "" && err == nil:
		case message == "" || !errors.As(err, &wrong):
			t.Errorf("%s: %v", asked, err)
		case len(wrong.errors) != 1 || wrong.errors[0].Location != "query."+name || !strings.Contains(wrong.errors[0].Message, message):
			t.Errorf("%s: %+v", asked, wrong.errors)
		}
	}
}
