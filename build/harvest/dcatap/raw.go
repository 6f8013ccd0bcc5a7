package dcatap

import (
	"encoding/json"

	"github.com/assay-register/assay/build/rdf"
)

// said is a value of a property.
type said struct {
	ID    string `json:"@id,omitempty"`
	Value string `json:"@value,omitempty"`
	Lang  string `json:"@language,omitempty"`
}

// raw is what the register read of a record: its own statements by the path of their
// property, each list in the order of language and value, as JSON. A document of RDF has no
// bytes that are one record.
func (n *node) raw() []byte {
	all := map[string]any{"@id": n.id()}
	for _, s := range n.statements {
		path := paths[s.prop]
		if path == "" {
			continue
		}
		v := said{Value: s.value, Lang: s.lang}
		if s.kind != rdf.Literal {
			v = said{ID: s.value}
		}
		list, _ := all[path].([]said)
		if len(list) < valuesMax {
			all[path] = append(list, v)
		}
	}
	b, err := json.Marshal(all)
	if err != nil {
		return nil // texts that are no UTF-8 are replaced, so there is no such error
	}
	return b
}
