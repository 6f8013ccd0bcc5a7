package dcat

import "github.com/knakk/rdf"

// jsonld writes JSON-LD in flattened form: one node object a line in @graph,
// prefixes in an inline context, no context to be fetched. Each property has
// an array, also for one value: what follows is not known when it is opened.
type jsonld struct {
	sink
	// more tells that a node stands before the next one.
	more bool
}

func (j *jsonld) head() {
	j.out = append(j.out, `{"@context":{`...)
	for i, p := range prefixes {
		if i > 0 {
			j.out = append(j.out, ',')
		}
		j.out = append(j.out, `"`+p[0]+`":"`+p[1]+`"`...)
	}
	j.out = append(j.out, "},\"@graph\":[\n"...)
}

func (j *jsonld) foot() {
	j.close()
	j.out = append(j.out, "\n]}\n"...)
}

func (j *jsonld) rest() {
	j.close()
	if j.more {
		j.out = append(j.out, ",\n"...)
		j.more = false
	}
}

func (j *jsonld) section() {
	j.rest()
	j.out = append(j.out, '\n')
}

func (j *jsonld) node(b []byte) {
	j.rest()
	j.out = append(j.out, b...)
	j.more = true
}

func (j *jsonld) close() {
	if j.open {
		j.out = append(j.out, "]}"...)
		j.open, j.more = false, true
	}
}

func (j *jsonld) add(s, p rdf.IRI, o rdf.Object) {
	j.begin(s, p)
	j.object(o)
}

func (j *jsonld) addEntry(s, p rdf.IRI, id, fragment string) {
	j.begin(s, p)
	j.out = append(j.out, `{"@id":"`...)
	j.entry(id, fragment)
	j.out = append(j.out, `"}`...)
}

// begin writes what stands before a value.
func (j *jsonld) begin(s, p rdf.IRI) {
	switch {
	case !j.open || s != j.s:
		j.rest()
		j.out = append(j.out, `{"@id":"`...)
		j.iri(s)
		j.out = append(j.out, `",`...)
		j.key(p)
	case p != j.p:
		j.out = append(j.out, "],"...)
		j.key(p)
	default:
		j.out = append(j.out, ',')
	}
	if len(j.out) >= flushAt {
		j.flush()
	}
	j.s, j.p, j.open = s, p, true
}

func (j *jsonld) key(p rdf.IRI) {
	if p == rdfType {
		j.out = append(j.out, `"@type":[`...)
		return
	}
	j.out = append(j.out, '"')
	j.name(p)
	j.out = append(j.out, `":[`...)
}

func (j *jsonld) name(i rdf.IRI) {
	if n, ok := short[i]; ok {
		j.out = append(j.out, n...)
		return
	}
	j.iri(i)
}

func (j *jsonld) object(o rdf.Object) {
	switch v := o.(type) {
	case rdf.IRI:
		if j.p == rdfType {
			j.out = append(j.out, '"')
			j.name(v)
			j.out = append(j.out, '"')
			return
		}
		j.out = append(j.out, `{"@id":"`...)
		j.iri(v)
		j.out = append(j.out, `"}`...)
	case text:
		j.out = append(j.out, `{"@value":`...)
		j.escaped(v.String())
		j.out = append(j.out, `,"@language":"`+v.tag+`"}`...)
	case rdf.Literal:
		if v.DataType == xsdString {
			j.escaped(v.String())
			return
		}
		j.out = append(j.out, `{"@value":`...)
		j.escaped(v.String())
		j.out = append(j.out, `,"@type":"`...)
		j.name(v.DataType)
		j.out = append(j.out, `"}`...)
	}
}
