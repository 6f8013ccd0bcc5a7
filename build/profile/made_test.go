package profile

import (
	"bytes"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"
)

// cell is a value with the number format that a workbook shows it in.
type cell struct {
	value  any
	format string
}

// sheet is one sheet of a workbook.
type sheet struct {
	name   string
	hidden bool
	rows   [][]any
}

func workbook(t testing.TB, sheets ...sheet) []byte {
	t.Helper()
	f := excelize.NewFile()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, s := range sheets {
		if i == 0 {
			check(f.SetSheetName("Sheet1", s.name))
		} else {
			_, err := f.NewSheet(s.name)
			check(err)
		}
		for r, row := range s.rows {
			for c, v := range row {
				at, err := excelize.CoordinatesToCellName(c+1, r+1)
				check(err)
				if shown, ok := v.(cell); ok {
					check(f.SetCellValue(s.name, at, shown.value))
					style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &shown.format})
					check(err)
					check(f.SetCellStyle(s.name, at, at, style))
				} else if v != nil {
					check(f.SetCellValue(s.name, at, v))
				}
			}
		}
	}
	for i, s := range sheets {
		if s.hidden {
			f.SetActiveSheet((i + 1) % len(sheets))
			check(f.SetSheetVisible(s.name, false))
		}
	}
	var b bytes.Buffer
	check(f.Write(&b))
	return b.Bytes()
}

func rowsOf[T any](t testing.TB, rows ...T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type parquetPlain struct {
	Code  string   `parquet:"code"`
	Count int64    `parquet:"count"`
	Share float64  `parquet:"share"`
	Open  bool     `parquet:"open"`
	Note  *string  `parquet:"note,optional"`
	Tags  []string `parquet:"tags,list"`
}

type parquetTimes struct {
	Day   int32     `parquet:"day,date"`
	At    time.Time `parquet:"at,timestamp(millisecond)"`
	Price int64     `parquet:"price,decimal(2:10)"`
}

type parquetNested struct {
	Station struct {
		ID  string  `parquet:"id"`
		Lat float64 `parquet:"lat"`
		Lon float64 `parquet:"lon"`
	} `parquet:"station"`
}

type parquetPeople struct {
	Surname string `parquet:"surname"`
	Pesel   string `parquet:"pesel"`
}

type parquetZstd struct {
	Country string `parquet:"country,zstd,dict"`
	Year    int32  `parquet:"year,gzip"`
	Value   uint32 `parquet:"value,snappy"`
}

// made are the files of binary formats, which text cannot hold.
func made(t testing.TB) map[string][]byte {
	day := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	note := "provisional"
	nested := parquetNested{}
	nested.Station.ID, nested.Station.Lat, nested.Station.Lon = "S1", 37.9, 23.7
	return map[string][]byte{
		"xlsx_plain.xlsx": workbook(t, sheet{name: "Data", rows: [][]any{{"country", "year", "value"}, {"GR", 2020, 1.5}, {"BG", 2021, 2.5}, {"RO", 2022, 3}}}),
		"xlsx_title_rows.xlsx": workbook(t, sheet{name: "Table 1", rows: [][]any{{"Population by region"}, {"Source: statistical office"}, {}, {"region", "population", "area"},
			{"North", 1000, 12.5}, {"South", 2000, 13.5}}}),
		"xlsx_second_sheet.xlsx": workbook(t, sheet{name: "Read me", rows: [][]any{{"This workbook"}, {"has a table on the next sheet"}}},
			sheet{name: "Stations", rows: [][]any{{"station_id", "name"}, {"A1", "Harbour station"}, {"B2", "Hill station"}}}),
		"xlsx_hidden_sheet.xlsx": workbook(t, sheet{name: "Secret", hidden: true, rows: [][]any{{"email", "phone", "name"}, {"a@example.org", "1", "x"}, {"b@example.org", "2", "y"}}},
			sheet{name: "Open", rows: [][]any{{"code", "count"}, {"A", 1}, {"B", 2}}}),
		"xlsx_dates.xlsx": workbook(t, sheet{name: "Dates", rows: [][]any{{"day", "moment", "custom", "n"},
			{cell{day, "yyyy-mm-dd"}, cell{day.Add(6 * time.Hour), "yyyy-mm-dd hh:mm"}, cell{day, "dd.mm.yyyy"}, 45351},
			{cell{day.AddDate(0, 0, 1), "yyyy-mm-dd"}, cell{day.Add(30 * time.Hour), "yyyy-mm-dd hh:mm"}, cell{day, "dd.mm.yyyy"}, 45352}}}),
		"xlsx_percent.xlsx":  workbook(t, sheet{name: "Rates", rows: [][]any{{"region", "rate"}, {"North", cell{0.125, "0.0%"}}, {"South", cell{0.5, "0.0%"}}}}),
		"xlsx_booleans.xlsx": workbook(t, sheet{name: "Flags", rows: [][]any{{"station_id", "active"}, {"A1", true}, {"B2", false}}}),
		"xlsx_people.xlsx":   workbook(t, sheet{name: "Staff", rows: [][]any{{"Nachname", "Vorname", "Telefon"}, {"Müller", "Anna", "030 1234567"}, {"Schmidt", "Hans", "030 7654321"}}}),
		"parquet_plain.parquet": rowsOf(t, parquetPlain{"A", 1, 0.5, true, &note, []string{"x", "y"}},
			parquetPlain{"B", 2, 0.25, false, nil, nil}),
		"parquet_times.parquet":  rowsOf(t, parquetTimes{19782, day, 1250}, parquetTimes{19783, day.Add(time.Hour), -5}),
		"parquet_nested.parquet": rowsOf(t, nested),
		"parquet_people.parquet": rowsOf(t, parquetPeople{"Nowak", "44051401359"}, parquetPeople{"Kowalski", "02070803628"}),
		"parquet_codecs.parquet": rowsOf(t, parquetZstd{"GR", 2020, 4_000_000_000}, parquetZstd{"BG", 2021, 5}),
		"parquet_empty.parquet":  rowsOf[parquetZstd](t),
	}
}
