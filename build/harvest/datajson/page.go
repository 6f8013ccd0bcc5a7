package datajson

import (
	"bytes"
	"encoding/json"

	"github.com/assay-register/assay/build/harvest/source"
)

// pages are addresses of documents: texts, or Documents and Distributions of version 3.0,
// whose title is not their address.
type pages []string

// first is the first address, or "".
func (p pages) first() string {
	if len(p) == 0 {
		return ""
	}
	return p[0]
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *pages) UnmarshalJSON(b []byte) error {
	*p = nil
	return p.add(bytes.TrimSpace(b), 0)
}

func (p *pages) add(b []byte, depth int) error {
	if len(b) == 0 || depth > 1 {
		return nil
	}
	switch b[0] {
	case '[':
		var items []json.RawMessage
		if err := json.Unmarshal(b, &items); err != nil {
			return err
		}
		for _, it := range items {
			if err := p.add(bytes.TrimSpace(it), depth+1); err != nil {
				return err
			}
		}
		return nil
	case '{':
		var o struct {
			Access   source.Loose `json:"accessURL"`
			Download source.Loose `json:"downloadURL"`
			ID       source.Loose `json:"@id"`
			URL      source.Loose `json:"url"`
		}
		if err := json.Unmarshal(b, &o); err != nil {
			return err
		}
		for _, s := range []source.Loose{o.Access, o.Download, o.ID, o.URL} {
			if s != "" {
				*p = append(*p, string(s))
				return nil
			}
		}
		return nil
	}
	var text source.Loose
	if err := json.Unmarshal(b, &text); err != nil || text == "" {
		return err
	}
	*p = append(*p, string(text))
	return nil
}
