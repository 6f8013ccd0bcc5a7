package buildtest

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// SameSibling tells whether a compressed sibling holds the bytes of the
// document beside it.
func SameSibling(path string) (bool, error) {
	packed, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	ext := filepath.Ext(path)
	document, err := os.ReadFile(strings.TrimSuffix(path, ext))
	if err != nil {
		return false, err
	}
	plain, err := unpack(packed, ext)
	return bytes.Equal(plain, document), err
}

func unpack(packed []byte, ext string) ([]byte, error) {
	switch ext {
	case ".gz":
		r, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(r)
	case ".zst":
		r, err := zstd.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return io.ReadAll(r)
	default:
		return io.ReadAll(brotli.NewReader(bytes.NewReader(packed)))
	}
}
