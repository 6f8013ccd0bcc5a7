package ukapicatalogue

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
)

// organisation is a row of organisation.csv.
type organisation struct{ name, url string }

// organisations reads the names of the publishers by id in lower case. A
// missing file or broken rows only cost names.
func organisations(in *source.Input) (map[string]organisation, error) {
	out := map[string]organisation{}
	if in.Files == nil {
		return out, nil
	}
	f, err := in.Files.Open("organisation.csv")
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open organisation.csv beside %s: %w", in.Name, err)
	}
	defer f.Close()
	stream, err := source.NewStream(f, "organisation.csv", in.Limits)
	if err != nil {
		return nil, err
	}
	if err := readOrganisations(source.NewCSV(stream, ','), out); err != nil {
		return nil, fmt.Errorf("read organisation.csv beside %s: %w", in.Name, err)
	}
	return out, nil
}

func readOrganisations(rows *source.CSV, out map[string]organisation) error {
	var columns map[string]int
	for {
		row, bad, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if bad != nil {
			continue
		}
		if columns == nil {
			columns = positions(row.Fields)
			continue
		}
		id := source.Token(cell(row, columns, "id"))
		name, _ := source.Line(cell(row, columns, "name"))
		home, _, _ := source.URLRules{}.Repair("url", cell(row, columns, "url"))
		if id != "" && name != "" {
			out[strings.ToLower(id)] = organisation{name: name, url: home}
		}
	}
}

func positions(names []string) map[string]int {
	m := make(map[string]int, len(names))
	for i, n := range names {
		m[strings.TrimSpace(n)] = i
	}
	return m
}

func cell(row source.Row, columns map[string]int, name string) string {
	i, ok := columns[name]
	if !ok || i >= len(row.Fields) {
		return ""
	}
	return row.Fields[i]
}
