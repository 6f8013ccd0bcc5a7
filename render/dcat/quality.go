package dcat

import (
	"strconv"

	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
)

// metric is one measure that the register publishes, under an address of its
// own: it is not a metric of the European portal (research, §4.1).
type metric struct {
	name, label, definition string
	datatype                *name
}

func (m *metric) iri() iri { return definitionIRI("metric/" + m.name) }

// metrics are all of them.
var metrics = [...]metric{
	httpStatus:         {"http-status", "HTTP status", "Status code of the answer to the latest check.", xsdInteger},
	mqaScore:           {"mqa-score", "Metadata quality score", "Weighted sum of officialness, availability, metadata, licence and agent readiness, 0 to 100.", xsdDecimal},
	officialConfidence: {"official-confidence", "Officialness", "Points of the proofs of officialness that held, 0 to 100.", xsdDecimal},
	trustScore:         {"trust-score", "Trust score", "The quality score with the verification state in place of availability, 0 to 100.", xsdDecimal},
}

// Places among the metrics.
const (
	httpStatus = iota
	mqaScore
	officialConfidence
	trustScore
)

// measurements are what the register observed of an entry (W3C Data Quality
// Vocabulary). They point at the resource, which does not point back.
func (g *graph) measurements(s *snapshot.Scored) {
	r, day := &s.Result, instant(s.ScoredSince())
	id := s.Entry().ID
	g.measurement(id, mqaScore, r.MQA.String(), day)
	g.measurement(id, trustScore, r.Trust.String(), day)
	if r.Confidence != nil {
		g.measurement(id, officialConfidence, score.Tenths(*r.Confidence*10).String(), day)
	}
	if st := s.Row.State; st != nil && st.ProbeHTTPStatus > 0 {
		// Without a time: that of the latest check would move the documents daily.
		g.measurement(id, httpStatus, strconv.Itoa(st.ProbeHTTPStatus), object{})
	}
}

func (g *graph) measurement(id string, which int, value string, at object) {
	m := &metrics[which]
	n := g.node(partIRI(id, m.name), classMeasurement)
	n.link(dqvComputedOn, entryIRI(id))
	n.link(dqvMeasurementOf, m.iri())
	n.add(dqvValue, typed(value, m.datatype))
	if at != (object{}) {
		n.add(provGeneratedAtTime, at)
	}
}

func (g *graph) metric(m *metric) {
	n := g.node(m.iri(), classMetric)
	n.add(skosPrefLabel, tagged(m.label, "en"))
	n.add(skosDefinition, tagged(m.definition, "en"))
	n.link(dqvExpectedDataType, m.datatype.iri)
}
