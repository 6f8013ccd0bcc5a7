package mcpregistry_test

import (
	"testing"

	"github.com/assay-register/assay/build/harvest/mcpregistry"
	"github.com/assay-register/assay/build/harvest/sourcetest"
)

func TestFailures(t *testing.T) {
	sourcetest.Failures(t, mcpregistry.Connector{}, "server.json",
		`[{"name":"a.b/c","description":"d","version":"1","repository":{"url":"https://github.com/a/b"}}]`)
}
