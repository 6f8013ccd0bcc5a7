package dcatap

import (
	"cmp"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
)

// period is start/end of a period of time: by its dates (DCAT 3, 6.15), else by
// its instants (OWL-Time, hasBeginning and hasEnd).
func (m *mapper) period(n *node) (string, error) {
	start, err := m.instant(n, propBeginning)
	if err != nil {
		return "", err
	}
	end, err := m.instant(n, propEnding)
	return cmp.Or(n.literal(propStart), start) + "/" + cmp.Or(n.last(propEnd), end), err
}

// instant is the date of a node that a period begins or ends with.
func (m *mapper) instant(n *node, p prop) (string, error) {
	for _, s := range n.all(p) {
		if s.kind == rdf.Literal {
			return s.value, nil
		}
		at, err := m.doc.node(s.key())
		if err != nil {
			return "", err
		}
		if at != nil && at.literal(propInstant) != "" {
			return at.literal(propInstant), nil
		}
	}
	return "", nil
}

// frequency sets how often the data is updated: by the code that is stated, else by what a
// node says of itself, a label or a length of time (NTI-RISP of Spain, annex III).
func (m *mapper) frequency(b *source.Builder, n *node) error {
	stated := false
	for _, s := range n.all(propFrequency) {
		said := []string{s.value}
		if s.kind != rdf.Literal {
			node, err := m.doc.shared(s.key())
			if err != nil {
				return err
			}
			if said, err = m.intervals(node, 0); err != nil {
				return err
			}
			if s.kind == rdf.IRI {
				said = append([]string{s.value}, said...)
			}
		}
		for _, text := range said {
			if _, known := source.Frequency(text); known && b.Frequency(paths[propFrequency], text) {
				return nil
			}
		}
		if len(said) > 0 {
			b.Frequency(paths[propFrequency], said[0])
			stated = true
		}
	}
	if stated {
		return nil
	}
	// DCAT-US 1.1 states in place of a date how often data changes that is updated continually.
	for _, s := range n.all(propModified) {
		if s.kind == rdf.Literal && source.Interval(s.value) {
			b.Frequency(paths[propModified], s.value)
			break
		}
	}
	return nil
}

// intervals is what a frequency says of itself: its length as a duration (ISO 8601), and its labels.
func (m *mapper) intervals(n *node, depth int) (said []string, err error) {
	if n == nil || depth > 2 {
		return nil, nil
	}
	if length := duration(n); length != "" {
		said = append(said, length)
	}
	for _, s := range n.all(propValue) {
		if s.kind == rdf.Literal {
			said = append(said, s.value)
			continue
		}
		value, err := m.doc.node(s.key())
		if err != nil {
			return nil, err
		}
		more, err := m.intervals(value, depth+1)
		if err != nil {
			return nil, err
		}
		said = append(said, more...)
	}
	for _, t := range texts(n, propPrefLabel, propLabel) {
		said = append(said, t.Value)
	}
	return said, nil
}

// duration is the length of a duration description (OWL-Time, 4.2.9), "" without one.
func duration(n *node) string {
	date, clock := "", ""
	for _, u := range []struct {
		p    prop
		unit string
		dst  *string
	}{{propYears, "Y", &date}, {propMonths, "M", &date}, {propWeeks, "W", &date}, {propDays, "D", &date}, {propHours, "H", &clock}, {propMinutes, "M", &clock}} {
		if v := strings.TrimSpace(n.literal(u.p)); strings.Trim(v, "0.") != "" {
			*u.dst += v + u.unit
		}
	}
	switch {
	case clock != "":
		return "P" + date + "T" + clock
	case date != "":
		return "P" + date
	}
	return ""
}
