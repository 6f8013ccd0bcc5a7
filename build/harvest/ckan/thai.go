package ckan

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
)

// thai are the fields of the metadata standard of Thailand's government data catalogues (14 mandatory fields of the
// Digital Government Development Agency), which most of its portals have.
type thai struct {
	FrequencyUnit     source.Loose     `json:"update_frequency_unit"`
	FrequencyInterval source.Loose     `json:"update_frequency_interval"`
	Category          source.Loose     `json:"data_category"`
	DataLanguage      source.LooseList `json:"data_language"`
	CreatedDate       source.Loose     `json:"created_date"`
	DataReleaseDate   source.Loose     `json:"data_release_date"`
	LastUpdatedDate   source.Loose     `json:"last_updated_date"`
	FirstYear         source.Loose     `json:"first_year_of_data"`
	LastYear          source.Loose     `json:"last_year_of_data"`
	West              source.Loose     `json:"west_bound_longitude"`
	East              source.Loose     `json:"east_bound_longitude"`
	// North and South are latitudes; the standard calls them longitudes.
	North source.Loose `json:"north_bound_longitude"`
	South source.Loose `json:"south_bound_longitude"`
}

// thaiUnits are the units of the frequency of updates, as lengths of time and words of the frequency table. Working days
// and "other" have none there.
var thaiUnits = map[string]string{"ปี": "P1Y", "ครึ่งปี": "P6M", "ไตรมาส": "P3M", "เดือน": "P1M", "สัปดาห์": "P1W", "วัน": "P1D", "ชั่วโมง": "PT1H", "นาที": "PT1M",
	"ตามเวลาจริง": "CONT", "ไม่มีการปรับปรุงหลังจากการจัดเก็บข้อมูล": "NEVER"}

// frequency is how often data changes. A number beside the unit counts the times in it by the form, and the units
// between two times by what many fill in: only 1 is the same.
func (t *thai) frequency() string {
	unit, n := thaiUnits[string(t.FrequencyUnit)], string(t.FrequencyInterval)
	if strings.HasPrefix(unit, "P") && n != "" && n != "1" {
		return n + " / " + string(t.FrequencyUnit)
	}
	return unit
}

// thaiRights are the categories of data by law: public, personal, of security, secret of the state.
var thaiRights = map[string]string{"ข้อมูลสาธารณะ": "PUBLIC", "ข้อมูลส่วนบุคคล": "NON_PUBLIC", "ข้อมูลความมั่นคง": "NON_PUBLIC", "ข้อมูลความลับทางราชการ": "NON_PUBLIC"}

// thaiLanguages are the languages of the form, by their names in Thai.
var thaiLanguages = map[string]string{"ไทย": "th", "อังกฤษ": "en", "จีน": "zh", "มลายู": "ms", "พม่า": "my", "ลาว": "lo", "เขมร": "km", "ญี่ปุ่น": "ja",
	"เกาหลี": "ko", "ฝรั่งเศส": "fr", "เยอรมัน": "de", "อารบิก": "ar"}

func (t *thai) languages() (tags []string) {
	for _, raw := range t.DataLanguage {
		for _, name := range list(raw) {
			tags = append(tags, cmp.Or(thaiLanguages[name], name))
		}
	}
	return tags
}

// common is a year or a date in years of the common era, whatever country the source is said to be of: an aggregator is
// of any.
func common(raw source.Loose) string { return source.CommonEra("TH", string(raw)) }

// box is "west,south,east,north", "" without all four.
func (t *thai) box() string {
	sides := []string{string(t.West), string(t.South), string(t.East), string(t.North)}
	for _, s := range sides {
		if _, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err != nil {
			return ""
		}
	}
	return strings.Join(sides, ",")
}

// from takes what an aggregator has among its extras.
func (t *thai) from(x extras) {
	for key, field := range map[string]*source.Loose{"update_frequency_unit": &t.FrequencyUnit, "update_frequency_interval": &t.FrequencyInterval, "data_category": &t.Category,
		"created_date": &t.CreatedDate, "data_release_date": &t.DataReleaseDate, "last_updated_date": &t.LastUpdatedDate, "first_year_of_data": &t.FirstYear, "last_year_of_data": &t.LastYear,
		"west_bound_longitude": &t.West, "east_bound_longitude": &t.East, "north_bound_longitude": &t.North, "south_bound_longitude": &t.South} {
		*field = cmp.Or(*field, source.Loose(x[key]))
	}
	if len(t.DataLanguage) == 0 && x["data_language"] != "" {
		t.DataLanguage = source.LooseList{x["data_language"]}
	}
}
