package check

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
)

const (
	sumsRoute = translog.Prefix + translog.SumsFile
	keysRoute = translog.Prefix + translog.KeysFile
)

// checkSums holds the signed sums to the documents that they name. A site with a log has
// them.
func (c *checker) checkSums(ctx context.Context, keys []note.Verifier) {
	signed, err := output.Log(ctx, c.pages)(translog.SumsFile)
	if err != nil {
		c.report.fault(sumsRoute, "cannot be read: %v; assay build signs them", err)
		return
	}
	s, err := translog.OpenSums(signed, keys...)
	if err != nil {
		c.report.fault(sumsRoute, "%v", err)
		return
	}
	if s.Snapshot != c.first.Snapshot {
		c.report.fault(sumsRoute, "signs the snapshot %s, the site shows %s", s.Snapshot, c.first.Snapshot)
		return
	}
	for _, route := range wire.SignedRoutes() {
		want, known := c.sumOf(ctx, route)
		if got := signedSum(s, route); known && got != want {
			c.report.fault(route, "has other bytes than %s signs", sumsRoute)
		}
	}
}

// signedSum is what signed sums say of a route, whose file has the name of the route, or
// lies in a folder of that name.
func signedSum(s *translog.Sums, route string) string {
	name := strings.TrimPrefix(route, "/")
	for _, f := range s.Files {
		if f.Name == name || strings.HasPrefix(f.Name, name+"/index.") {
			return f.SHA256
		}
	}
	return ""
}

// sumOf is the SHA-256 of a document: of the two that bind all others by their bytes, else
// as routes.ndjson has it.
func (c *checker) sumOf(ctx context.Context, route string) (sum string, known bool) {
	media := map[string]string{"/snapshot.json": artifact.JSON, "/routes.ndjson": artifact.NDJSON}[route]
	if media == "" {
		own, ok := c.sum(route)
		return hex.EncodeToString(own[:]), ok
	}
	in, err := c.pages.Open(ctx, route, media)
	if err != nil {
		return "", false // told where it is needed
	}
	defer in.Close()
	all := sha256.New()
	if _, err := io.Copy(all, in); err != nil {
		c.report.fault(route, "cannot be read: %v", err)
		return "", false
	}
	return hex.EncodeToString(all.Sum(nil)), true
}

// checkKeys holds the keys that the log names to the proof that each follows the one before.
func (c *checker) checkKeys(ctx context.Context, named []string) {
	if _, file := c.pages.(*output.SnapshotFile); file {
		return // the proof is made where the log is shown
	}
	b, err := output.Log(ctx, c.pages)(translog.KeysFile)
	if errors.Is(err, fs.ErrNotExist) && len(named) == 0 {
		return
	}
	var p *translog.Proof
	if err == nil {
		p, err = translog.DecodeProof(b)
	}
	var list []string
	if err == nil {
		list, err = translog.Chain(p)
	}
	if err != nil {
		c.report.fault(keysRoute, "%v", err)
	} else if strings.Join(list, "\n") != strings.Join(named, "\n") {
		c.report.fault(keysRoute, "names other keys than the log")
	}
}

// checkSignature looks who signed: one of the keys that were given, else the key that the
// log itself names last.
func (c *checker) checkSignature(signed []byte, given []note.Verifier, named []string) {
	keys := given
	if len(keys) == 0 && len(named) > 0 {
		var err error
		if keys, err = translog.Verifiers(named[len(named)-1]); err != nil {
			c.report.fault(checkpointRoute, "%v", err)
			return
		}
	}
	if _, _, err := translog.OpenCheckpoint(signed, keys...); err != nil {
		c.report.fault(checkpointRoute, "is not signed by the key of the log, %s: %v", names(keys), err)
	}
}

// names are those of keys with their hashes, as signatures name them.
func names(keys []note.Verifier) string {
	list := make([]string, len(keys))
	for i, k := range keys {
		list[i] = fmt.Sprintf("%s+%08x", k.Name(), k.KeyHash())
	}
	return strings.Join(list, " or ")
}

// distinct leaves out keys that are there twice.
func distinct(keys []note.Verifier) (out []note.Verifier) {
	for _, k := range keys {
		if !slices.ContainsFunc(out, func(o note.Verifier) bool { return o.Name() == k.Name() && o.KeyHash() == k.KeyHash() }) {
			out = append(out, k)
		}
	}
	return out
}
