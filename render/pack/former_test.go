package pack

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
)

// A file of the form before gives what it has without a dictionary, and nothing of it is copied as it lies.
func TestFormerForm(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/former.snapshot")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(bytes.NewReader(b), int64(len(b))); !errors.Is(err, ErrForm) {
		t.Errorf("a file of the form before is opened as one of this form: %v", err)
	}
	x, err := OpenFormer(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	fragments := 0
	err = x.Each(func(f *Found) error {
		if strings.HasSuffix(f.Document.Route, ".trig") {
			fragments++
		}
		return x.Verify(&bytes.Buffer{}, f)
	})
	if err != nil || fragments != 2 {
		t.Errorf("%d fragments of the event stream, %v", fragments, err)
	}
	w := NewWriter(&bytes.Buffer{})
	if err := w.Keep(x, 0); err == nil {
		t.Error("a group of the form before is copied into a file of this one")
	}
	now := plain(t, groups(t, 2))
	if _, err := OpenFormer(bytes.NewReader(now), int64(len(now))); !errors.Is(err, ErrForm) {
		t.Errorf("a file of this form is opened as one of the form before: %v", err)
	}
	copy(now, formerMagic)
	copy(now[len(now)-len(formerMagic):], formerMagic)
	x, err = OpenFormer(bytes.NewReader(now), int64(len(now)))
	if err != nil {
		t.Fatal(err)
	}
	x.former = true
	if _, err := x.frame(frame{Page, 1, 1}, 8); !errors.Is(err, ErrForm) {
		t.Errorf("a frame with a dictionary of the form before: %v", err)
	}
}

// A file without copies of RDF/XML, as the release before wrote it, is read and copied as one of this form; a program of
// that release does not take one of this form for its own.
func TestLesserForm(t *testing.T) {
	t.Parallel()
	now := plain(t, groups(t, 2))
	lesser := bytes.Clone(now)
	copy(lesser, lesserMagic)
	copy(lesser[len(lesser)-len(lesserMagic):], lesserMagic)
	x, err := Open(bytes.NewReader(lesser), int64(len(lesser)))
	if err != nil {
		t.Fatal(err)
	}
	var copied bytes.Buffer
	w := NewWriter(&copied)
	for i := range x.Directory.Groups {
		if err := w.Keep(x, i); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil || !bytes.Equal(copied.Bytes(), now) {
		t.Errorf("%d bytes of %d are copied, %v", copied.Len(), len(now), err)
	}
	copy(lesser, magic)
	if _, err := Open(bytes.NewReader(lesser), int64(len(lesser))); !errors.Is(err, ErrForm) {
		t.Errorf("a file with two magic words is opened: %v", err)
	}
}
