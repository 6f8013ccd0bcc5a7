package bucket

import (
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"iter"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"

	"github.com/assay-register/assay/build/publish/s3test"
)

// TestObjectStore: types, caching and coding arrive; what lies below another
// prefix is left alone.
func TestObjectStore(t *testing.T) {
	s := s3test.Start(t)
	s.Bucket(t, "site")
	ctx := t.Context()
	b := NewS3(s.Client, "site", "/a/")
	body := strings.NewReader("{}")
	want := Object{Type: "application/json; charset=utf-8", Cache: "public, no-cache", Size: 2}
	if err := b.Put(ctx, "x/y.json", body, want); err != nil {
		t.Fatal(err)
	}
	if err := b.Copy(ctx, "x/y.json", "z/y.json"); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a/x/y.json", "a/z/y.json"} {
		info, err := s.Client.StatObject(ctx, "site", key, minio.StatObjectOptions{})
		if err != nil || info.ContentType != want.Type || info.Metadata.Get("Cache-Control") != want.Cache || info.Metadata.Get("Content-Encoding") != "" {
			t.Errorf("%s: %+v, %v", key, info.Metadata, err)
		}
	}
	packed := gzipped(t, "plain text")
	if err := b.Put(ctx, "x/z.txt", strings.NewReader(packed), Object{Type: "text/plain", Encoding: "gzip", Size: int64(len(packed))}); err != nil {
		t.Fatal(err)
	}
	if info, err := s.Client.StatObject(ctx, "site", "a/x/z.txt", minio.StatObjectOptions{}); err != nil || info.Metadata.Get("Content-Encoding") != "gzip" {
		t.Errorf("a compressed object: %+v, %v", info.Metadata, err)
	}
	if f, err := b.Get(ctx, "x/z.txt"); err != nil {
		t.Error(err)
	} else if text, err := io.ReadAll(f); err != nil || string(text) != "plain text" || f.Close() != nil {
		t.Errorf("a compressed object reads %q, %v", text, err)
	}
	if err := b.Delete(ctx, "x/z.txt"); err != nil {
		t.Error(err)
	}
	if keys, err := listed(NewS3(s.Client, "site", "").List(ctx, "a/")); err != nil || len(keys) != 2 {
		t.Errorf("the bucket holds %v, %v", keys, err)
	}
	if keys, err := listed(b.List(ctx, "x/")); err != nil || len(keys) != 1 || keys[0] != (Listed{"x/y.json", 2}) {
		t.Errorf("the prefix holds %v, %v", keys, err)
	}
	if _, err := b.Get(ctx, "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing object: %v", err)
	}
	if err := b.Copy(ctx, "none", "other"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a copy of a missing object: %v", err)
	}
	if there, err := b.Exists(ctx, "none"); there || err != nil {
		t.Errorf("a missing object: %t, %v", there, err)
	}
	if err := errors.Join(b.Delete(ctx, "none"), b.Delete(ctx, "x/y.json")); err != nil {
		t.Error(err)
	}
	if err := NewS3(s.Client, "no-such-bucket", "").Put(ctx, "x", strings.NewReader(""), Object{}); err == nil || !strings.Contains(err.Error(), "bucket") {
		t.Errorf("a missing bucket: %v", err)
	}
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func listed(all iter.Seq2[Listed, error]) (list []Listed, err error) {
	for o, err := range all {
		if err != nil {
			return list, err
		}
		list = append(list, o)
	}
	return list, nil
}

// TestReplacedWhileRead reads an object that is replaced before its first byte was taken.
func TestReplacedWhileRead(t *testing.T) {
	s := s3test.Start(t)
	s.Bucket(t, "replaced")
	b := NewS3(s.Client, "replaced", "")
	for i, body := range []string{"the first", "the second"} {
		if err := b.Put(t.Context(), "present", strings.NewReader(body), Object{Type: "text/plain", Size: int64(len(body))}); err != nil {
			t.Fatal(err)
		}
		r, err := b.Get(t.Context(), "present")
		if err != nil {
			t.Fatal(err)
		}
		next := strings.Repeat("x", 20+i)
		if err := b.Put(t.Context(), "present", strings.NewReader(next), Object{Type: "text/plain", Size: int64(len(next))}); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err := errors.Join(err, r.Close()); err != nil || string(got) != body {
			t.Errorf("read %q (%v), want %q", got, err, body)
		}
	}
}
