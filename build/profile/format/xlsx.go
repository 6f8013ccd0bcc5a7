package format

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/assay-register/assay/build/profile/table"
)

// unzipLimit bounds what a workbook may unpack to.
const unzipLimit = 64 << 20

// readXLSX reads the first visible sheet that holds a table. A cut workbook has
// lost the directory at its end and cannot be read.
func readXLSX(ctx context.Context, data []byte, o *Options) (*table.Table, error) {
	if o.Truncated {
		return nil, fmt.Errorf("%w: the directory of a workbook stands at its end, and only the first %d bytes were read", ErrUnsupported, len(data))
	}
	f, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{
		UnzipSizeLimit: unzipLimit, UnzipXMLSizeLimit: unzipLimit, RawCellValue: true, ShortDatePattern: "yyyy-mm-dd", LongDatePattern: "yyyy-mm-dd"})
	if err != nil {
		return nil, errors.New("the workbook cannot be opened: it is broken, encrypted, or unpacks to more than 64 MiB")
	}
	defer func() { _ = f.Close() }()
	name, hidden, err := usefulSheet(ctx, f)
	if err != nil {
		return nil, err
	}
	s, err := readSheet(ctx, f, name, o)
	if err != nil {
		return nil, err
	}
	at, has := header(s.rows[:min(len(s.rows), headRows)], o)
	t := assemble(XLSX, s, o)
	if has {
		at++
	}
	if err := typeCells(f, name, t, at); err != nil {
		return nil, err
	}
	t.Records = table.Clip(name, o.Limits.Name)
	if o.private(name) {
		t.Records = "*"
	}
	if hidden > 0 {
		t.Note("%d hidden sheets were left out", hidden)
	}
	return total(t, false), nil
}

// usefulSheet is the visible sheet whose beginning fills the most columns in at
// least two rows; a sheet of remarks fills one.
func usefulSheet(ctx context.Context, f *excelize.File) (name string, hidden int, err error) {
	most := 0
	for i, sheet := range f.GetSheetList() {
		if i == 100 || ctx.Err() != nil {
			break
		}
		if shown, err := f.GetSheetVisible(sheet); err == nil && !shown {
			hidden++
			continue
		}
		if n := breadth(f, sheet); n > most {
			most, name = n, sheet
		}
		if most > 1 {
			break
		}
	}
	if name == "" {
		return "", hidden, errors.Join(ctx.Err(), errors.New("no visible sheet of the workbook holds a table"))
	}
	return name, hidden, nil
}

func breadth(f *excelize.File, sheet string) int {
	rows, err := f.Rows(sheet)
	if err != nil {
		return 0
	}
	defer func() { _ = rows.Close() }()
	widths := map[int]int{}
	best := 0
	for n := 0; n < 60 && rows.Next(); n++ {
		cells, err := rows.Columns()
		if err != nil {
			break
		}
		w := filled(cells)
		if widths[w]++; w > best && (widths[w] >= 2 || w > 2) {
			best = w
		}
	}
	return best
}

func readSheet(ctx context.Context, f *excelize.File, sheet string, o *Options) (*scanned, error) {
	rows, err := f.Rows(sheet)
	if err != nil {
		return nil, errors.New("the sheet of the workbook cannot be read")
	}
	defer func() { _ = rows.Close() }()
	s := &scanned{}
	cells := 0
	for n := 0; rows.Next(); n++ {
		if n%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		record, err := rows.Columns()
		if err != nil {
			return nil, fmt.Errorf("row %d of the sheet cannot be read", n+1)
		}
		if !blank(record) {
			s.add(trimmed(clipped(record, o)), n+1, &cells, o)
		}
	}
	return s, nil
}

// trimmed leaves out empty cells at the end of a row, which a sheet has by
// chance.
func trimmed(record []string) []string {
	for len(record) > 0 && record[len(record)-1] == "" {
		record = record[:len(record)-1]
	}
	return record
}

// form is what the number format of a column makes of its numbers.
type form uint8

const (
	asIs form = iota
	asDate
	asDateTime
	asTime
	asBool
)

// typeCells turns serial numbers into dates where the sheet shows dates: the
// first rows are read as shown and compared with the raw numbers.
func typeCells(f *excelize.File, sheet string, t *table.Table, skip int) error {
	rows, err := f.Rows(sheet)
	if err != nil {
		return errors.New("the sheet of the workbook cannot be read")
	}
	defer func() { _ = rows.Close() }()
	forms := make([]form, len(t.Columns))
	for seen := 0; rows.Next() && seen < skip+headRows; {
		shown, err := rows.Columns(excelize.Options{RawCellValue: false, ShortDatePattern: "yyyy-mm-dd", LongDatePattern: "yyyy-mm-dd"})
		if err != nil {
			return errors.New("the sheet of the workbook cannot be read")
		}
		if blank(shown) {
			continue
		}
		if i := seen - skip; i >= 0 && i < len(t.Rows) {
			for c := range min(len(shown), len(forms)) {
				forms[c] = max(forms[c], formOf(t.Rows[i][c].Text, strings.TrimSpace(shown[c])))
			}
		}
		seen++
	}
	for _, row := range t.Rows {
		for c, form := range forms {
			row[c] = form.apply(row[c])
		}
	}
	return nil
}

func formOf(raw, shown string) form {
	if raw == shown || raw == "" {
		return asIs
	}
	if (raw == "1" || raw == "0") && (shown == "TRUE" || shown == "FALSE") {
		return asBool
	}
	at, ok := serial(raw)
	switch {
	case !ok || numeric.MatchString(shown) && !dateLike.MatchString(shown):
		return asIs
	case at.Year() < 1900 && strings.Contains(shown, ":"):
		return asTime
	case strings.Contains(shown, at.Format("2006")) || dateLike.MatchString(shown) && strings.Contains(shown, at.Format("06")):
		if strings.Contains(shown, ":") {
			return asDateTime
		}
		return asDate
	}
	return asIs
}

func serial(raw string) (time.Time, bool) {
	v, err := strconv.ParseFloat(raw, 64)
	if err != nil || v < 0 || v > 2_958_465 {
		return time.Time{}, false
	}
	at, err := excelize.ExcelDateToTime(v, false)
	return at.Round(time.Second), err == nil
}

func (f form) apply(c table.Cell) table.Cell {
	if f == asIs || c.Kind != table.Text {
		return c
	}
	if f == asBool && (c.Text == "0" || c.Text == "1") {
		return table.Cell{Kind: table.Bool, Text: strconv.FormatBool(c.Text == "1")}
	}
	at, ok := serial(c.Text)
	if !ok {
		return c
	}
	switch f {
	case asDate:
		return table.Cell{Kind: table.Date, Text: at.Format("2006-01-02")}
	case asDateTime:
		return table.Cell{Kind: table.DateTime, Text: at.Format("2006-01-02T15:04:05")}
	case asTime:
		return table.Cell{Kind: table.Time, Text: at.Format("15:04:05")}
	}
	return c
}
