package openapidoc_test

import (
	"testing"

	"github.com/assay-register/assay/build/harvest/openapidoc"
	"github.com/assay-register/assay/build/harvest/sourcetest"
)

func TestFailures(t *testing.T) {
	sourcetest.Failures(t, openapidoc.Connector{}, "a.json",
		`{"openapi":"3.0.0","info":{"title":"T"},"servers":[{"url":"https://a.example.gov.uk"}]}`)
}
