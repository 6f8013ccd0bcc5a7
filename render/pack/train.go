package pack

import "github.com/assay-register/assay/render/artifact"

// Packed is what frames of a kind take in bytes with another dictionary, nil for the one
// that is part of the form.
func Packed(k Kind, other []byte, frames [][]byte) (total int) {
	if other == nil {
		other = dictionary(k)
	}
	e := newEncoder(k, other)
	var buf []byte
	for _, f := range frames {
		buf = e.EncodeAll(f, buf[:0])
		total += len(buf)
	}
	return total
}

// Samples are what the frames of a group would hold, and of its table what it has in
// common with others: what dictionaries are made from.
func Samples(key string, files []artifact.File) (map[Kind][][]byte, error) {
	g, frames, err := arrange(key, files)
	if err != nil {
		return nil, err
	}
	samples := map[Kind][][]byte{Table: {g.shape(g.short())}}
	for _, f := range frames {
		samples[f.kind] = append(samples[f.kind], f.raw)
	}
	return samples, nil
}
