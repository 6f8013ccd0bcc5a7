package build

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sort"

	"github.com/cespare/xxhash/v2"

	"github.com/assay-register/assay/render/pack"
)

// basesFile lies in the hidden folder: what the groups of the present file were made from that
// show several entries, such as the pages of lists, so that the next build knows without
// making them which stay. In big-endian numbers:
//
//	the magic word, a line feed, the name of the records beside it, a line feed
//	the names of the streams that are quoted (JSON), with their length before them
//	how many groups there are
//	for each, by the hash of its key: that hash, the basis, its number, where its quotations end
//	the quotations: of each the number of the stream and of the document, and the offset
//	the hash of all before
//
// As with the records, all is made anew where it is missing or damaged.
const basesFile = "bases"

const (
	basesMagic = "assay bases 1\n"
	basisSize  = 8 + 8 + 4 + 4
)

// bases are those of the last build, if it left any, and those of this one.
type bases struct {
	// known are the groups of the last build, quoted their quotations.
	known, quoted []byte
	streams       []string
	next          []based
}

// based is a group and what it was made from.
type based struct {
	key, basis uint64
	number     int
	quoted     []quotation
}

// open reads those of the last build; what is not whole is as good as nothing.
func (b *bases) open(path, name string) error {
	all, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	n := len(all) - 8
	if n < 0 || xxhash.Sum64(all[:n]) != binary.BigEndian.Uint64(all[n:]) {
		return nil
	}
	head, p := basesMagic+name+"\n", thawing{}
	if p.rest = all[:n]; string(p.bytes(uint64(len(head)))) != head || json.Unmarshal(p.part(), &b.streams) != nil {
		return nil
	}
	known := p.bytes(p.number() * basisSize)
	if !p.short {
		b.known, b.quoted = known, p.rest
	}
	return nil
}

// find is the number of a group that was made from a basis, with its quotations; false for none.
func (b *bases) find(key string, basis uint64) (number int, quoted []quotation, ok bool) {
	n, sum := len(b.known)/basisSize, xxhash.Sum64String(key)
	of := func(i int) []byte { return b.known[i*basisSize:][:basisSize] }
	i := sort.Search(n, func(i int) bool { return binary.BigEndian.Uint64(of(i)) >= sum })
	if basis == 0 || i == n || binary.BigEndian.Uint64(of(i)) != sum || binary.BigEndian.Uint64(of(i)[8:]) != basis {
		return 0, nil, false
	}
	from := uint32(0)
	if i > 0 {
		from = binary.BigEndian.Uint32(of(i - 1)[20:])
	}
	p := thawing{rest: b.quoted[from:binary.BigEndian.Uint32(of(i)[20:])]}
	for len(p.rest) > 0 {
		quoted = append(quoted, quotation{b.streams[p.number()], int(p.number()), int(p.number())})
	}
	return int(binary.BigEndian.Uint32(of(i)[16:])), quoted, true
}

// write keeps those of this build for the next one.
func (b *bases) write(path, name string) error {
	slices.SortFunc(b.next, func(x, y based) int { return cmp.Compare(x.key, y.key) })
	var streams []string
	var known, quoted []byte
	for i := range b.next {
		g := &b.next[i]
		for _, q := range g.quoted {
			n := slices.Index(streams, q.stream)
			if n < 0 {
				n, streams = len(streams), append(streams, q.stream)
			}
			quoted = binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(quoted, uint64(n)), uint64(q.document)), uint64(q.offset))
		}
		known = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(known, g.key), g.basis)
		known = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(known, uint32(g.number)), uint32(len(quoted)))
	}
	names, err := json.Marshal(streams)
	if err != nil {
		return err
	}
	all := appendPart([]byte(basesMagic+name+"\n"), names)
	all = append(append(binary.AppendUvarint(all, uint64(len(b.next))), known...), quoted...)
	return os.WriteFile(path, binary.BigEndian.AppendUint64(all, xxhash.Sum64(all)), 0o644)
}

// held is a group of the present file that is what a build would make now.
type held struct {
	based
	documents []pack.Document
}

// held finds the group of a key that was made from a basis, nil for none.
func (r *run) held(key string, basis uint64) (*held, error) {
	number, quoted, ok := r.bases.find(key, basis)
	if !ok {
		return nil, nil
	}
	documents, err := r.file.before.Pack.In(number, key)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errRecords, err)
	}
	return &held{based{xxhash.Sum64String(key), basis, number, quoted}, documents}, nil
}

// keepHeld takes such a group as it is, of the entry at the ordinal if it quotes one.
func (r *run) keepHeld(h *held, ordinal int) later {
	rest := r.placing(h.quoted, ordinal, r.file.keepGroup(h.number, h.documents))
	return func() error {
		h.number = r.file.writer.Next()
		r.bases.next = append(r.bases.next, h.based)
		return rest.do()
	}
}

// based notes what a group was made from, once it is appended.
func (r *run) based(key string, basis uint64, quoted []quotation, rest later) later {
	if basis == 0 || rest == nil || r.mark == "" {
		return rest
	}
	return func() error {
		r.bases.next = append(r.bases.next, based{xxhash.Sum64String(key), basis, r.file.writer.Next(), quoted})
		return rest.do()
	}
}
