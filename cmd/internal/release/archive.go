package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// entry is a file of an archive, or a folder where the name ends in a slash.
type entry struct {
	// name is the path in the archive, without a leading slash.
	name string
	mode int64
	// owner is both user and group.
	owner int
	body  []byte
}

// folder are the files below a directory, under another name, without hidden
// ones.
func folder(dir, as string) ([]entry, error) {
	var list []entry
	err := filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		body, err := os.ReadFile(at)
		rel, relErr := filepath.Rel(dir, at)
		list = append(list, entry{name: path.Join(filepath.ToSlash(as), filepath.ToSlash(rel)), mode: 0o644, body: body})
		return errors.Join(err, relErr)
	})
	return list, err
}

// tarred is an archive of the files, sorted, all of one time.
func tarred(files []entry, at time.Time) ([]byte, error) {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range files {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: e.name, Mode: e.mode, Uid: e.owner, Gid: e.owner, Size: int64(len(e.body)), ModTime: at, Format: tar.FormatUSTAR}
		if strings.HasSuffix(e.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.body); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

func zipped(body []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(body)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}

// packed is tarred, compressed.
func packed(files []entry, at time.Time) ([]byte, error) {
	body, err := tarred(files, at)
	if err != nil {
		return nil, err
	}
	return zipped(body)
}
