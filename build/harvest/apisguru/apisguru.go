// Package apisguru reads directories of API descriptions in the form of
// APIs.guru: one JSON object, list.json, with a member per API that lists the
// versions of its description. One API is one entry; its other versions are
// members of it (decisions §4).
package apisguru

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/assay-register/assay/build/harvest/source"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "apisguru"

// file is the name of the list in a captured folder.
const file = "list.json"

// Connector implements source.Connector.
type Connector struct{}

// Run implements source.Connector. The input is list.json, live or captured,
// or a folder that holds it. The members are read one at a time.
func (Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	r, err := open(ctx, &in)
	if err != nil {
		return err
	}
	defer r.Close()
	stream, err := source.NewStream(r, in.Name, in.Limits)
	if err != nil {
		return err
	}
	m := mapper{in: &in, host: in.Host("api.apis.guru")}
	l := newList(stream, in.Name, in.Limits.OrDefault().Record)
	for ctx.Err() == nil {
		key, raw, bad, err := l.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", in.Name, err)
		}
		var draft source.Draft
		if bad == nil {
			draft, bad = m.draft(key, raw)
		}
		if bad != nil {
			err = reject(*bad)
		} else {
			err = emit(draft)
		}
		if err != nil {
			return err
		}
	}
	if p := stream.Problem(); p != nil && ctx.Err() == nil {
		return reject(*p)
	}
	return ctx.Err()
}

func open(ctx context.Context, in *source.Input) (io.ReadCloser, error) {
	switch {
	case in.Fetch != nil:
		resp, err := in.Fetch(ctx, source.Request{URL: in.PageURL(), Accept: "application/json"})
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", in.Name, err)
		}
		return resp.Body, nil
	case in.Open != nil:
		r, err := in.Open(ctx)
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", in.Name, err)
		}
		return r, nil
	case in.Files != nil:
		f, err := in.Files.Open(file)
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", in.Name, err)
		}
		return f, nil
	}
	return nil, fmt.Errorf("open %s: the input is neither a file nor a folder", in.Name)
}
