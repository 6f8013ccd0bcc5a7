package sequence

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Present is the head of the snapshot that readers of a folder get, nil for none. It can
// be read until the returned function is called.
func Present(folder string) (*Head, func(), error) {
	file, err := output.OpenPresent(folder)
	if err != nil || file == nil {
		return nil, func() {}, err
	}
	h, err := headOf(file)
	if err != nil {
		return nil, func() {}, errors.Join(fmt.Errorf("%s: %w", file.Path, err), file.Close())
	}
	return h, func() { _ = file.Close() }, nil // it was only read
}

func headOf(file *output.SnapshotFile) (*Head, error) {
	doc, err := file.Document("/snapshot.json")
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(doc)
	if err != nil {
		return nil, err
	}
	var page wire.SnapshotPage
	if err := json.Unmarshal(body, &page); err != nil {
		return nil, fmt.Errorf("/snapshot.json: %w", err)
	}
	at, err := time.Parse(time.RFC3339, page.AsOf)
	if err != nil {
		return nil, fmt.Errorf("/snapshot.json: as_of: %w", err)
	}
	through, err := file.Through()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body)
	files, err := signed(file)
	if err != nil {
		return nil, err
	}
	return &Head{Snapshot: page.Snapshot, AsOf: at, Entries: page.Entries, Through: through, SHA256: hex.EncodeToString(sum[:]),
		Content: file.Pack.Directory.Content, Files: files, Each: func(fn func(string, time.Time) error) error { return each(file, fn) },
		Lines: func(fn func(id, slug string, published int64)) error {
			lines, err := file.Document(snapshot.PartRoute(snapshot.LinesFile))
			if err != nil {
				return err
			}
			return output.EachLine(lines, fn)
		}}, nil
}

// each goes through the entries of a snapshot.
func each(file *output.SnapshotFile, fn func(id string, published time.Time) error) error {
	lines, err := file.Document(snapshot.PartRoute(snapshot.LinesFile))
	if err != nil {
		return err
	}
	var failed error
	err = output.EachLine(lines, func(id, _ string, published int64) {
		if failed == nil {
			failed = fn(id, time.Unix(published, 0))
		}
	})
	return errors.Join(err, failed)
}
