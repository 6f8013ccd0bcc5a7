package pack

import (
	"github.com/klauspost/compress/zstd"

	"github.com/assay-register/assay/render/artifact"
)

// Packed is what frames of a kind take in bytes with another dictionary, nil for the one
// that is part of the form.
func Packed(k Kind, dictionary []byte, frames [][]byte) (total int, err error) {
	e := encoders()[k]
	if dictionary != nil {
		if e, err = newEncoder(k, zstd.WithEncoderDictRaw(uint32(k), dictionary)); err != nil {
			return 0, err
		}
		defer e.Close()
	}
	var buf []byte
	for _, f := range frames {
		buf = e.EncodeAll(f, buf[:0])
		total += len(buf)
	}
	return total, nil
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
