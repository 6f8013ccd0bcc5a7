package apisguru_test

import (
	"testing"

	"github.com/assay-register/assay/build/harvest/apisguru"
	"github.com/assay-register/assay/build/harvest/sourcetest"
)

func TestFailures(t *testing.T) {
	sourcetest.Failures(t, apisguru.Connector{}, "list.json",
		`{"a.example.org:b":{"preferred":"1","versions":{"1":{"info":{"title":"T","x-providerName":"a.example.org"}}}}}`)
}
