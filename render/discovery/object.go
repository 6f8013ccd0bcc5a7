package discovery

import (
	"encoding/json"

	"github.com/assay-register/assay/render/jsonx"
)

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) { return o.append(nil) }

// append writes objects within objects into one slice: by MarshalJSON each level would read those below it again.
func (o object) append(b []byte) (_ []byte, err error) {
	b = append(b, '{')
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(jsonx.AppendText(b, m.key), ':')
		if b, err = appendValue(b, m.value); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func appendValue(b []byte, v any) (_ []byte, err error) {
	switch v := v.(type) {
	case json.RawMessage:
		return append(b, v...), nil
	case object:
		if v != nil {
			return v.append(b)
		}
	case []object:
		if v != nil {
			return appendObjects(b, v)
		}
	}
	return jsonx.Append(b, v)
}

func appendObjects(b []byte, list []object) (_ []byte, err error) {
	b = append(b, '[')
	for i, o := range list {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendValue(b, o); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func ref(kind, name string) object { return object{{"$ref", "#/components/" + kind + "/" + name}} }
