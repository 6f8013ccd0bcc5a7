package ogcrecords

import (
	"encoding/json"

	"github.com/assay-register/assay/build/harvest/source"
)

// record is a record as GeoJSON (OGC 20-004r1), with what its drafts and
// widespread servers have in other places.
type record struct {
	ID         source.Loose    `json:"id"`
	Type       source.Loose    `json:"type"`
	Geometry   json.RawMessage `json:"geometry"`
	BBox       json.RawMessage `json:"bbox"`
	Time       span            `json:"time"`
	Properties properties      `json:"properties"`
	Links      []link          `json:"links"`
}

type properties struct {
	Type         source.Loose     `json:"type"`
	Title        source.Loose     `json:"title"`
	Description  source.Loose     `json:"description"`
	Language     languageOf       `json:"language"`
	Languages    []languageOf     `json:"resourceLanguages"`
	Keywords     source.LooseList `json:"keywords"`
	Themes       []theme          `json:"themes"`
	Created      source.Loose     `json:"created"`
	Updated      source.Loose     `json:"updated"`
	Issued       json.RawMessage  `json:"issued"`
	Modified     json.RawMessage  `json:"modified"`
	Datetime     source.Loose     `json:"datetime"`
	Contacts     []contact        `json:"contacts"`
	Providers    []contact        `json:"providers"`
	Publisher    source.Loose     `json:"publisher"`
	License      source.Loose     `json:"license"`
	Rights       source.LooseList `json:"rights"`
	AccessRights source.Loose     `json:"accessrights"`
	ExternalIDs  []external       `json:"externalIds"`
	Formats      source.LooseList `json:"formats"`
	Associations []link           `json:"associations"`
}

// span is the time that a resource covers.
type span struct {
	Date     source.Loose     `json:"date"`
	Stamp    source.Loose     `json:"timestamp"`
	Interval source.LooseList `json:"interval"`
}

// UnmarshalJSON takes other shapes for no time.
func (s *span) UnmarshalJSON(b []byte) error {
	if len(b) == 0 || b[0] != '{' {
		return nil
	}
	type plain span
	return json.Unmarshal(b, (*plain)(s))
}

// period writes it as start/end.
func (s *span) period() string {
	switch {
	case len(s.Interval) == 2:
		return s.Interval[0] + "/" + s.Interval[1]
	case s.Date != "":
		return string(s.Date)
	}
	return string(s.Stamp)
}

// languageOf is a language as an object with a code, or a code.
type languageOf struct {
	Code source.Loose `json:"code"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (l *languageOf) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] != '{' {
		return json.Unmarshal(b, &l.Code)
	}
	type plain languageOf
	return json.Unmarshal(b, (*plain)(l))
}

// theme is a list of concepts of one scheme.
type theme struct {
	Concepts []concept    `json:"concepts"`
	Scheme   source.Loose `json:"scheme"`
}

type concept struct {
	ID    source.Loose `json:"id"`
	URL   source.Loose `json:"url"`
	Title source.Loose `json:"title"`
}

// UnmarshalJSON takes bare words, too.
func (c *concept) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] != '{' {
		return json.Unmarshal(b, &c.ID)
	}
	type plain concept
	return json.Unmarshal(b, (*plain)(c))
}

type contact struct {
	Name         source.Loose     `json:"name"`
	Identifier   source.Loose     `json:"identifier"`
	Organization source.Loose     `json:"organization"`
	Emails       source.LooseList `json:"emails"`
	Roles        source.LooseList `json:"roles"`
	Role         source.Loose     `json:"role"`
	Links        []link           `json:"links"`
}

// UnmarshalJSON implements json.Unmarshaler: roles are words or objects, a
// single one is in its own member.
func (c *contact) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] != '{' {
		return json.Unmarshal(b, &c.Organization)
	}
	type plain contact
	if err := json.Unmarshal(b, (*plain)(c)); err != nil {
		return err
	}
	if c.Role != "" {
		c.Roles = append(c.Roles, string(c.Role))
	}
	return nil
}

type external struct {
	Scheme source.Loose `json:"scheme"`
	Value  source.Loose `json:"value"`
}

// UnmarshalJSON takes bare identifiers, too.
func (x *external) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] != '{' {
		return json.Unmarshal(b, &x.Value)
	}
	type plain external
	return json.Unmarshal(b, (*plain)(x))
}
