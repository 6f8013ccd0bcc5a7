// Package hashindex finds the pages of a snapshot by their hashes: by that of
// their bytes and by that which their manifest names. A build writes the index
// beside the encoded snapshot, the service searches it on the disk.
//
// The file holds, in big-endian numbers: the magic word, the number of records
// and of blocks; the records, sorted, each the first 16 bytes of a hash and the
// number of a route, whose top bit tells the hash of a manifest; the offset of
// each block and of the end; and the blocks, each blockRoutes routes, one a
// line, compressed by Zstandard (RFC 8878). 16 bytes are enough: two of 2^22
// hashes share them once in 2^84 snapshots.
package hashindex

// File is the name of the index in the directory of an encoded snapshot.
const File = "hashes.idx"

const (
	magic       = "ASHX0001"
	headSize    = len(magic) + 8 + 8
	prefixSize  = 16
	recordSize  = prefixSize + 4
	manifestBit = 1 << 31
	blockRoutes = 1024
	// blockMax bounds a block, packed or not, in bytes.
	blockMax = 8 << 20
)
