package output

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// TestStoredForms: each compressed form of a document of a snapshot file holds its bytes,
// and zstd is taken as it lies there, where it needs no dictionary.
func TestStoredForms(t *testing.T) {
	lone := strings.Repeat("a line of a long document\n", 90_000)
	paired := strings.Repeat("<p>a page</p>\n", 7_000)
	const id = "20261121-000000000001"
	path := filepath.Join(t.TempDir(), snapshot.FileOf(id))
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := pack.NewWriter(out)
	var b bytes.Buffer
	streamed, err := w.Compressor().Stream(&b, "document /lone", &artifact.File{Route: "/lone.txt", Type: artifact.Text, Class: artifact.ClassCatalog, Stream: func(w io.Writer) error {
		_, err := io.WriteString(w, lone)
		return err
	}})
	if err == nil {
		err = w.AppendStreamed(streamed, &b)
	}
	if err != nil {
		t.Fatal(err)
	}
	g, err := w.Compressor().Compress("pages", []artifact.File{{Route: "/paired", Alias: "/other", Type: "text/html; charset=utf-8", Class: "page", Body: []byte(paired)}})
	if err == nil {
		err = w.Append(g)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Close(); err != nil || out.Close() != nil {
		t.Fatal(err)
	}
	s, err := OpenSnapshot(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := map[string]string{"/lone.txt": lone, "/paired": paired, "/other": paired}
	seen := 0
	err = s.Each(t.Context(), func(l *wire.RouteLine) error {
		seen++
		forms := Forms(l.Type, int64(l.Bytes))
		if len(forms) != 3 || l.Bytes != len(want[l.Route]) || (l.SameAs != "") != (l.Route == "/other") {
			t.Errorf("%+v has the forms %v", l, forms)
		}
		for _, form := range append(forms, Form{}) {
			if err := sameStored(s, l, &form, want[l.Route]); err != nil {
				t.Errorf("%s%s: %v", l.Route, form.Ext, err)
			}
		}
		return nil
	})
	if err != nil || seen != 3 {
		t.Errorf("%d routes, %v", seen, err)
	}
	lies, err := s.ready("/lone.txt", zstdExt)
	if err != nil || lies == nil {
		t.Errorf("the long document does not lie there in zstd: %v", err)
	}
}

// sameStored tells how what is stored differs from the document.
func sameStored(s *SnapshotFile, l *wire.RouteLine, form *Form, want string) error {
	if form.Ext == "" {
		form = nil
	}
	in, err := s.Stored(l, form)
	if err != nil {
		return err
	}
	defer in.Close()
	b, err := io.ReadAll(in)
	if err != nil || int64(len(b)) != in.Size {
		return fmt.Errorf("%d bytes, %d were told: %w", len(b), in.Size, err)
	}
	dir, err := os.MkdirTemp("", "assay-forms-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	document := filepath.Join(dir, "document")
	if form == nil {
		if string(b) != want {
			return fmt.Errorf("%d bytes are others", len(b))
		}
		return nil
	}
	if err := os.WriteFile(document, []byte(want), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(document+form.Ext, b, 0o600); err != nil {
		return err
	}
	if !SameSibling(document, document+form.Ext, form.Ext) {
		return fmt.Errorf("%d bytes of %s hold something else", len(b), form.Coding)
	}
	return nil
}
