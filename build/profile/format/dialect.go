package format

import (
	"bytes"
	"encoding/csv"
	"math"
	"strings"
)

// dialect is how a text table is written. score is the share of lines that
// have the same number of columns, 0 if there is one column only.
type dialect struct {
	separator rune
	quote     byte
	score     float64
}

const separators = ",;\t|^"

// sniff finds the dialect in the beginning of a table. A first line "sep=;", as
// Excel writes it, decides. kind TSV prefers the tab.
func sniff(text []byte, kind string) dialect {
	if line, _, _ := bytes.Cut(text, []byte("\n")); bytes.HasPrefix(line, []byte("sep=")) && len(bytes.TrimSpace(line)) <= 5 && len(line) > 4 {
		sep := rune(line[4])
		if strings.ContainsRune(separators, sep) {
			return dialect{sep, '"', 1}
		}
	}
	head := text[:min(len(text), 64<<10)]
	best := dialect{',', quoteOf(head), 0}
	most := 0.0
	for _, sep := range separators {
		share, width := consistency(head, sep, best.quote)
		if width < 2 {
			continue
		}
		rank := share * share * math.Log2(float64(width)+1)
		if sep == '\t' && kind == TSV {
			rank *= 4
		}
		if rank > most+1e-9 {
			most, best.separator, best.score = rank, sep, share
		}
	}
	return best
}

// consistency returns the most frequent number of columns and the share of the
// records that have it. The last record may be cut and does not count.
func consistency(head []byte, sep rune, quote byte) (float64, int) {
	widths := map[int]int{}
	var order []int
	r := reader(head, dialect{separator: sep, quote: quote})
	for range 200 {
		record, err := r.Read()
		if err != nil {
			break
		}
		if len(record) == 1 && (record[0] == "" || strings.HasPrefix(record[0], "#")) {
			continue
		}
		order = append(order, len(record))
	}
	if len(order) > 3 {
		order = order[:len(order)-1]
	}
	mode := 0
	for _, w := range order {
		widths[w]++
		if widths[w] > widths[mode] || widths[w] == widths[mode] && w > mode {
			mode = w
		}
	}
	if len(order) == 0 {
		return 0, 0
	}
	return float64(widths[mode]) / float64(len(order)), mode
}

// quoteOf tells whether single quotes do the work of double ones: they open and
// close cells, and double quotes do not.
func quoteOf(head []byte) byte {
	single, double := 0, 0
	for _, sep := range []byte(separators) {
		single += bytes.Count(head, []byte{'\'', sep, '\''})
		double += bytes.Count(head, []byte{'"', sep, '"'})
	}
	if single > 2 && double == 0 && !bytes.Contains(head, []byte{'"'}) {
		return '\''
	}
	return '"'
}

// reader returns a reader of the dialect. encoding/csv knows the double quote
// only, so single ones are exchanged with it.
func reader(data []byte, d dialect) *csv.Reader {
	if d.quote == '\'' {
		data = bytes.ReplaceAll(data, []byte{'\''}, []byte{'"'})
	}
	// Old Mac line ends are not known to encoding/csv either.
	if bytes.IndexByte(data, '\n') < 0 && bytes.IndexByte(data, '\r') >= 0 {
		data = bytes.ReplaceAll(data, []byte{'\r'}, []byte{'\n'})
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord = d.separator, true, -1, true
	return r
}
