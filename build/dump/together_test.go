package dump

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/export/exporttest"
	"github.com/assay-register/assay/render/wire"
)

// quoter takes down what is quoted, and holds it to the parts.
type quoter struct {
	bytes.Buffer
	parts  map[string][]byte
	quoted map[string]int
}

// Quote implements artifact.Quoter.
func (q *quoter) Quote(stream string, ordinal, from int, b []byte) error {
	if part := q.parts[stream]; ordinal != 0 || from+len(b) > len(part) || !bytes.Equal(part[from:][:len(b)], b) {
		return fmt.Errorf("%d bytes from %d are not those of %s", len(b), from, stream)
	}
	q.quoted[stream] += len(b)
	_, err := q.Write(b)
	return err
}

// rowGroups are the bytes of those of a file, and how many there are.
func rowGroups(t *testing.T, body []byte) (size, n int) {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(body), int64(len(body)))
	must(t, err)
	for _, g := range f.Metadata().RowGroups {
		size += int(g.TotalCompressedSize)
	}
	return size, len(f.RowGroups())
}

// TestTogetherQuotes: the table of all entries has the row groups of large parts as they lie there, and the rows of
// the others in one.
func TestTogetherQuotes(t *testing.T) {
	for _, quoted := range []int{1, 10, 14, 1000} {
		t.Run(fmt.Sprint(quoted), func(t *testing.T) {
			inParts(t, 100, 20, quoted)
			c := exporttest.Freeze(t, countries(exporttest.Many(200)))
			q := &quoter{parts: all(t, c), quoted: map[string]int{}}
			parts := partsOf(c)
			_, err := writeParts(t.Context(), c, t.TempDir(), parts, nil, func(f artifact.File) error { return f.Stream(&bytes.Buffer{}) })
			must(t, err)
			must(t, together(t.Context(), c, parts)(q))
			if !bytes.Equal(q.Bytes(), q.parts[RouteParquet]) {
				t.Error("the table differs when it is made again")
			}
			want, rest := 0, 0
			for i := range parts {
				size, n := rowGroups(t, q.parts[parts[i].route()])
				if len(parts[i].ordinals) < quoted {
					size, n, rest = 0, 0, 1
				}
				want += n
				if got := q.quoted[parts[i].route()]; got != size {
					t.Errorf("%s of %d rows is quoted in %d bytes, want %d", parts[i].route(), len(parts[i].ordinals), got, size)
				}
			}
			if _, n := rowGroups(t, q.Bytes()); n != want+rest {
				t.Errorf("%d row groups, want %d", n, want+rest)
			}
		})
	}
}

// TestHeldParts: parts that the site has already are read there, and the table is the same bytes.
func TestHeldParts(t *testing.T) {
	inParts(t, 100, 20, 10)
	c := exporttest.Freeze(t, countries(exporttest.Many(200)))
	first, before := all(t, c), map[string][]byte{}
	for route, body := range first {
		if strings.HasPrefix(route, wire.RouteParquetParts+"/") {
			before[route] = body
		}
	}
	again := after(t, c, before)
	for _, route := range slices.Sorted(maps.Keys(first)) {
		if !bytes.Equal(first[route], again[route]) {
			t.Errorf("%s differs where parts were held", route)
		}
	}
}

// TestOtherBytesAreNoQuote: what does not lie in the part is written as it is.
func TestOtherBytesAreNoQuote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "part")
	p := part{path: path}
	must(t, p.keep(func(w io.Writer) error {
		_, err := w.Write([]byte("PAR1 rows"))
		return err
	}))
	in, err := os.Open(path)
	must(t, err)
	defer in.Close()
	q := &quoter{parts: map[string][]byte{"/part": []byte("PAR1 rows")}, quoted: map[string]int{}}
	w := &quoting{w: q, runs: []run{{length: 4}, {"/part", in, 5, 2}, {"/part", in, 7, 2}}}
	for _, b := range []string{"PA", "R1roWS", "", " end"} {
		_, err := w.Write([]byte(b))
		must(t, err)
	}
	if q.String() != "PAR1roWS end" || q.quoted["/part"] != 2 {
		t.Errorf("%q, of which %d bytes are quoted", q.String(), q.quoted["/part"])
	}
}
