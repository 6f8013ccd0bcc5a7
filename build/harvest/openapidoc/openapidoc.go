// Package openapidoc reads descriptions of APIs: single OpenAPI 3 or Swagger 2
// documents, in JSON or YAML, or a folder or archive of them.
package openapidoc

import (
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "openapi"

// The filters that the connector reads.
const (
	// FilterBase is the address under which the input is published: that of
	// the document, or of the folder that holds the documents. Relative servers
	// are resolved against it.
	FilterBase = "base"
)

// accept lists the media types of the two syntaxes.
const accept = "application/vnd.oai.openapi+json, application/vnd.oai.openapi, application/json, application/yaml, */*;q=0.1"

// Connector implements source.Connector.
type Connector struct{}

// Run implements source.Connector. The input is one document, live or
// captured, or a folder or archive in which each .json, .yaml and .yml file is
// taken for a document.
func (Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	m := mapper{in: &in, host: in.Host("openapi.local"), emit: emit, reject: reject}
	if in.Fetch == nil && (in.Open == nil || archive(in.Name)) {
		return m.folder(ctx)
	}
	r, address, err := m.open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	data, bad, err := m.readAll(r)
	if err != nil {
		return err
	}
	return m.document(data, bad, &doc{place: in.Name, id: m.id(address), address: address})
}

// archive tells whether a file name is that of a folder packed into one file.
func archive(name string) bool {
	for _, ext := range []string{".zip", ".tar", ".tar.gz", ".tgz"} {
		if strings.HasSuffix(strings.ToLower(name), ext) {
			return true
		}
	}
	return false
}

// open opens the single document and says under which address it is
// published, "" when that is not known.
func (m *mapper) open(ctx context.Context) (io.ReadCloser, string, error) {
	in := m.in
	if in.Fetch != nil {
		resp, err := in.Fetch(ctx, source.Request{URL: in.PageURL(), Accept: accept})
		if err != nil {
			return nil, "", fmt.Errorf("open %s: %w", in.Name, err)
		}
		return resp.Body, resp.URL, nil
	}
	r, err := in.Open(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("open %s: %w", in.Name, err)
	}
	address := in.Source.Filters[FilterBase]
	if address == "" && catalog.CheckURL("url", in.Name) == nil {
		address = in.Name
	}
	return r, address, nil
}

// readAll reads one document within the limits.
func (m *mapper) readAll(r io.Reader) ([]byte, *source.Rejection, error) {
	limits := m.in.Limits.OrDefault()
	stream, err := source.NewStream(r, m.in.Name, limits)
	if err != nil {
		return nil, nil, err
	}
	data, err := io.ReadAll(io.LimitReader(stream, int64(limits.Record)+1))
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", m.in.Name, err)
	}
	if bad := stream.Problem(); bad != nil {
		return nil, bad, nil
	}
	if len(data) > limits.Record {
		return nil, &source.Rejection{Place: m.in.Name, Code: source.CodeRecordTooLarge,
			Reason: fmt.Sprintf("the document is longer than %d bytes", limits.Record), Remedy: "split the document"}, nil
	}
	return data, nil, nil
}

func wanted(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".yaml", ".yml":
		return !strings.HasPrefix(path.Base(name), ".")
	}
	return false
}

// id is what a single document is known by: its address, else its file name.
func (m *mapper) id(address string) string {
	if address != "" {
		return catalog.NormalURL(address)
	}
	return path.Base(m.in.Name)
}
