package check

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

func (c *checker) checkDocument(l *wire.RouteLine, f io.Reader) {
	sum, in := sha256.New(), &counted{r: f}
	page := io.TeeReader(in, sum)
	c.checkFormat(l, page)
	if _, err := io.Copy(io.Discard, page); err != nil {
		c.report.fault(l.Route, "cannot be read: %v", err)
		return
	}
	if hex.EncodeToString(sum.Sum(nil)) != l.SHA256 || in.n != l.Bytes {
		c.report.fault(l.Route, otherBytes)
	}
}

const otherBytes = "has other bytes than routes.ndjson says"

// checkFormat holds a page to the rules of its format; documents that grow
// with the register are read as a stream.
func (c *checker) checkFormat(l *wire.RouteLine, page io.Reader) {
	if path, ok := strings.CutPrefix(l.Route, bundleRoot); ok {
		c.bundle[path] = l.Type
		c.remember(len(path) + len(l.Type))
	}
	media, _, _ := strings.Cut(l.Type, ";")
	switch {
	case syntaxes[media] != 0:
		c.checkGraph(l, media, page)
	case media == wire.MediaRSS || media == wire.MediaAtom || media == wire.MediaFeed:
		c.withBody(l, page, feedMax, func(body []byte) { c.checkFeed(l.Route, media, body) })
	case media == "text/html":
		c.checkHTML(l, page)
	case l.Route == bundleRoot+bundleFile:
		c.checkArchive(l.Route, page)
	case l.Type == artifact.JSON && l.Bytes > readMax: // an export of all entries
		if !isJSON(page) {
			c.report.fault(l.Route, "is not JSON")
		}
	case l.Type == artifact.JSON:
		c.withBody(l, page, readMax, func(body []byte) {
			if !json.Valid(body) {
				c.report.fault(l.Route, "is not JSON")
				return
			}
			if IsEntry(l) {
				c.noteShown(l, body)
			} else {
				c.noteListed(l, body)
			}
			c.noteScored(l, body)
			c.checkManifest(l.Route, body)
			c.checkLinks(l.Route, body)
		})
	}
}

// withBody reads a page that is small enough to hold; of one that is longer than
// routes.ndjson says, which is a fault of its own, no more than that.
func (c *checker) withBody(l *wire.RouteLine, page io.Reader, most int, check func([]byte)) {
	if l.Bytes > most {
		c.report.fault(l.Route, "is longer than %d MiB", most>>20)
		return
	}
	body, err := io.ReadAll(io.LimitReader(page, int64(max(0, l.Bytes))+1))
	if err != nil {
		c.report.fault(l.Route, "cannot be read: %v", err)
		return
	}
	if len(body) <= l.Bytes {
		check(body)
	}
}
