package main

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"modernc.org/sqlite/vfs"
)

// remote is a file that is read over HTTP in parts, as browsers and databases
// read large files of others.
type remote struct {
	address string
	tag     string
	size    int64
	asked   int
}

// openRemote learns the size of a file as its readers do.
func openRemote(t *testing.T, address string) *remote {
	t.Helper()
	resp, err := http.Head(address)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Accept-Ranges") != "bytes" || resp.ContentLength <= 0 {
		t.Fatalf("%s: %s %v", address, resp.Status, resp.Header)
	}
	return &remote{address: address, tag: resp.Header.Get("Etag"), size: resp.ContentLength}
}

// ReadAt implements io.ReaderAt.
func (f *remote) ReadAt(p []byte, off int64) (int, error) {
	if off >= f.size {
		return 0, io.EOF
	}
	r, err := http.NewRequest(http.MethodGet, f.address, nil)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", off, off+int64(len(p))-1))
	r.Header.Set("If-Range", f.tag)
	r.Header.Set("Accept-Encoding", "gzip, br") // what a browser sends of itself
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusPartialContent {
		return 0, errors.New(resp.Status)
	}
	f.asked++
	n, err := io.ReadFull(resp.Body, p[:min(int64(len(p)), f.size-off)])
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

// Open implements fs.FS.
func (f *remote) Open(string) (fs.File, error) {
	return &remoteFile{io.NewSectionReader(f, 0, f.size), f}, nil
}

type remoteFile struct {
	*io.SectionReader
	of *remote
}

func (f *remoteFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *remoteFile) Close() error               { return nil }
func (f *remoteFile) Name() string               { return "entries" }
func (f *remoteFile) Size() int64                { return f.of.size }
func (f *remoteFile) Mode() fs.FileMode          { return 0o444 }
func (f *remoteFile) ModTime() time.Time         { return time.Time{} }
func (f *remoteFile) IsDir() bool                { return false }
func (f *remoteFile) Sys() any                   { return nil }

// remoteReaders read the exports where they lie, in parts: a table of SQLite
// and one of Parquet have the rows of the lines.
func remoteReaders(t *testing.T, base string) {
	_, lines := fetch(t, base+"/api/v1/export/entries.ndjson")
	want := bytes.Count(lines, []byte("\n"))
	table := openRemote(t, base+"/api/v1/export/entries.parquet")
	if f, err := parquet.OpenFile(table, table.size); err != nil || f.NumRows() != int64(want) {
		t.Errorf("parquet: %v", err)
	}
	database := openRemote(t, base+"/api/v1/export/entries.sqlite")
	name, files, err := vfs.New(database)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	db, err := sql.Open("sqlite", "file:entries?mode=ro&immutable=1&vfs="+name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var got int
	var sound string
	if err := errors.Join(db.QueryRow("SELECT count(*) FROM entries").Scan(&got), db.QueryRow("PRAGMA integrity_check").Scan(&sound)); err != nil || got != want || !strings.EqualFold(sound, "ok") {
		t.Errorf("sqlite: %d rows of %d, %q: %v", got, want, sound, err)
	}
	if table.asked < 2 || database.asked < 2 {
		t.Errorf("the files were read in %d and %d parts", table.asked, database.asked)
	}
}
