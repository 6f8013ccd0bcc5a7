package wire

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"

	"github.com/assay-register/assay/render/catalog"
)

// cursorVersion begins every cursor, so that another form can be told apart.
const cursorVersion = 1

// CursorPattern is the form of a cursor, for clients that check what they send.
const CursorPattern = "^[A-Za-z0-9_-]{8,24}$"

// Cursor is the opaque place in the change feed behind the event of a number,
// 0 for the beginning. It stays valid for ever.
func Cursor(number int64) string {
	b := binary.AppendUvarint([]byte{cursorVersion}, uint64(number))
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b)))
}

// ParseCursor reads a cursor; what Cursor did not write is a FieldError. The
// checksum tells a cut or mistyped cursor from a good one.
func ParseCursor(s string) (int64, error) {
	bad := &catalog.FieldError{Field: "cursor", Value: s, Remedy: "use next_cursor of an earlier answer as it is, or leave it out to begin at the first event"}
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) < 6 || b[0] != cursorVersion {
		return 0, bad
	}
	head, sum := b[:len(b)-4], binary.BigEndian.Uint32(b[len(b)-4:])
	n, size := binary.Uvarint(head[1:])
	if size != len(head)-1 || n > 1<<53 || crc32.ChecksumIEEE(head) != sum {
		return 0, bad
	}
	return int64(n), nil
}
