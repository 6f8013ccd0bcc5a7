package format

import (
	"archive/zip"
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Detect tells the kind of data by its bytes first; media type and name of the
// file decide only between kinds that bytes cannot tell apart. The error wraps
// ErrUnsupported and names what was found instead.
func Detect(data []byte, mediaType, name string) (string, error) {
	if kind, err := magic(data); kind != "" || err != nil {
		return kind, err
	}
	text, _ := decode(data[:min(len(data), 64<<10)], &Options{Truncated: true})
	text = bytes.TrimLeft(text, " \t\r\n\x1e")
	if len(text) == 0 {
		return "", fmt.Errorf("%w: the file is empty", ErrUnsupported)
	}
	switch text[0] {
	case '<':
		return markup(text)
	case '{', '[':
		if kind := braces(text); kind != "" {
			return kind, nil
		}
	}
	if openAPIText.Match(text) {
		return OpenAPI, nil
	}
	return plain(text, said(mediaType, name))
}

func magic(data []byte) (string, error) {
	for _, m := range []struct{ start, what string }{
		{"\xd0\xcf\x11\xe0", "an old Excel (.xls) or Word file; publish .xlsx or CSV"},
		{"%PDF", "a PDF document"}, {"SQLite format 3\x00", "an SQLite database"}, {"\x1f\x8b", "a gzip file within a gzip file"},
		{"7z\xbc\xaf\x27\x1c", "a 7z archive"}, {"Rar!", "a RAR archive"}, {"\x89PNG", "an image"}, {"\xff\xd8\xff", "an image"},
		{"GIF8", "an image"}, {"II*\x00", "a TIFF image"}, {"MM\x00*", "a TIFF image"}, {"\x00\x00\x27\x0a", "a shapefile without its table"},
		{"BZh", "a bzip2 file"}, {"\xfd7zXZ\x00", "an xz file"}, {"\x28\xb5\x2f\xfd", "a zstd file"}, {"\x89HDF", "an HDF5 file"}, {"CDF", "a NetCDF file"}} {
		if strings.HasPrefix(string(data[:min(len(data), 16)]), m.start) {
			return "", fmt.Errorf("%w: %s", ErrUnsupported, m.what)
		}
	}
	switch {
	case bytes.HasPrefix(data, []byte("PAR1")):
		return Parquet, nil
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return archive(data)
	case isTar(data):
		return "", fmt.Errorf("%w: a tar archive; publish the files in it one by one", ErrUnsupported)
	}
	return "", nil
}

// tarMagic is where the header of an archive's first file says that it is one
// (POSIX.1-2017, pax, ustar interchange format).
const tarMagic = 257

func isTar(data []byte) bool {
	return len(data) > tarMagic && bytes.HasPrefix(data[tarMagic:], []byte("ustar"))
}

// archive tells a workbook from other ZIP files. A cut archive has lost its
// directory, which stands at its end.
func archive(data []byte) (string, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		if bytes.Contains(data[:min(len(data), 4096)], []byte("[Content_Types].xml")) || bytes.Contains(data[:min(len(data), 4096)], []byte("xl/")) {
			return XLSX, nil
		}
		return "", fmt.Errorf("%w: a ZIP archive that is cut or broken", ErrUnsupported)
	}
	for _, f := range z.File {
		switch {
		case f.Name == "xl/workbook.xml":
			return XLSX, nil
		case f.Name == "content.xml":
			return "", fmt.Errorf("%w: an OpenDocument file; publish .xlsx or CSV", ErrUnsupported)
		}
	}
	return "", fmt.Errorf("%w: a ZIP archive of %d files; publish the table itself", ErrUnsupported, len(z.File))
}

var (
	openAPIKey  = regexp.MustCompile(`"(?:openapi|swagger)"\s*:\s*"[23]\.`)
	openAPIText = regexp.MustCompile(`(?m)\A(?:\s*#.*\n|\s*---\s*\n|\s*\n|[a-z-]+:.*\n|[ \t].*\n){0,60}["']?(?:openapi|swagger)["']?:\s*["']?[23]\.`)
	xmlStart    = regexp.MustCompile(`^<(?:\?xml|!--|(?i:!DOCTYPE)|[\pL_][\pL\pN_.-]*(?::[\pL_][\pL\pN_.-]*)?[\s/>])`)
	htmlStart   = regexp.MustCompile(`(?i)^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b`)
)

func markup(text []byte) (string, error) {
	if !xmlStart.Match(text) {
		return "", fmt.Errorf("%w: text in angle brackets that is no XML, such as Turtle", ErrUnsupported)
	}
	if htmlStart.Match(text[:min(len(text), 4096)]) {
		return "", fmt.Errorf("%w: a web page (HTML) came instead of data", ErrUnsupported)
	}
	return XML, nil
}

func braces(text []byte) string {
	if at := openAPIKey.FindIndex(text); at != nil && text[0] == '{' && outermost(text[:at[0]]) {
		return OpenAPI
	}
	line, rest, more := bytes.Cut(text, []byte("\n"))
	rest = bytes.TrimLeft(rest, " \t\r\n\x1e")
	if more && text[0] == '{' && len(rest) > 0 && rest[0] == '{' && bytes.HasSuffix(bytes.TrimRight(line, " \r\t"), []byte("}")) {
		return NDJSON
	}
	if len(text) > 1 {
		return JSON
	}
	return ""
}

// outermost tells that text ends within the first object of a document and no
// deeper: a list of API descriptions is data.
func outermost(text []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return depth == 1
}

// said is the kind that media type or name promise.
func said(mediaType, name string) string {
	kind, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	switch strings.TrimSpace(kind) {
	case "text/csv", "application/csv", "text/comma-separated-values":
		return CSV
	case "text/tab-separated-values":
		return TSV
	case "application/x-ndjson", "application/jsonl", "application/x-jsonlines":
		return NDJSON
	}
	switch path.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz")) {
	case ".csv":
		return CSV
	case ".tsv", ".tab":
		return TSV
	case ".ndjson", ".jsonl", ".geojsonl":
		return NDJSON
	}
	return ""
}

// plain decides about text: a table if its lines fall into columns, or if it is
// said to be one.
func plain(text []byte, promised string) (string, error) {
	if bytes.IndexByte(text, 0) >= 0 || bytes.Count(text, []byte(string(utf8.RuneError)))*20 > len(text) {
		return "", fmt.Errorf("%w: binary data of an unknown kind", ErrUnsupported)
	}
	d := sniff(text, "")
	switch {
	case promised != "" && promised != CSV:
		return promised, nil
	case d.score >= 0.8 && d.separator == '\t':
		return TSV, nil
	case d.score >= 0.8 || promised == CSV:
		return CSV, nil
	}
	return "", fmt.Errorf("%w: text that is neither a table nor JSON or XML", ErrUnsupported)
}
