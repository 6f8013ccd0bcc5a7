package discovery

import (
	"bytes"

	"github.com/assay-register/assay/render/jsonx"
)

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		for j, v := range []any{m.key, m.value} {
			text, err := jsonx.Marshal(v)
			if err != nil {
				return nil, err
			}
			if j == 1 {
				b.WriteByte(':')
			}
			b.Write(text)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func ref(kind, name string) object { return object{{"$ref", "#/components/" + kind + "/" + name}} }
