package pack

import (
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A file of the form before is read where it has what is nowhere else: the event stream, which a
// build takes over from the file before. Such documents are compressed without a dictionary, so
// that of its tables is all that is kept of that form, in dictionaries/before. Whoever changes the form
// puts the present one there, and leaves the numbers of the kinds, of which a table tells, as they are.

// formerMagic is the magic word of that form.
const formerMagic = "ASPACK08"

// formerTables reads the tables of that form.
var formerTables = sync.OnceValue(func() *zstd.Decoder {
	return decoderOf(tableMax, map[Kind][]byte{Table: embedded("dictionaries/before/table.dict")})
})

// OpenFormer opens a file of the form before, of which documents without a dictionary can be read: what is neither
// JSON of an entry nor a page. Its groups cannot be kept.
func OpenFormer(r io.ReaderAt, size int64) (*Reader, error) {
	return openAs(formerMagic, r, size)
}

// unseal reads a table of the file.
func (x *Reader) unseal(packed []byte, span int64) (*Group, error) {
	if x.former {
		return unseal(formerTables(), packed, span)
	}
	return unseal(tables(), packed, span)
}

// foreign says that a frame cannot be read, nil where it can.
func (x *Reader) foreign(k Kind) error {
	if x.former && k != Stored && k != Plain {
		return fmt.Errorf("a frame with a dictionary of another version")
	}
	return nil
}
