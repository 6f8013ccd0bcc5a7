package source

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
)

// Tree is an input of many files: a directory, or an archive of one.
type Tree struct {
	name   string
	limits Limits
	keep   func(string) bool
	files  fs.FS
	held   map[string][]byte
	size   int64
	bad    []Rejection
}

// Tree opens the input as a tree of the files that keep wants: those of Files
// if given, else those of the tar or zip archive that Open opens.
func (in *Input) Tree(ctx context.Context, keep func(name string) bool) (*Tree, error) {
	if in.Files == nil {
		return in.openArchive(ctx, keep)
	}
	return &Tree{name: in.Name, limits: in.Limits.OrDefault(), keep: keep, files: in.Files}, nil
}

// Problems lists what could not be read while the tree was opened.
func (t *Tree) Problems() []Rejection { return t.bad }

// Names lists the wanted files in byte order of their paths.
func (t *Tree) Names() ([]string, error) {
	if t.files == nil {
		return slices.Sorted(maps.Keys(t.held)), nil
	}
	var names []string
	err := fs.WalkDir(t.files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Type().IsRegular() && t.keep(name) {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", t.name, err)
	}
	slices.Sort(names)
	return names, nil
}

// Read returns the content of one file, or the rejection of a file that
// cannot be read.
func (t *Tree) Read(name string) ([]byte, *Rejection) {
	if t.files == nil {
		return t.held[name], nil
	}
	unreadable := func(err error) *Rejection {
		return &Rejection{Place: t.Place(name), Code: CodeUnreadable, Reason: err.Error(), Remedy: "make the file readable"}
	}
	f, err := t.files.Open(name)
	if err != nil {
		return nil, unreadable(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(t.limits.Record)+1))
	if err != nil {
		return nil, unreadable(err)
	}
	if len(data) > t.limits.Record {
		bad := t.tooLarge(name)
		return nil, &bad
	}
	return data, nil
}

// Place names a file of the tree for messages.
func (t *Tree) Place(name string) string { return t.name + "/" + name }

func (t *Tree) tooLarge(name string) Rejection {
	return Rejection{Place: t.Place(name), Code: CodeRecordTooLarge, Reason: "the file is longer than the limit", Remedy: "shorten the file"}
}
