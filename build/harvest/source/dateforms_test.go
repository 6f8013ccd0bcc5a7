package source

import (
	"testing"
	"time"
)

// TestLocalForms reads dates as software and people of countries write them.
func TestLocalForms(t *testing.T) {
	for _, tt := range []struct {
		country, raw, want string
		precision          Precision
	}{
		{"", "31. 12. 2021", "2021-12-31T00:00:00Z", PrecisionDay},
		{"HR", "15.03.2020.", "2020-03-15T00:00:00Z", PrecisionDay},
		{"HR", "15. ožujka 2020.", "2020-03-15T00:00:00Z", PrecisionDay},
		{"HR", "3. listopada 2020.", "2020-10-03T00:00:00Z", PrecisionDay},
		{"CZ", "3. listopadu 2020", "", ""},
		{"", "15.03.2020 10:15 Uhr", "2020-03-15T10:15:00Z", PrecisionTime},
		{"LT", "2020 m. kovo 15 d.", "2020-03-15T00:00:00Z", PrecisionDay},
		{"LV", "2020. gada 15. marts", "2020-03-15T00:00:00Z", PrecisionDay},
		{"", "май 2020", "2020-05-01T00:00:00Z", PrecisionMonth},
		{"", "15 марта 2020 г.", "2020-03-15T00:00:00Z", PrecisionDay},
		{"", "１９９９年３月", "1999-03-01T00:00:00Z", PrecisionMonth},
		{"", "2021-05-01T10:00:00+02", "2021-05-01T08:00:00Z", PrecisionTime},
		{"", "2021-05-01 10:00:00.5-03", "2021-05-01T13:00:00.5Z", PrecisionTime},
		{"", "2020-03-15 10:15:00 UTC", "2020-03-15T10:15:00Z", PrecisionTime},
		{"", "2020-03-15T10:15:00Z[UTC]", "2020-03-15T10:15:00Z", PrecisionTime},
		{"", "Sun, 15 Mar 2020 10:15:00 GMT", "2020-03-15T10:15:00Z", PrecisionTime},
		{"", "Sun Mar 15 2020 10:00:00 GMT+0100 (CET)", "2020-03-15T09:00:00Z", PrecisionTime},
		{"", "2020-12-31T24:00:00", "2021-01-01T00:00:00Z", PrecisionTime},
		{"", "20200315T101500Z", "2020-03-15T10:15:00Z", PrecisionTime},
		{"", "20200315101500", "2020-03-15T10:15:00Z", PrecisionTime},
		{"", "2020-075", "2020-03-15T00:00:00Z", PrecisionDay},
		{"", "03/2020", "2020-03-01T00:00:00Z", PrecisionMonth},
		{"", "2020/03", "2020-03-01T00:00:00Z", PrecisionMonth},
		{"TH", "2563-03-15", "2020-03-15T00:00:00Z", PrecisionDay},
		{"TH", "2020-03-15", "2020-03-15T00:00:00Z", PrecisionDay},
		{"TW", "109/03/15", "2020-03-15T00:00:00Z", PrecisionDay},
		{"TW", "2020/03/15", "2020-03-15T00:00:00Z", PrecisionDay},
		{"", "2563-03-15", "", ""},
		{"", "109/03/15", "", ""},
		{"", "2021-02-30", "", ""},
		{"", "30. 2. 2021", "", ""},
		{"", "13/2020", "", ""},
		{"", "2020-366", "2020-12-31T00:00:00Z", PrecisionDay},
		{"", "2021-366", "", ""},
		{"", "-0044-03-15", "", ""},
	} {
		got, precision, err := ParseDate("f", inCountry(tt.country, tt.raw))
		text := ""
		if err == nil {
			text = got.Format(time.RFC3339Nano)
		}
		if text != tt.want || precision != tt.precision {
			t.Errorf("%s %q: %q, %s, %v; want %q, %s", tt.country, tt.raw, text, precision, err, tt.want, tt.precision)
		}
	}
}
