package wire

import (
	"bytes"
	"encoding/json"

	"github.com/assay-register/assay/render/jsonx"
)

// ordered is an object whose members keep their order.
type ordered[T any] struct {
	keys   []string
	values []T
}

// MarshalJSON writes the members in order.
func (o ordered[T]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range o.keys {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := jsonx.Marshal(k)
		if err != nil {
			return nil, err
		}
		value, err := jsonx.Marshal(o.values[i])
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

var _ json.Marshaler = ordered[int]{}
