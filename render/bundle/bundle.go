// Package bundle is the form of evidence about one entry in one file: a ZIP whose bytes
// follow from what is in it, with the documents of the entry as they were published, the
// rules by which it was judged, what its sources published, and what the log of verdicts says of it. Whoever
// has the file verifies it without asking anybody (Verify, site/assets/verify.lib.js).
package bundle

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
)

// Names of the files. Those of the log are missing where the register keeps none, the
// record where none is kept, the proof of the documents where the snapshot is of a release without one.
const (
	ManifestFile   = "bundle.json"
	EntryFile      = "entry.json"
	QualityFile    = "quality-score.json"
	ChecksFile     = "checks.json"
	ProvenanceFile = "provenance.json"
	RulesFile      = "rules.json"
	SnapshotFile   = "snapshot.json"
	RecordFile     = "record.json"
	DocumentsFile  = "documents.json"
	ProofFile      = "log/proof.json"
	HeadFile       = "log/head.json"
	KeysFile       = "log/keys.json"
)

// routes are where the files were published, {id} being the entry, "" for what was made for the bundle.
var routes = map[string]string{
	EntryFile: "/api/v1/entries/{id}", QualityFile: "/api/v1/entries/{id}/quality-score", ChecksFile: "/api/v1/entries/{id}/checks",
	ProvenanceFile: "/api/v1/entries/{id}/provenance", RecordFile: "/api/v1/entries/{id}/record",
	RulesFile: wire.RouteRules, SnapshotFile: "/snapshot.json", DocumentsFile: "",
	ProofFile: "/api/v1/log/proof?entry={id}", HeadFile: "", KeysFile: translog.Prefix + translog.KeysFile,
}

// Manifest names what is in a bundle.
type Manifest struct {
	// Version is that of this form, 1.
	Version  int    `json:"version"`
	BaseURL  string `json:"base_url"`
	EntryID  string `json:"entry_id"`
	Snapshot string `json:"snapshot"`
	Files    []File `json:"files"`
}

// File is one of them; Route is where it was published, "" for what was made for the bundle.
type File struct {
	Name   string `json:"name"`
	Route  string `json:"route,omitempty"`
	SHA256 string `json:"sha256"`
	Body   []byte `json:"-"`
}

// zipTime stands in a ZIP for the time of each file, which says nothing here.
var zipTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// Bounds of a bundle that is read, in bytes.
const (
	Max      = 16 << 20
	fileMax  = 8 << 20
	filesMax = 64
)

// Write makes the file. The files are put in the order of their names, behind the manifest.
func Write(w io.Writer, m Manifest) error {
	m.Version = 1
	slices.SortFunc(m.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	for i := range m.Files {
		sum := sha256.Sum256(m.Files[i].Body)
		m.Files[i].SHA256 = hex.EncodeToString(sum[:])
	}
	manifest, err := jsonx.Marshal(m)
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	for _, f := range append([]File{{Name: ManifestFile, Body: append(manifest, '\n')}}, m.Files...) {
		out, err := z.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: zipTime})
		if err != nil {
			return err
		}
		if _, err := out.Write(f.Body); err != nil {
			return err
		}
	}
	return z.Close()
}

var errBundle = errors.New("not a bundle of evidence about an entry")

// Read takes a bundle apart, and holds each file to its hash.
func Read(b []byte) (*Manifest, error) {
	if len(b) > Max {
		return nil, fmt.Errorf("%w: it has more than %d MiB", errBundle, Max>>20)
	}
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errBundle, err)
	}
	if len(z.File) > filesMax {
		return nil, fmt.Errorf("%w: it has %d files", errBundle, len(z.File))
	}
	bodies := map[string][]byte{}
	for _, f := range z.File {
		if _, known := routes[f.Name]; !known && f.Name != ManifestFile {
			return nil, fmt.Errorf("%w: %.100q is none of its files", errBundle, f.Name)
		}
		in, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", errBundle, f.Name, err)
		}
		body, err := io.ReadAll(io.LimitReader(in, fileMax+1))
		if err = errors.Join(err, in.Close()); err != nil {
			return nil, fmt.Errorf("%w: %s cannot be read: %w", errBundle, f.Name, err)
		}
		if len(body) > fileMax {
			return nil, fmt.Errorf("%w: %s is longer than %d MiB", errBundle, f.Name, fileMax>>20)
		}
		if _, twice := bodies[f.Name]; twice {
			return nil, fmt.Errorf("%w: %s is there twice", errBundle, f.Name)
		}
		bodies[f.Name] = body
	}
	return hold(bodies)
}

// hold reads the manifest and holds each file to it.
func hold(bodies map[string][]byte) (*Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(bodies[ManifestFile], &m); err != nil {
		return nil, fmt.Errorf("%w: %s is missing or no JSON: %w", errBundle, ManifestFile, err)
	}
	if m.Version != 1 {
		return nil, fmt.Errorf("%w: %s is of version %d, not 1", errBundle, ManifestFile, m.Version)
	}
	if again, err := jsonx.Marshal(m); err != nil || string(again)+"\n" != string(bodies[ManifestFile]) {
		return nil, fmt.Errorf("%w: %s has more than a manifest says, or says it otherwise: it was changed", errBundle, ManifestFile)
	}
	if len(m.Files) != len(bodies)-1 {
		return nil, fmt.Errorf("%w: it has %d files, its manifest names %d", errBundle, len(bodies)-1, len(m.Files))
	}
	for i := range m.Files {
		f := &m.Files[i]
		body := bodies[f.Name]
		if sum := sha256.Sum256(body); body == nil || hex.EncodeToString(sum[:]) != f.SHA256 {
			return nil, fmt.Errorf("%w: %s has other bytes than the manifest says", errBundle, f.Name)
		}
		if route := strings.ReplaceAll(routes[f.Name], "{id}", m.EntryID); f.Route != route {
			return nil, fmt.Errorf("%w: %s says that %s was published at %.200q, not %q", errBundle, ManifestFile, f.Name, f.Route, route)
		}
		f.Body = body
		bodies[f.Name] = nil
	}
	return &m, nil
}

// Body is a file of the bundle, nil for none.
func (m *Manifest) Body(name string) []byte {
	for i := range m.Files {
		if m.Files[i].Name == name {
			return m.Files[i].Body
		}
	}
	return nil
}
