package redact

import (
	"bytes"
	"encoding/csv"
	"errors"
	"regexp"
	"strings"
)

// rows withholds columns, by the names in the first row.
func rows(record []byte) ([]byte, int, error) {
	all, err := csv.NewReader(bytes.NewReader(record)).ReadAll()
	if err != nil {
		return nil, 0, errors.Join(errNotRead, err)
	}
	n := 0
	for i, row := range all {
		for k := range row {
			switch {
			case i > 0 && row[k] != "" && row[k] != Withheld && withheld(all[0][k]):
				row[k] = Withheld
				n++
			default:
				row[k] = text(row[k], &n)
			}
		}
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	err = w.WriteAll(all)
	return b.Bytes(), n, err
}

// key is a line of YAML with a key: its indent, the key and its value.
var key = regexp.MustCompile(`^([ \t]*(?:- +)?)["']?([A-Za-z][A-Za-z0-9_:.-]*)["']?:(?:[ \t]+(.*))?$`)

// lines withholds the values of keys of YAML, as front matter has them, too, with all that
// is indented below them.
func lines(s string, n *int) string {
	var b strings.Builder
	below := -1
	for line := range strings.Lines(s) {
		body := strings.TrimRight(line, "\r\n")
		indent := len(body) - len(strings.TrimLeft(body, " \t"))
		if below >= 0 && (indent > below || strings.TrimSpace(body) == "") {
			continue
		}
		below = -1
		m := key.FindStringSubmatch(body)
		if m == nil || !withheld(m[2]) || m[3] == Withheld {
			b.WriteString(line)
			continue
		}
		*n++
		below = len(m[1])
		b.WriteString(m[1] + m[2] + ": " + Withheld + line[len(body):])
	}
	return b.String()
}
