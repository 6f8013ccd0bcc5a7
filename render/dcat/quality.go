package dcat

import (
	"strconv"
	"time"

	"github.com/knakk/rdf"

	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
)

// metric is one measure that the register publishes, under an address of its
// own: it is not a metric of the European portal (research, §4.1).
type metric struct {
	name, label, definition string
	datatype                rdf.IRI
}

// metrics are all of them.
var metrics = []metric{
	{"http-status", "HTTP status", "Status code of the answer to the latest check.", xsdInteger},
	{"latency-p50", "Median latency", "Median time of the successful checks of the last 30 days, in milliseconds.", xsdInteger},
	{"mqa-score", "Metadata quality score", "Weighted sum of officialness, availability, metadata, licence and agent readiness, 0 to 100.", xsdDecimal},
	{"official-confidence", "Officialness", "Points of the proofs of officialness that held, 0 to 100.", xsdDecimal},
	{"trust-score", "Trust score", "The quality score with the verification state in place of availability, 0 to 100.", xsdDecimal},
}

// measurements are what the register observed of an entry (W3C Data Quality
// Vocabulary). They point at the resource, which does not point back.
func measurements(s *snapshot.Scored) *graph {
	g, r := &graph{}, &s.Result
	id := s.Entry().ID
	measure := func(m string, value string, datatype rdf.IRI, at time.Time) {
		v := typed(value, datatype)
		if v == nil {
			return
		}
		n := g.node(partIRI(id, m), classMeasurement)
		n.add(dqvComputedOn, entryIRI(id))
		n.add(dqvMeasurementOf, definitionIRI("metric/"+m))
		n.add(dqvValue, v)
		n.add(provGeneratedAtTime, instant(at))
	}
	measure("mqa-score", r.MQA.String(), xsdDecimal, s.Day)
	measure("trust-score", r.Trust.String(), xsdDecimal, s.Day)
	if r.Confidence != nil {
		measure("official-confidence", score.Tenths(*r.Confidence*10).String(), xsdDecimal, s.Day)
	}
	if st := s.Row.State; st != nil && st.ProbeHTTPStatus > 0 {
		measure("http-status", strconv.Itoa(st.ProbeHTTPStatus), xsdInteger, st.LastCheckedAt)
	}
	if r.P50 != nil {
		measure("latency-p50", strconv.Itoa(*r.P50), xsdInteger, s.Day)
	}
	return g
}

func (g *graph) metric(m metric) {
	n := g.node(definitionIRI("metric/"+m.name), classMetric)
	n.add(skosPrefLabel, tagged(m.label, "en"))
	n.add(skosDefinition, tagged(m.definition, "en"))
	n.add(dqvExpectedDataType, m.datatype)
}
