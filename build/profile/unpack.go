package profile

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// unpack opens gzip, and a ZIP archive that holds one file, as data portals
// publish large tables. At most MaxBytes are unpacked.
func (s *sampled) unpack() {
	switch {
	case bytes.HasPrefix(s.raw, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(bytes.NewReader(s.raw))
		if err != nil {
			s.fault = errors.New("the gzip file has a broken header")
			return
		}
		s.take(z)
	case bytes.HasPrefix(s.raw, []byte("PK\x03\x04")) && !s.truncated:
		if f := only(s.raw); f != nil {
			r, err := f.Open()
			if err != nil {
				s.fault = errors.New("the file in the ZIP archive cannot be opened; it may be encrypted")
				return
			}
			s.take(r)
			if s.hint.Name == "" {
				s.hint.Name = f.Name
			}
		}
	}
}

// only is the single file of an archive, beside folders and the remarks that
// macOS adds.
func only(data []byte) *zip.File {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil
	}
	var found *zip.File
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") || strings.HasPrefix(f.Name, "__MACOSX") {
			continue
		}
		if found != nil {
			return nil
		}
		found = f
	}
	return found
}

// take reads what r gives; the end of a cut sample is no fault.
func (s *sampled) take(r io.Reader) {
	out, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil && !s.truncated {
		s.fault = errors.New("the compressed data are broken; check the download")
		return
	}
	s.packed = true
	if len(out) > MaxBytes {
		out, s.truncated = out[:MaxBytes], true
	}
	s.data = out
}
