package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/build/harvest/datajson"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/lint"
)

var (
	isoDay   = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}([T ].*|Z|[+-]\d\d:\d\d)?$`)
	numbered = regexp.MustCompile(`^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})\b`) // with dots the day comes first everywhere
	interval = regexp.MustCompile(`^(R\d*/)?P(\d|T\d)`)
	digits   = regexp.MustCompile(`^\d{10,13}$`)
	badYear  = regexp.MustCompile(`^(0\d{3}|1[0-7]\d\d|2[3-9]\d\d|[3-9]\d{3})-\d\d-\d\d`)
	unstated = regexp.MustCompile(`(?i)^(licen[cs]e[- ]?)?(not[- ]?specified|unspecified|unknown|none|other|n/?a|see (terms|description)|licen[cs]e not specified)$`)
	software = regexp.MustCompile(`(?i)^(mit|isc|apache([ -].*)?|bsd([ -].*)?|a?l?gpl([ -].*)?|mpl([ -].*)?|unlicense|zlib)( licen[cs]e)?$`)
	// softwarePage is a page about a licence for programs; those for data have none there.
	softwarePage = regexp.MustCompile(`(?i)^https?://(www\.)?(opensource\.org/licen[cs]es?/|(www\.)?apache\.org/licenses/|(www\.)?gnu\.org/licenses/(a?gpl|lgpl))`)
	dataLink     = regexp.MustCompile(`(?i)\.(zip|csv|geojson|kml|shp|xlsx?)(\?|$)|/datasets/[^/]+\.(csv|zip|geojson|kml)|/downloads?/|opendata\.arcgis\.com/datasets/|hub\.arcgis\.com/datasets/|/(feature|map)server|/sharing/rest/content/items/[0-9a-f]+/data$`)
	commons      = regexp.MustCompile(`(?i)^https?://(www\.)?creativecommons\.org/`)
	commonsIs    = regexp.MustCompile(`(?i)creativecommons\.org/(licen[cs]es/(by|by-sa|by-nd|by-nc|by-nc-sa|by-nc-nd)/[1-4]\.\d(/[a-z]{2,3}(_[a-z]+)?)?|publicdomain/(zero|mark)/1\.0)(/(deed|legalcode)(\.[a-z_-]+)?)?/?(#.*)?$`)
)

// date looks at a date.
func (l *linter) date(at lint.Record, m *member, v string) {
	t, precision, err := source.ParseDate(m.name, v)
	switch {
	case digits.MatchString(v): // seconds or milliseconds since 1970
	case past(m.name) && err != nil && !strings.HasPrefix(v, "0") && isoDay.MatchString(v): // what the data is about may be old
	case interval.MatchString(v):
		l.interval(at, m)
	case badYear.MatchString(v):
		l.example("date.implausible", at, m, "the year "+v[:4]+" cannot be", l.likelyDay(v))
	case err != nil:
		l.example("date.unreadable", at, m, fmt.Sprintf("%q is no date", clip(v)), exampleDay)
	case precision == source.PrecisionYear || precision == source.PrecisionMonth:
		l.example("date.precision", at, m, "the date is stated to the "+string(precision), t.Format(time.DateOnly))
	case !isoDay.MatchString(v):
		l.form(at, m, v, t, precision)
	}
}

// interval tells of an interval in place of a date. It is how often the data changes, where the record says that
// nowhere else (DCAT-US 1.1, "modified"): the patch moves it to where it belongs, so that nobody loses it.
func (l *linter) interval(at lint.Record, m *member) {
	f := lint.New("date.interval", at, m.pointer, m.value, "")
	if f.Patch = exampleOf(m, exampleDay); f.Patch != nil && l.kind == datajson.Kind && m.pointer == at.Pointer+"/modified" {
		to := at.Pointer + "/accrualPeriodicity"
		stated := slices.ContainsFunc(l.around, func(o member) bool { return o.pointer == to && o.value != "" })
		if _, known := source.Frequency(m.value); known && !stated {
			f.Patch.Operations = append(f.Patch.Operations, lint.Operation{Op: "add", Path: to, Value: m.value})
		}
	}
	l.add(f)
}

// form tells of a date that is written otherwise. Where day and month could be either, only the publisher knows which
// is which.
func (l *linter) form(at lint.Record, m *member, v string, t time.Time, precision source.Precision) {
	instead := t.Format(time.RFC3339)
	if precision == source.PrecisionDay {
		instead = t.Format(time.DateOnly)
	}
	if p := numbered.FindStringSubmatch(v); p != nil && month(p[1]) && month(p[2]) && strings.TrimLeft(p[1], "0") != strings.TrimLeft(p[2], "0") {
		l.example("date.form", at, m, "nobody can tell which is the day and which the month", instead)
		return
	}
	l.found("date.form", at, m, "", instead)
}

// month tells that a number may be that of a month.
func month(digits string) bool {
	n, err := strconv.Atoi(digits)
	return err == nil && n >= 1 && n <= 12
}

// past tells of dates that bound a period of the data.
func past(name string) bool {
	name = plainName(name)
	return name == "startdate" || name == "enddate"
}

// licence looks at a licence. One that is unknown is told with what it costs, where a
// connector reads the record.
func (l *linter) licence(at lint.Record, m *member, v string) {
	switch {
	case unstated.MatchString(v):
		l.chosen("licence.unspecified", at, m, "")
	case tag.MatchString(v):
		l.chosen("text.markup", at, m, "the licence is a piece of a page")
	case dataLink.MatchString(v):
		l.chosen("licence.link", at, m, "")
	case commons.MatchString(v) && !commonsIs.MatchString(v):
		l.chosen("licence.unknown", at, m, "Creative Commons has no licence at this address")
	case software.MatchString(v), softwarePage.MatchString(v):
		l.chosen("licence.software", at, m, "")
	default:
		if _, ok := l.licences.Resolve(v); !ok && l.kind == KindNone {
			l.chosen("licence.unknown", at, m, "")
		}
	}
}

// chosen is a finding about a licence, of which the publisher chooses another one.
func (l *linter) chosen(rule string, at lint.Record, m *member, message string) {
	l.example(rule, at, m, message, exampleLicence(m))
}

// example is a finding of which the publisher knows what is true: the patch has an example.
func (l *linter) example(rule string, at lint.Record, m *member, message, instead string) {
	f := lint.New(rule, at, m.pointer, m.value, message)
	f.Patch = exampleOf(m, instead)
	l.add(f)
}

// exampleOf is the patch that writes an example in place of a value, nil where none can be made.
func exampleOf(m *member, instead string) *lint.Patch {
	if !strings.HasPrefix(m.pointer, "/") || m.name == "#text" {
		return nil
	}
	return &lint.Patch{Form: lint.JSONPatch, Choose: true, Operations: []lint.Operation{{Op: "test", Path: m.pointer, Value: m.value}, {Op: "replace", Path: m.pointer, Value: instead}}}
}

// exampleDay stands for a date that only the publisher knows, and of which nothing is said.
const exampleDay = "2026-01-31"

// likelyDay is the day of a date whose year cannot be, in the century that it lies in before now: an example
// that fits the other dates of the record better than any day.
func (l *linter) likelyDay(v string) string {
	for _, century := range []string{"20", "19"} {
		if t, err := time.Parse(time.DateOnly, century+v[2:len(time.DateOnly)]); err == nil && !t.After(l.o.Input.Now) {
			return t.Format(time.DateOnly)
		}
	}
	return exampleDay
}

// openLicence is the example of a licence; the publisher chooses.
const openLicence = "https://creativecommons.org/licenses/by/4.0/"

func exampleLicence(m *member) string {
	if plainName(m.name) == "licenseid" {
		return "cc-by-4.0"
	}
	return openLicence
}

// format looks at the format of a file. Terms of JSON schema, which have the same
// name, are none.
func (l *linter) format(at lint.Record, m *member, v string) {
	code, known := source.Format(v)
	switch plain := strings.ToUpper(strings.Trim(v, ". ")); {
	case !known && !strings.Contains(v, "/"):
		l.example("format.unknown", at, m, "", "CSV")
	case strings.HasPrefix(v, ".") && known:
		l.found("format.spelling", at, m, "", code)
	case known && code != plain && !strings.Contains(v, "/") && spelling(plain) == spelling(code):
		l.found("format.spelling", at, m, "", code)
	}
}

func spelling(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToUpper(s))
}

func (l *linter) frequency(at lint.Record, m *member, v string) {
	if _, ok := source.Frequency(v); ok && l.kind == datajson.Kind && !interval.MatchString(v) && !strings.Contains(v, "://") && v != "irregular" {
		l.example("frequency.form", at, m, "", "R/P1M")
	} else if !ok {
		l.example("frequency.unknown", at, m, fmt.Sprintf("no code of the table stands for %q", clip(v)), exampleFrequency(l.kind))
	}
}

func exampleFrequency(kind string) string {
	if kind == datajson.Kind {
		return "R/P1M"
	}
	return "monthly"
}

func (l *linter) country(at lint.Record, m *member, v string) {
	if _, ok := source.Country(v); !ok {
		l.example("country.code", at, m, "", "BE")
	}
}
