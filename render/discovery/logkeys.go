package discovery

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
)

// logKeys renders the public keys of the log of verdicts, as assay check --log-key reads
// them.
func logKeys(c *snapshot.Catalog) ([]artifact.File, error) {
	var b bytes.Buffer
	if c.Site.LogKeys == "" {
		b.WriteString("# This register keeps no log of verdicts: nothing is signed here.\n")
	} else {
		fmt.Fprintf(&b, "# Public keys of the log of verdicts, the newest last: %s\n", address(c.Site, "/docs/log"))
		fmt.Fprintf(&b, "# Each is proven by the one before it: %s\n", address(c.Site, translog.Prefix+translog.KeysFile))
	}
	for k := range strings.Lines(c.Site.LogKeys) {
		k = strings.TrimSpace(k)
		fmt.Fprintf(&b, "# In DNS: %s\n%s\n", translog.DNS(k), k)
	}
	return []artifact.File{{Route: wire.RouteLogKeys, Type: artifact.Text, Class: ClassDiscovery, Body: b.Bytes()}}, nil
}
