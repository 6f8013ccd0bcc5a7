package rdf

// names keeps one copy of the IRIs that a document repeats, the vocabulary
// above all. It forgets an older one when a newer takes its place.
type names [2048]string

// of is b as a string.
func (t *names) of(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	h := uint32(2166136261) ^ uint32(len(b))
	// The ends of an IRI tell it from others of the document.
	for i := max(0, len(b)-24); i < len(b); i++ {
		h = (h ^ uint32(b[i])) * 16777619
	}
	slot := &t[h%uint32(len(t))]
	if *slot != string(b) {
		*slot = string(b)
	}
	return *slot
}
