package format

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// pageLimit and groupLimit bound what pages unpack to, in bytes; valueLimit
// what a page claims to hold, since a run of equal values takes no room.
const (
	pageLimit  = 16 << 20
	groupLimit = 128 << 20
	valueLimit = 4 << 20
)

var errPages = errors.New("its pages are broken, or unpack to more than is read")

// checkPages walks the pages of a row group before the library unpacks them,
// so that a small file cannot claim all memory.
func checkPages(columns []format.ColumnChunk, data []byte) error {
	sum := int64(0)
	for i := range columns {
		m := &columns[i].MetaData
		at := m.DataPageOffset
		if m.DictionaryPageOffset > 0 && m.DictionaryPageOffset < at {
			at = m.DictionaryPageOffset
		}
		end := at + m.TotalCompressedSize
		if at < 4 || m.TotalCompressedSize < 0 || end < at || end > int64(len(data)) || m.NumValues > 64*valueLimit {
			return errPages
		}
		for at < end {
			n, size, err := checkPage(data[at:end], m.Codec)
			if sum += size; err != nil || sum > groupLimit {
				return errPages
			}
			at += n
		}
	}
	return nil
}

// checkPage returns the length of the page with its header, and what it
// unpacks to.
func checkPage(data []byte, codec format.CompressionCodec) (length, size int64, err error) {
	r := bytes.NewReader(data)
	var h format.PageHeader
	if err := thrift.NewDecoder(new(thrift.CompactProtocol).NewReader(r)).Decode(&h); err != nil {
		return 0, 0, errPages
	}
	from := int64(len(data) - r.Len())
	if h.CompressedPageSize < 0 || h.UncompressedPageSize < 0 || h.UncompressedPageSize > pageLimit || from+int64(h.CompressedPageSize) > int64(len(data)) || from == 0 {
		return 0, 0, errPages
	}
	if values(&h) > valueLimit {
		return 0, 0, errPages
	}
	body := data[from : from+int64(h.CompressedPageSize)]
	if v2, ok := h.DataPageHeaderV2.Get(); ok {
		levels := int64(v2.RepetitionLevelsByteLength) + int64(v2.DefinitionLevelsByteLength)
		if v2.RepetitionLevelsByteLength < 0 || v2.DefinitionLevelsByteLength < 0 || levels > int64(len(body)) {
			return 0, 0, errPages
		}
		body = body[levels:]
	}
	if !fits(body, codec) {
		return 0, 0, errPages
	}
	return from + int64(h.CompressedPageSize), int64(h.UncompressedPageSize), nil
}

func values(h *format.PageHeader) int64 {
	most := int64(0)
	if p, ok := h.DataPageHeader.Get(); ok {
		most = int64(p.NumValues)
	}
	if p, ok := h.DataPageHeaderV2.Get(); ok {
		most = max(most, int64(p.NumValues), int64(p.NumRows))
	}
	if p, ok := h.DictionaryPageHeader.Get(); ok {
		most = max(most, int64(p.NumValues))
	}
	if most < 0 {
		return valueLimit + 1
	}
	return most
}

// fits unpacks with a bound, which the library does not have.
func fits(body []byte, codec format.CompressionCodec) bool {
	if len(body) == 0 || codec == format.Uncompressed {
		return true
	}
	var r io.Reader
	switch codec {
	case format.Snappy:
		n, w := binary.Uvarint(body)
		return w > 0 && n <= pageLimit
	case format.Lz4Raw:
		// The format cannot grow by more than this factor.
		return int64(len(body))*255 <= 4*pageLimit
	case format.Gzip:
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return false
		}
		r = z
	case format.Zstd:
		z, err := zstd.NewReader(bytes.NewReader(body), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(2*pageLimit))
		if err != nil {
			return false
		}
		defer z.Close()
		r = z
	case format.Brotli:
		r = brotli.NewReader(bytes.NewReader(body))
	default:
		return false
	}
	n, err := io.Copy(io.Discard, io.LimitReader(r, pageLimit+1))
	return err == nil && n <= pageLimit
}
