package charts

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
	"unicode/utf16"
)

// sheet is a table of texts before it has the form of a file.
type sheet struct {
	names []string
	rows  [][]string
	// quoted tells of each column that JSON writes its values as text.
	quoted []bool
}

// column is the name and the values of one kind of column.
type column struct {
	name   string
	quoted bool
	value  func(row int) string
}

var start = time.Date(1998, 3, 1, 0, 0, 0, 0, time.UTC)

// columns are those that a table draws from, each with a spread of its own.
func columns(r *rand.Rand, comma bool) []column {
	decimal := func(v float64, places int) string {
		text := fmt.Sprintf("%.*f", places, v)
		if comma {
			text = strings.Replace(text, ".", ",", 1)
		}
		return text
	}
	words := []string{"asphalt", "béton", "Holz", "steel", "gravel", "Ziegel", "stone of the quarry behind the old mill", "glass"}
	levels, least, span := 2+r.IntN(len(words)-2), r.IntN(2000)-1000, 1+r.IntN(5000)
	day := func() time.Time { return start.AddDate(0, 0, r.IntN(9000)) }
	return []column{
		{"capacity", false, func(int) string { return fmt.Sprint(least + r.IntN(span)) }},
		{"height_m", false, func(int) string { return decimal(r.NormFloat64()*12, 1) }},
		{"share", false, func(int) string { return decimal(r.ExpFloat64(), 3) }},
		{"material", true, func(int) string { return words[r.IntN(levels)] }},
		{"zone", true, func(int) string { return string(rune('A' + int(r.ExpFloat64()*2)%26)) }},
		{"opened", true, func(int) string { return day().Format(time.DateOnly) }},
		{"renewed", true, func(int) string { return day().Format("02.01.2006") }},
		{"measured_at", true, func(int) string {
			return day().Add(time.Duration(r.IntN(86400)) * time.Second).Format("2006-01-02T15:04:05Z")
		}},
		{"read_at", true, func(int) string {
			return day().Add(time.Duration(r.IntN(1440))*time.Minute).Format("2006-01-02T15:04") + []string{"+01:00", "+02:00"}[r.IntN(2)]
		}},
		{"year", false, func(int) string { return fmt.Sprint(1950 + r.IntN(70)) }},
		{"month", true, func(int) string { return day().Format("2006-01") }},
		{"lit", true, func(int) string { return []string{"yes", "no"}[r.IntN(2)] }},
		{"remark", true, func(row int) string { return fmt.Sprintf("noted at kilometre %d of the track", row) }},
		{"constant", false, func(int) string { return "7" }},
	}
}

// anyTable draws some of the columns, leaves cells of half of them empty, and has a row or more.
func anyTable(r *rand.Rand, comma bool) *sheet {
	all := columns(r, comma)
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	all = all[:3+r.IntN(6)]
	out := &sheet{}
	holes := make([]int, len(all))
	for i, c := range all {
		out.names, out.quoted = append(out.names, c.name), append(out.quoted, c.quoted)
		holes[i] = max(0, r.IntN(40)-20)
	}
	for n := range 1 + r.IntN(400) {
		row := make([]string, len(all))
		for i, c := range all {
			if r.IntN(100) >= holes[i] {
				row[i] = c.value(n)
			}
		}
		out.rows = append(out.rows, row)
	}
	return out
}

// seriesTable is a measure over time, the last first in half of them.
func seriesTable(r *rand.Rand, comma bool) *sheet {
	out := &sheet{names: []string{"year", "visitors"}, quoted: []bool{false, false}}
	if months := r.IntN(2) == 0; months {
		out.names[0], out.quoted[0] = "month", true
	}
	value := columns(r, comma)[r.IntN(2)].value
	for i := range 5 + r.IntN(60) {
		at := fmt.Sprint(1950 + i)
		if out.quoted[0] {
			at = start.AddDate(0, i, 0).Format("2006-01")
		}
		out.rows = append(out.rows, []string{at, value(i)})
	}
	if r.IntN(2) == 0 {
		for i, j := 0, len(out.rows)-1; i < j; i, j = i+1, j-1 {
			out.rows[i], out.rows[j] = out.rows[j], out.rows[i]
		}
	}
	return out
}

// barsTable has a name and a number in each row.
func barsTable(r *rand.Rand) *sheet {
	out := &sheet{names: []string{"district", "benches"}, quoted: []bool{true, false}}
	for i := range 2 + r.IntN(18) {
		out.rows = append(out.rows, []string{[]string{"North", "Long Meadow behind the Railway", "Süd"}[i%3] + fmt.Sprint(" ", i), fmt.Sprint(r.IntN(100_000))})
	}
	return out
}

// pointsTable has a place in each row.
func pointsTable(r *rand.Rand) *sheet {
	out := &sheet{names: []string{"latitude", "longitude", "trees"}, quoted: []bool{false, false, false}}
	lon, lat := float64(r.IntN(300)-150), float64(r.IntN(120)-60)
	for range 2 + r.IntN(40) {
		out.rows = append(out.rows, []string{fmt.Sprintf("%.4f", lat+r.Float64()*4), fmt.Sprintf("%.4f", lon+r.Float64()*4), fmt.Sprint(r.IntN(90))})
	}
	return out
}

// csvOf writes a text table.
func (s *sheet) csvOf(separator string) []byte {
	var b strings.Builder
	for _, row := range append([][]string{s.names}, s.rows...) {
		for i, v := range row {
			if i > 0 {
				b.WriteString(separator)
			}
			if strings.ContainsAny(v, separator+`"`) {
				v = `"` + strings.ReplaceAll(v, `"`, `""`) + `"`
			}
			b.WriteString(v)
		}
		b.WriteString("\r\n")
	}
	return []byte(b.String())
}

// utf16Of writes text in the encoding that spreadsheets save as Unicode.
func utf16Of(text []byte) []byte {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(string(text))) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

// object writes a row as JSON; an empty cell is null in every second row and left out in the others.
func (s *sheet) object(n int) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, v := range s.rows[n] {
		switch {
		case v == "" && n%2 == 1:
			continue
		case v == "":
			v = "null"
		case s.quoted[i]:
			text, _ := json.Marshal(v)
			v = string(text)
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", s.names[i], v)
	}
	b.WriteByte('}')
	return b.Bytes()
}

func (s *sheet) jsonOf(before, between, after string, wrap func(n int, object []byte) []byte) []byte {
	list := make([][]byte, len(s.rows))
	for n := range s.rows {
		if list[n] = s.object(n); wrap != nil {
			list[n] = wrap(n, list[n])
		}
	}
	return []byte(before + string(bytes.Join(list, []byte(between))) + after)
}

func (s *sheet) xmlOf() []byte {
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<inventory>")
	for _, row := range s.rows {
		b.WriteString("<object>")
		for i, v := range row {
			if v == "" {
				continue
			}
			fmt.Fprintf(&b, "<%s>", s.names[i])
			_ = xml.EscapeText(&b, []byte(v))
			fmt.Fprintf(&b, "</%s>", s.names[i])
		}
		b.WriteString("</object>")
	}
	b.WriteString("</inventory>")
	return b.Bytes()
}

// madeFile is the nth file: what is in it and how it is written take turns, its values follow from n.
func madeFile(n int) (name string, data []byte) {
	r := rand.New(rand.NewPCG(uint64(n), 2))
	form := n % 9
	comma := form == 1
	s, what := anyTable(r, comma), "table"
	switch {
	case n/9%5 == 3:
		s, what = seriesTable(r, comma), "series"
	case n/9%10 == 4:
		s, what = barsTable(r), "bars"
	case n/9%10 == 9:
		s, what = pointsTable(r), "points"
	}
	ext := "csv"
	switch form {
	case 0:
		data = s.csvOf(",")
	case 1:
		data = s.csvOf(";")
	case 2:
		data = s.csvOf("|")
	case 3:
		data, ext = s.csvOf("\t"), "tsv"
	case 4:
		data = utf16Of(s.csvOf(";"))
	case 5:
		data, ext = s.jsonOf(`{"result":{"records":[`, ",\n", "]}}", nil), "json"
	case 6:
		data, ext = s.jsonOf("", "\n", "\n", nil), "ndjson"
	case 7:
		data, ext = s.jsonOf(`{"type":"FeatureCollection","features":[`, ",", "]}", func(i int, o []byte) []byte {
			return fmt.Appendf(nil, `{"type":"Feature","properties":%s,"geometry":{"type":"LineString","coordinates":[[%.3f,%.3f],[%.3f,%.3f]]}}`,
				o, 4+r.Float64(), 50+r.Float64(), 5+r.Float64(), 51+r.Float64())
		}), "geojson"
	case 8:
		data, ext = s.xmlOf(), "xml"
	}
	return fmt.Sprintf("%03d-%s.%s", n, what, ext), data
}
