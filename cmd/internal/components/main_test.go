package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// What is checked in is what the components make.
func TestComponentsAgree(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	want, err := made(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if text == nil || err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s is not what templ makes: make templates", name)
		}
	}
}

// A file that differs is written, what no component makes goes, and a broken component
// is named.
func TestWrite(t *testing.T) {
	root := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, "templates", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(root, "templates"), 0o755); err != nil {
		t.Fatal(err)
	}
	if write(root) == nil {
		t.Error("a folder without components is taken")
	}
	put("a.templ", "package templates\n\ntempl A(x string) {\n<p>{ x }</p>\n}\n")
	put("gone_templ.go", "package templates\n")
	if err := write(root); err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(filepath.Join(root, "templates", "a_templ.go"))
	if err != nil || !bytes.Contains(code, []byte("func A(x string) templ.Component")) {
		t.Errorf("the Go of a component is %.200s: %v", code, err)
	}
	if text, _ := os.ReadFile(filepath.Join(root, "templates", "a.templ")); !bytes.Contains(text, []byte("\t<p>")) {
		t.Errorf("the component is not formatted: %s", text)
	}
	if _, err := os.Stat(filepath.Join(root, "templates", "gone_templ.go")); err == nil {
		t.Error("Go without a component stays")
	}
	put("b.templ", "package templates\n\ntempl B() {\n<p>\n}\n")
	if err := write(root); err == nil || !bytes.Contains([]byte(err.Error()), []byte("templates/b.templ")) {
		t.Errorf("a broken component gives %v", err)
	}
}
