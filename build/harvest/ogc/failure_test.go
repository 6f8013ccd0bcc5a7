package ogc_test

import (
	"testing"

	"github.com/assay-register/assay/build/harvest/ogc"
	"github.com/assay-register/assay/build/harvest/sourcetest"
)

func TestFailures(t *testing.T) {
	sourcetest.Failures(t, ogc.Connector{}, "a.xml",
		`<WMS_Capabilities><Service><Title>T</Title></Service><Capability><Request><GetCapabilities><Get><OnlineResource href="https://a.example.gov.uk/"/></Get></GetCapabilities></Request></Capability></WMS_Capabilities>`)
}
