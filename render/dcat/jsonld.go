package dcat

import "io"

// jsonld writes JSON-LD in flattened form: one node object a line in @graph,
// prefixes in an inline context, no context to be fetched. Each property has
// an array, also for one value: what follows is not known when it is opened.
type jsonld struct {
	sink
	// more tells that a node stands before the next one.
	more bool
}

// jsonldHead is the context and what opens the graph.
var jsonldHead = func() string {
	head, comma := `{"@context":{`, ""
	for _, p := range prefixes {
		head += comma + `"` + p[0] + `":"` + p[1] + `"`
		comma = ","
	}
	return head + "},\"@graph\":[\n"
}()

func (j *jsonld) reset(w io.Writer, base string) {
	j.sink.reset(w, base)
	j.more = false
}

func (j *jsonld) head() { j.out = append(j.out, jsonldHead...) }

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

func (j *jsonld) add(s iri, p *name, o object) {
	j.begin(s, p)
	j.object(&o)
}

func (j *jsonld) addEntry(s iri, p *name, id, fragment string) {
	j.begin(s, p)
	j.out = append(j.out, `{"@id":"`...)
	j.entry(id, fragment)
	j.out = append(j.out, `"}`...)
}

// begin writes what stands before a value.
func (j *jsonld) begin(s iri, p *name) {
	switch {
	case !j.inside(s):
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
	j.flushFull()
	j.s, j.p, j.open = s, p, true
}

func (j *jsonld) key(p *name) {
	j.out = append(j.out, '"')
	j.out = append(j.out, p.jsonld...)
	j.out = append(j.out, `":[`...)
}

func (j *jsonld) object(o *object) {
	switch {
	case j.p == rdfType:
		j.out = append(j.out, '"')
		j.out = append(j.out, o.value...)
		j.out = append(j.out, '"')
	case o.lang != "":
		j.value(o.value, `,"@language":"`, o.lang)
	case o.datatype == nil:
		j.out = append(j.out, `{"@id":"`...)
		j.iri(iri(o.value))
		j.out = append(j.out, `"}`...)
	case o.datatype == xsdString:
		j.escaped(o.value)
	default:
		j.value(o.value, `,"@type":"`, o.datatype.jsonld)
	}
}

// value writes a string with its language or its datatype.
func (j *jsonld) value(s, key, of string) {
	j.out = append(j.out, `{"@value":`...)
	j.escaped(s)
	j.out = append(j.out, key...)
	j.out = append(j.out, of...)
	j.out = append(j.out, `"}`...)
}
