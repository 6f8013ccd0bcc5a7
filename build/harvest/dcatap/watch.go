package dcatap

import "github.com/assay-register/assay/build/rdf"

// Watch sees documents as a run reads them, for those who judge how a catalogue
// is written and not only what it says.
type Watch struct {
	// Statement is told of every statement, in the order of the document.
	Statement func(document string, t *rdf.Triple) error
	// Node is told of every subject with what the mapping reads of it, after the
	// last statement of the document.
	Node func(document string, n Described) error
	// Record is told of every record, and of the distributions of it that the document
	// describes, before its draft or rejection is handed on.
	Record func(n Described, files []Described)
}

// Described is a subject and the values of its properties.
type Described struct {
	// Subject is an IRI or a blank node.
	Subject rdf.Term
	// Values are those of a property as DCAT-AP writes it, "dct:modified"; the
	// classes are those of "rdf:type". Datatypes are not kept.
	Values map[string][]rdf.Term
}

// Class tells that the subject is one of a class of DCAT, such as "Dataset".
func (d *Described) Class(name string) bool {
	for _, c := range d.Values["rdf:type"] {
		if c.Value == dcat+name {
			return true
		}
	}
	return false
}

func (w *Watch) statement(document string, t *rdf.Triple) error {
	if w == nil || w.Statement == nil {
		return nil
	}
	return w.Statement(document, t)
}

// nodes tells of all subjects.
func (w *Watch) nodes(d *document) error {
	if w == nil || w.Node == nil {
		return nil
	}
	return d.each(func(prop, []byte) bool { return true }, func(n *node) error {
		return w.Node(d.name, describe(n))
	})
}

// record tells of a record that was mapped, or refused.
func (w *Watch) record(d *document, n *node) error {
	if w == nil || w.Record == nil {
		return nil
	}
	var files []Described
	for _, s := range n.all(propDistribution) {
		f, err := d.node(s.key())
		if err != nil {
			return err
		}
		if f != nil {
			files = append(files, describe(f))
		}
	}
	w.Record(describe(n), files)
	return nil
}

func describe(n *node) Described {
	out := Described{Subject: rdf.Term{Kind: rdf.Blank, Value: n.id()}, Values: map[string][]rdf.Term{}}
	if n.isIRI() {
		out.Subject.Kind = rdf.IRI
	}
	for i := range n.statements {
		s := &n.statements[i]
		if name := watched[s.prop]; name != "" && len(out.Values[name]) < valuesMax {
			out.Values[name] = append(out.Values[name], rdf.Term{Kind: s.kind, Value: s.value, Lang: s.lang})
		}
	}
	return out
}

// watched names the properties that watchers see.
var watched = func() map[prop]string {
	out := map[prop]string{propType: "rdf:type", propDownloadURL: "dcat:downloadURL", propAccessService: "dcat:accessService"}
	for p, name := range paths {
		out[p] = name
	}
	return out
}()
