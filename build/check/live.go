package check

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"strings"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// answered tells whether a service may answer a document itself instead of as its snapshot
// has it: the checks of an entry, which it knows up to the last one (decisions-2 §F).
func (c *checker) answered(l *wire.RouteLine) bool {
	_, remote := c.pages.(output.Remote)
	return remote && l.Type == artifact.JSON && strings.HasPrefix(l.Route, "/api/v1/entries/") && strings.HasSuffix(l.Route, "/checks")
}

// checkNewer holds a document that changed since the snapshot, and says so, to the rules of
// its format: no list has its hash.
func (c *checker) checkNewer(l *wire.RouteLine, in io.Reader) {
	c.newer = true
	c.checkFormat(l, in)
	c.newer = false
	if _, err := io.Copy(io.Discard, in); err != nil {
		c.report.fault(l.Route, "cannot be read: %v", err)
		return
	}
	c.report.Live++
}

// checkAnswer takes the document of the snapshot, or a live answer whose manifest is right.
func (c *checker) checkAnswer(l *wire.RouteLine, in io.Reader) {
	body, err := io.ReadAll(io.LimitReader(in, readMax+1))
	switch {
	case err != nil:
		c.report.fault(l.Route, "cannot be read: %v", err)
		return
	case len(body) > readMax:
		c.report.fault(l.Route, "is longer than %d MiB", readMax>>20)
		return
	}
	c.checkManifest(l.Route, body)
	c.checkLinks(l.Route, body)
	if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) == l.SHA256 {
		c.noteScored(l, body)
		return
	}
	var page struct {
		Manifest *wire.Manifest `json:"manifest"`
	}
	if json.Unmarshal(body, &page) != nil || page.Manifest == nil || !page.Manifest.Live {
		c.report.fault(l.Route, otherBytes)
		return
	}
	c.report.Live++
}
