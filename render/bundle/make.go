package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
)

// Parts is what a bundle is made of.
type Parts struct {
	BaseURL, EntryID, Snapshot string
	// Read returns the document of a route as it was published; fs.ErrNotExist for none.
	Read func(route string) ([]byte, error)
	// Records is what sources published, nil for nothing; Log the log of verdicts, nil for
	// none.
	Records *wire.PublishedRecords
	Log     *translog.Log
}

// Make makes the bundle of an entry.
func Make(p Parts) ([]byte, error) {
	m := Manifest{BaseURL: p.BaseURL, EntryID: p.EntryID, Snapshot: p.Snapshot}
	for _, name := range []string{EntryFile, QualityFile, ChecksFile, ProvenanceFile, RulesFile, SnapshotFile} {
		route := m.routeOf(name)
		body, err := p.Read(route)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", route, err)
		}
		m.Files = append(m.Files, File{Name: name, Route: route, Body: body})
	}
	if p.Records != nil && len(p.Records.Records) > 0 {
		if err := m.add(RecordFile, p.Records); err != nil {
			return nil, err
		}
	}
	if err := m.documents(p.Read); err != nil {
		return nil, err
	}
	if p.Log != nil {
		if err := m.proofs(p.Log); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	var b bytes.Buffer
	err := Write(&b, m)
	return b.Bytes(), err
}

func (m *Manifest) routeOf(name string) string {
	return strings.ReplaceAll(routes[name], "{id}", m.EntryID)
}

func (m *Manifest) add(name string, v any) error {
	body, err := jsonx.Marshal(v)
	if err != nil {
		return err
	}
	m.Files = append(m.Files, File{Name: name, Route: m.routeOf(name), Body: append(body, '\n')})
	return nil
}

// proofs adds what the log says of the entry; nothing while it does not name the snapshot.
func (m *Manifest) proofs(log *translog.Log) error {
	head, err := log.Head(m.Snapshot)
	if err != nil || head == nil {
		return err
	}
	about, err := log.Now(m.EntryID)
	if err != nil || len(about.Leaves) == 0 {
		return err
	}
	keys, err := log.Keys()
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name  string
		proof *translog.Proof
	}{{ProofFile, about}, {HeadFile, head}, {KeysFile, keys}} {
		if err := m.add(f.name, f.proof); err != nil {
			return err
		}
	}
	return nil
}
