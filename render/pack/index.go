package pack

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
)

const (
	// keySize are the bytes of a hash by which records are sorted.
	keySize = 8
	// bucketRecords is how many records a bucket has on average at most.
	bucketRecords = 64
	// tagSize are the bytes of a hash that a record in a bucket has, behind those that
	// chose the bucket: one record in a thousand is looked at in vain.
	tagSize = 2
	// bucketMax bounds a bucket in bytes.
	bucketMax = 1 << 20
	// bucketBits bounds the number of buckets.
	bucketBits = 32
	// collisionsMax bounds the records of one key: of equal documents in many groups the
	// first ones are found by their hash.
	collisionsMax = 64
	// offsetSize is the size of the offset of a bucket.
	offsetSize = 8
)

// Index is a list of places by hash: its buckets one after the other, then the offsets
// of the buckets and of their end. The first Bits bits of a hash choose the bucket, where
// the records lie in order: the tag, the number of the group and that of the document in
// its table, both as varints.
type Index struct {
	Span
	Records int `json:"records"`
	Bits    int `json:"bits"`
}

// groupKey stands for the number of a document in the record of a group's key.
const groupKey = 1<<16 - 1

func bucketsFor(records int) int {
	return bits.Len(uint(max(0, records-1) / bucketRecords))
}

// split gives the bucket of a key and its tag in it.
func split(key uint64, width int) (bucket uint64, tag uint16) {
	if width == 0 {
		return 0, uint16(key >> (64 - 8*tagSize))
	}
	return key >> (64 - width), uint16(key << width >> (64 - 8*tagSize))
}

// index writes the records of a list, which it empties.
func (w *Writer) index(list *records) Index {
	in := Index{Span: Span{Offset: w.at}, Bits: bucketsFor(list.count)}
	if in.Bits > bucketBits && w.err == nil {
		w.err = fmt.Errorf("an index of %d records, at most 2^%d buckets fit", list.count, bucketBits)
		return in
	}
	offsets := make([]byte, 0, (1<<in.Bits+1)*offsetSize)
	var buf []byte
	var last uint64
	run := 0
	err := list.each(func(r *record) error {
		key := binary.BigEndian.Uint64(r[:])
		if run++; key != last {
			run = 1
		}
		if last = key; run > collisionsMax {
			return nil
		}
		bucket, tag := split(key, in.Bits)
		for uint64(len(offsets)/offsetSize) <= bucket {
			offsets = binary.BigEndian.AppendUint64(offsets, uint64(w.at-in.Offset))
		}
		buf = binary.BigEndian.AppendUint16(buf[:0], tag)
		buf = binary.AppendUvarint(buf, uint64(binary.BigEndian.Uint32(r[keySize:])))
		buf = binary.AppendUvarint(buf, uint64(binary.BigEndian.Uint16(r[keySize+4:])))
		w.write(buf)
		in.Records++
		return w.err
	})
	if w.err == nil {
		w.err = err
	}
	for len(offsets) < cap(offsets) {
		offsets = binary.BigEndian.AppendUint64(offsets, uint64(w.at-in.Offset))
	}
	w.write(offsets)
	in.Length = w.at - in.Offset
	return in
}

// fits tells whether an index can be what it says.
func (in *Index) fits() bool {
	return in.Records >= 0 && in.Bits >= 0 && in.Bits <= bucketBits && in.Length >= in.offsets()
}

// offsets is the size of the offsets in bytes.
func (in *Index) offsets() int64 { return (1<<in.Bits + 1) * offsetSize }

// bucket reads the bucket of a hash: two reads, however large the index is.
func (x *Reader) bucket(in *Index, number uint64) ([]byte, error) {
	var b [2 * offsetSize]byte
	end := in.Length - in.offsets()
	from := in.Offset + end + int64(number)*offsetSize
	if err := x.readAt(b[:], from); err != nil {
		return nil, err
	}
	low, high := binary.BigEndian.Uint64(b[:]), binary.BigEndian.Uint64(b[offsetSize:])
	if low > high || high > uint64(end) || high-low > bucketMax {
		return nil, broken(from, "a bucket of an index lies outside of it")
	}
	bucket := make([]byte, high-low)
	return bucket, x.readAt(bucket, in.Offset+int64(low))
}

// records calls fn for the places that a hash may have until it says that it is done.
func (x *Reader) records(in *Index, sum [sha256.Size]byte, fn func(group, document int) (bool, error)) error {
	number, want := split(binary.BigEndian.Uint64(sum[:]), in.Bits)
	b, err := x.bucket(in, number)
	if err != nil {
		return err
	}
	for p := (&parser{rest: b}); len(p.rest) > 0; {
		tag := p.bytes(tagSize)
		group, document := p.number(1<<32-1), p.number(groupKey)
		if p.err != nil {
			return broken(in.Offset, fmt.Sprintf("bucket %d of the index is broken", number))
		}
		if got := binary.BigEndian.Uint16(tag); got < want {
			continue
		} else if got > want {
			return nil
		}
		if done, err := fn(int(group), int(document)); done || err != nil {
			return err
		}
	}
	return nil
}
