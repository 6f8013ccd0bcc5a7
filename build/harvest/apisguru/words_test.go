package apisguru_test

import (
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest/apisguru"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
)

// TestRejectionsSpeakOfTheFormat: who publishes a list learns which member is
// wrong, in words of JSON.
func TestRejectionsSpeakOfTheFormat(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{
		`{"a.example.org":7}`: "the record is number",
		`{"a.example.org":{"versions":{"1":{"info":{"contact":"me"}}}}}`: "contact is string",
	} {
		o := sourcetest.Run(t, apisguru.Connector{}, feedtest.File("list.json", []byte(list), ""))
		if len(o.Rejections) != 1 {
			t.Fatalf("%s: %+v", list, o.Rejections)
		}
		r := o.Rejections[0]
		if r.Code != source.CodeInvalidField || !strings.Contains(r.Reason, want) || strings.Contains(r.Reason, "Go ") || strings.Contains(r.Reason, "apisguru.") || r.Remedy == "" {
			t.Errorf("%s: %+v", list, r)
		}
	}
}
