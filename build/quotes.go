package build

import (
	"crypto/sha256"
	"slices"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/dcat"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/snapshot"
)

// quotes knows where in the file the fragments lie that documents of several entries quote,
// which have their bytes from there (pack.Sources): 10 bytes for a fragment.
type quotes map[string]*placed

// placed are the places of a stream's fragments, by the ordinals of the entries: one more
// than the number of the group, 0 for none, the document in it, and the offset in that.
type placed struct {
	groups, offsets []uint32
	documents       []uint16
}

// put takes the place of a fragment; the first one stays.
func (q quotes) put(stream string, ordinal, group, document, offset int) {
	p := q[stream]
	if p == nil {
		p = &placed{}
		q[stream] = p
	}
	for len(p.groups) <= ordinal {
		p.groups, p.offsets, p.documents = append(p.groups, 0), append(p.offsets, 0), append(p.documents, 0)
	}
	if p.groups[ordinal] == 0 {
		p.groups[ordinal], p.offsets[ordinal], p.documents[ordinal] = uint32(group+1), uint32(offset), uint16(document)
	}
}

// source implements pack.Sources.
func (q quotes) source(stream string, ordinal int) (pack.Source, bool) {
	if stream == streamRoutes {
		return pack.RoutesOf(ordinal), true
	}
	if stream == dcat.StreamRDFXML {
		s, ok := q.source(dcat.StreamJSONLD, ordinal)
		s.RDFXML = true
		return s, ok
	}
	p := q[stream]
	if p == nil || ordinal >= len(p.groups) || p.groups[ordinal] == 0 {
		return pack.Source{}, false
	}
	return pack.Source{Group: int(p.groups[ordinal]) - 1, Document: int(p.documents[ordinal]), Offset: int64(p.offsets[ordinal])}, true
}

// entry takes the places of what fragmentsOf put together; the document is the last of its group.
func (q quotes) entry(f *frozen, ordinal, group int) {
	document, at := f.documents, len(f.item)
	q.put(snapshot.StreamItems, ordinal, group, document, 0)
	for i := range f.pieces {
		if p := &f.pieces[i]; p.Quoted {
			q.put(p.Stream, ordinal, group, document, at)
			at += p.Size
		}
	}
}

// fragmentsOf is a document of no route that has what others quote of an entry. It lies among
// those of the entry, which say the same in other words.
func fragmentsOf(f *frozen, id string) artifact.File {
	size := len(f.item)
	for i := range f.fragments {
		if p := &f.fragments[i]; p.Quoted {
			size += len(p.Body)
		}
	}
	body := append(artifact.Buffer(size), f.item...)
	for i := range f.fragments {
		if p := &f.fragments[i]; p.Quoted {
			body = append(body, p.Body...)
		}
	}
	return artifact.File{Route: snapshot.PartRoute("fragments/" + id), Type: artifact.JSON, Class: artifact.ClassEntryPart, Body: body, Pooled: true,
		Sums: &artifact.Sums{Body: sha256.Sum256(body)}}
}

// quotation is where the fragment of an entry in a stream lies in a document of a group.
type quotation struct {
	stream           string
	document, offset int
}

// quotedIn are those of the entry at the ordinal, the first of each stream.
func quotedIn(files []artifact.File, ordinal int) (list []quotation) {
	for i := range files {
		for _, q := range files[i].Quotes {
			if q.Ordinal == ordinal && !slices.ContainsFunc(list, func(x quotation) bool { return x.stream == q.Stream }) {
				list = append(list, quotation{q.Stream, i, q.At - q.From})
			}
		}
	}
	return list
}

// placing notes where the fragments of an entry lie that documents of a group quote, once it is
// appended.
func (r *run) placing(list []quotation, ordinal int, rest later) later {
	if len(list) == 0 {
		return rest
	}
	return func() error {
		group := r.file.writer.Next()
		for _, q := range list {
			r.file.quotes.put(q.stream, ordinal, group, q.document, q.offset)
		}
		return rest.do()
	}
}
