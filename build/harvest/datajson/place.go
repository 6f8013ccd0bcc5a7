package datajson

import (
	"bytes"
	"encoding/json"

	"github.com/assay-register/assay/build/harvest/source"
)

// places are the areas a dataset covers: a text (a name, or a box as
// "west,south,east,north"), GeoJSON, a Location of version 3.0, or a list.
type places []string

// UnmarshalJSON implements json.Unmarshaler.
func (p *places) UnmarshalJSON(b []byte) error {
	*p = nil
	return p.add(bytes.TrimSpace(b), 0)
}

func (p *places) add(b []byte, depth int) error {
	if len(b) == 0 || depth > 3 {
		return nil
	}
	switch b[0] {
	case '[':
		return p.list(b, depth)
	case '{':
		return p.location(b)
	}
	var text source.Loose
	if err := json.Unmarshal(b, &text); err != nil || text == "" {
		return err
	}
	*p = append(*p, string(text))
	return nil
}

// list takes a list of places; four numbers are one box.
func (p *places) list(b []byte, depth int) error {
	var box [4]float64
	var items []json.RawMessage
	if err := json.Unmarshal(b, &items); err != nil {
		return err
	}
	if len(items) == 4 && json.Unmarshal(b, &box) == nil {
		*p = append(*p, string(b))
		return nil
	}
	for _, it := range items {
		if err := p.add(it, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (p *places) location(b []byte) error {
	var o struct {
		Coordinates json.RawMessage   `json:"coordinates"`
		Label       source.LooseTexts `json:"prefLabel"`
		Name        source.LooseTexts `json:"name"`
		Bbox        shape             `json:"bbox"`
		Geometry    shape             `json:"geometry"`
		ID          source.Loose      `json:"@id"`
	}
	if err := json.Unmarshal(b, &o); err != nil {
		return err
	}
	switch {
	case o.Coordinates != nil:
		*p = append(*p, string(b))
	case len(o.Label) > 0:
		*p = append(*p, o.Label[0].Value)
	case len(o.Name) > 0:
		*p = append(*p, o.Name[0].Value)
	default:
		for _, s := range []string{string(o.ID), string(o.Bbox), string(o.Geometry)} {
			if s != "" {
				*p = append(*p, s)
				return nil
			}
		}
	}
	return nil
}

// periods are the periods a dataset covers, each as "start/end": a text, a
// PeriodOfTime of version 3.0, or a list.
type periods []string

// UnmarshalJSON implements json.Unmarshaler.
func (p *periods) UnmarshalJSON(b []byte) error {
	*p = nil
	b = bytes.TrimSpace(b)
	if len(b) > 0 && b[0] == '[' {
		var items []json.RawMessage
		if err := json.Unmarshal(b, &items); err != nil {
			return err
		}
		for _, it := range items {
			if err := p.add(it); err != nil {
				return err
			}
		}
		return nil
	}
	return p.add(b)
}

func (p *periods) add(b []byte) error {
	if len(b) > 0 && b[0] == '{' {
		var o struct {
			Start source.Loose `json:"startDate"`
			End   source.Loose `json:"endDate"`
		}
		if err := json.Unmarshal(b, &o); err != nil {
			return err
		}
		if o.Start != "" || o.End != "" {
			*p = append(*p, string(o.Start)+"/"+string(o.End))
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

// shape is a geometry in a text, or GeoJSON as it stands.
type shape string

// UnmarshalJSON implements json.Unmarshaler.
func (s *shape) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '{' {
		*s = shape(b)
		return nil
	}
	return json.Unmarshal(b, (*source.Loose)(s))
}
