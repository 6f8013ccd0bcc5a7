package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// captured reads files.
func (f *Feed) captured(ctx context.Context, in *Input, reject func(Rejection) error) error {
	keep := f.Keep
	if keep == nil {
		keep = JSONFile
	}
	switch {
	case in.Open != nil && archiveName(in.Name):
		return f.archive(ctx, in, keep, reject)
	case in.Open != nil:
		r, err := in.Open(ctx)
		if err != nil {
			return fmt.Errorf("open %s: %w", in.Name, err)
		}
		defer r.Close()
		return f.document(ctx, in, r, in.Name, in.PageURL(), reject)
	case in.Files == nil:
		return fmt.Errorf("open %s: the input is neither a file nor a directory nor a live source", in.Name)
	}
	tree, err := in.Tree(ctx, keep)
	if err != nil {
		return err
	}
	names, err := tree.Names()
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := f.file(ctx, in, name, reject); err != nil {
			return err
		}
	}
	return nil
}

// archiveName tells by its name that an input is a tar or zip archive.
func archiveName(name string) bool {
	name = strings.ToLower(name)
	for _, ext := range []string{".zip", ".tar", ".tar.gz", ".tgz"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}

// archive reads the files of an archive, which are held in memory.
func (f *Feed) archive(ctx context.Context, in *Input, keep func(string) bool, reject func(Rejection) error) error {
	tree, err := in.Tree(ctx, keep)
	if err != nil {
		return err
	}
	for _, bad := range tree.Problems() {
		if err := reject(bad); err != nil {
			return err
		}
	}
	names, err := tree.Names()
	if err != nil {
		return err
	}
	for _, name := range names {
		data, bad := tree.Read(name)
		if bad != nil {
			err = reject(*bad)
		} else {
			err = f.document(ctx, in, bytes.NewReader(data), tree.Place(name), in.PageURL(), reject)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *Feed) file(ctx context.Context, in *Input, name string, reject func(Rejection) error) error {
	place := path.Join(in.Name, name)
	r, err := in.Files.Open(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return reject(Rejection{Place: place, Code: CodeUnreadable, Reason: err.Error(), Remedy: "make the file readable"})
	}
	if err != nil {
		return fmt.Errorf("open %s: %w", place, err)
	}
	defer r.Close()
	return f.document(ctx, in, r, place, in.PageURL(), reject)
}

func (f *Feed) document(ctx context.Context, in *Input, r io.Reader, name, seed string, reject func(Rejection) error) error {
	s, err := NewStream(r, name, in.Limits)
	if err != nil {
		return err
	}
	j, err := NewJSON(s, f.Paths...)
	if err != nil {
		return err
	}
	n := 0
	err = j.each(ctx, reject, func(it Item) error { n++; return f.one(in, j, it, seed) }, func() { n++ })
	if err != nil || n > 0 || j.Lists() > 0 || j.Problem() != nil {
		return err
	}
	return reject(Rejection{Place: name, Code: CodeNoRecords, Reason: "the input is empty",
		Remedy: "give an answer of the source, or JSON lines of its records"})
}

// JSONFile tells by its name that a file holds JSON: .json, .jsonl or .ndjson,
// each perhaps with .gz and, after an at sign, which capture it is.
func JSONFile(name string) bool {
	base, _, _ := strings.Cut(strings.ToLower(path.Base(name)), "@")
	base = strings.TrimSuffix(base, ".gz")
	return !strings.HasPrefix(base, ".") && (strings.HasSuffix(base, ".json") || strings.HasSuffix(base, ".jsonl") || strings.HasSuffix(base, ".ndjson"))
}
