package source

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
)

// monthNames are the names of the months and their usual short forms, as search.Fold writes them, in the
// languages of the CLDR whose names mean one month only; for the Croatian October see inCountry. Slavic and Finnish ones stand in the case that dates have, too.
var monthNames = [12]string{
	`january januar janvier enero janeiro gennaio januari januar tammikuu tammikuuta stycznia styczen ledna leden januara ianuarie gener janar
		jan janv ene gen sty jaanuar sijecnja sijecanj janvaris sausio ianouariou ιανουαριος ιανουαριου ιαν януари января январь січня ocak janeru eanair januaris jan`,
	`february februar fevrier febrero fevereiro febbraio februari helmikuu helmikuuta lutego luty unora unor februara februarie febrer
		feb fev febr fevr veebruar veljace veljaca februaris vasario φεβρουαριος φεβρουαριου φεβ февруари февраля февраль лютого subat feabhra`,
	`march marz maerz mars marzo marco maart maliskuu maaliskuu maaliskuuta marca marzec brezna brezen martie marc marcius
		mar mrz mrt marts martius ozujka ozujak kovo μαρτιος μαρτιου μαρ март марта березня mart`,
	`april avril abril aprile huhtikuu huhtikuuta kwietnia kwiecien dubna duben aprila aprilie aprilis
		apr avr abr kwi travnja travanj aprill balandzio απριλιος απριλιου απρ април апреля апрель квітня nisan aibrean`,
	`may mai mayo maio maggio mei maj toukokuu toukokuuta maja kvetna kveten majus
		mag svibnja svibanj geguzes μαιος μαιου μαι май мая травня mayis maig bealtaine maijs`,
	`june juni juin junio junho giugno kesakuu kesakuuta czerwca czerwiec cervna cerven juna iunie junius
		jun giu cze lipnja lipanj juuni junijs birzelio ιουνιος ιουνιου ιουν юни июня июнь червня haziran juny meitheamh`,
	`july juli juillet julio julho luglio heinakuu heinakuuta lipca lipiec cervence cervenec jula iulie julius
		jul juil lug lip srpnja srpanj juuli julijs liepos ιουλιος ιουλιου ιουλ юли июля июль липня temmuz juliol iuil`,
	`august aout agosto augustus augusti elokuu elokuuta sierpnia sierpien srpna srpen augusta augusztus
		aug ago sie kolovoza kolovoz augusts rugpjucio αυγουστος αυγουστου αυγ август августа серпня agustos agost lunasa`,
	`september septembre septiembre setembro settembre syyskuu syyskuuta wrzesnia wrzesien zari septembra septembrie szeptember
		sep sept set wrz rujna rujan septembris rugsejo σεπτεμβριος σεπτεμβριου σεπ септември сентября сентябрь вересня eylul setembre setiembre`,
	`october oktober octobre octubre outubro ottobre lokakuu lokakuuta pazdziernika pazdziernik rijna rijen oktobra octombrie
		oct okt out ott paz oktoober oktobris spalio οκτωβριος οκτωβριου οκτ октомври октября октябрь жовтня ekim`,
	`november novembre noviembre novembro marraskuu marraskuuta listopad listopada novembra noiembrie
		nov studenoga studeni studenog novembris lapkricio νοεμβριος νοεμβριου νοε ноември ноября ноябрь листопада kasim samhain`,
	`december dezember decembre diciembre dezembro dicembre joulukuu joulukuuta grudnia grudzien prosince prosinec decembra decembrie
		dec dez dic des gru prosinca prosinac detsember decembris gruodzio δεκεμβριος δεκεμβριου δεκ декември декабря декабрь грудня aralik desembre desember nollaig`,
}

// dateFillers stand in dates and say nothing of them: articles, "of", "year", and the names of days.
const dateFillers = `the of de del d di du den le la el dia r g m d gada gads rok roku год года г року an ano anno am on i
	monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
	montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche
	lunes martes miercoles jueves viernes sabado domingo lunedi martedi mercoledi giovedi venerdi sabato domenica
	maandag dinsdag woensdag donderdag vrijdag zaterdag zondag mandag tirsdag onsdag torsdag fredag lordag sondag
	mandag tisdag fredag lordag lun mer gio ven sab dom`

var dateWords = sync.OnceValue(func() map[string]time.Month {
	m := map[string]time.Month{}
	for w := range strings.FieldsSeq(dateFillers) {
		m[foldName(w)] = 0
	}
	for i, names := range monthNames {
		for w := range strings.FieldsSeq(names) {
			m[foldName(w)] = time.Month(i + 1)
		}
	}
	return m
})

var (
	// yearFirst is a date whose parts have dots or signs of the East Asian calendar behind them; the year may be one of
	// an era.
	yearFirst = regexp.MustCompile(`^(明治|大正|昭和|平成|令和|民國|民国|中華民國)?\s*(\d{1,4}|元)\s*(?:年|년|\.)\s*(?:(\d{1,2})\s*(?:月|월|\.)\s*(?:(\d{1,2})\s*(?:日|일|\.)?)?)?$`)
	dateToken = regexp.MustCompile(`\pL+|\d+|[^\pL\d]+`)
)

// eras are the years before the first of an era.
var eras = map[string]int{"": 0, "明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018, "民國": 1911, "民国": 1911, "中華民國": 1911}

// wordedDate reads a date that names its month, in any order of its parts ("12 March 2020", "März 2019", "Juli 2, 2020",
// "12-ene-2020"), or that is written as in East Asia ("2019年3月1日", "令和3年4月2日", "2018. 7. 5."). Words that it does not
// know make it no date.
func wordedDate(s string) (time.Time, Precision, bool) {
	if m := yearFirst.FindStringSubmatch(s); m != nil {
		year, _ := strconv.Atoi(m[2])
		if m[2] == "元" {
			year = 1
		}
		month, _ := strconv.Atoi(m[3])
		day, _ := strconv.Atoi(m[4])
		if m[1] == "" && len(m[2]) != 4 || m[1] != "" && m[3] == "" && !strings.Contains(s, "年") {
			return time.Time{}, "", false
		}
		return dateOf(year+eras[m[1]], time.Month(month), day, m[3] != "", m[4] != "")
	}
	if len(s) < 6 || len(s) > 60 || !strings.ContainsFunc(s, func(r rune) bool { return r > '9' }) {
		return time.Time{}, "", false
	}
	var month time.Month
	var day, year int
	ordinal := false // the token before is a day, which may have a suffix
	for _, t := range dateToken.FindAllString(s, -1) {
		n, err := strconv.Atoi(t)
		switch {
		case err == nil && len(t) == 4 && year == 0:
			year, ordinal = n, false
		case err == nil && len(t) <= 2 && day == 0:
			day, ordinal = n, true
		case err == nil:
			return time.Time{}, "", false
		case !unicode.IsLetter([]rune(t)[0]):
			if ordinal = false; strings.Trim(t, " ,.-/'’°\u00a0") != "" {
				return time.Time{}, "", false
			}
		default:
			w := foldName(t)
			known, ok := dateWords()[w]
			switch {
			case ordinal && ordinalEnds[w]:
			case !ok || known != 0 && month != 0:
				return time.Time{}, "", false
			case known != 0:
				month = known
			}
			ordinal = false
		}
	}
	if month == 0 || year == 0 {
		return time.Time{}, "", false
	}
	return dateOf(year, month, day, true, day != 0)
}

// ordinalEnds stand behind the number of a day.
var ordinalEnds = map[string]bool{"st": true, "nd": true, "rd": true, "th": true, "er": true, "re": true, "o": true, "º": true, "ª": true, "a": true, "e": true, "eme": true, "ste": true, "de": true}

// dateOf is a date by its parts, if it is one.
func dateOf(year int, month time.Month, day int, hasMonth, hasDay bool) (time.Time, Precision, bool) {
	precision := PrecisionDay
	if !hasDay {
		day, precision = 1, PrecisionMonth
	}
	if !hasMonth {
		month, precision = 1, PrecisionYear
	}
	t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	return t, precision, t.Year() == year && t.Month() == month && t.Day() == day
}

// listopad is November in Czech and Polish, and October in Croatian.
var listopad = regexp.MustCompile(`(?i)\blistopada?\b`)

// inCountry turns a date that would mean another day elsewhere into one that does not.
func inCountry(country, raw string) string {
	if country == "HR" || country == "BA" {
		raw = listopad.ReplaceAllString(raw, "october")
	}
	return dayFirst(country, CommonEra(country, raw))
}

// yearAhead is the year that a date begins with, countedAnew the countries whose calendars count theirs from another year:
// the Buddhist era of Thailand, the republic of Taiwan (Minguo).
var (
	yearAhead   = regexp.MustCompile(`^(\d{2,4})([-/.]\d{1,2}(?:[-/.]\d{1,2}(?:\D.*)?)?)?$`)
	countedAnew = map[string]struct{ offset, first, last int }{"TH": {-543, 2400, 2700}, "TW": {1911, 50, 199}}
)

// CommonEra writes the year of a date, or a year of four digits alone, as others count it. A year of the common era is
// none of those calendars.
func CommonEra(country, raw string) string {
	era, ok := countedAnew[country]
	if !ok {
		return raw
	}
	m := yearAhead.FindStringSubmatch(strings.TrimSpace(raw))
	if m == nil || m[2] == "" && len(m[1]) < 4 {
		return raw
	}
	year, err := strconv.Atoi(m[1])
	if err != nil || year < era.first || year > era.last {
		return raw
	}
	return strconv.Itoa(year+era.offset) + m[2]
}

// slashed is a date with slashes, with a time behind it or not.
var slashed = regexp.MustCompile(`^(\d{1,2})/(\d{1,2})/(\d{4})((?:,?\s+\d{1,2}:\d{2}.*)?)$`)

// dayFirst turns a date with slashes that has its month first into one that has its day first: where the country
// writes so, and where it cannot be meant otherwise.
func dayFirst(country, raw string) string {
	m := slashed.FindStringSubmatch(strings.TrimSpace(raw))
	if m == nil {
		return raw
	}
	first, _ := strconv.Atoi(m[1])
	second, _ := strconv.Atoi(m[2])
	if first > 12 || country != "US" && second <= 12 {
		return raw
	}
	return m[2] + "/" + m[1] + "/" + m[3] + m[4]
}

// sideMarks part the two ends of a period that is written in words, sideWords stand before them.
var (
	sideMarks = regexp.MustCompile(`(?i)\s+(?:[-–—~～]|to|until|till|through|bis|à|a|al|au|jusqu'à|hasta|até|fino\s+a|t/m|tot|do|til|till|–)\s+|\s*[～〜]\s*`)
	sideWords = regexp.MustCompile(`(?i)^(?:from|since|von|vom|ab|seit|de|du|depuis|desde|dal|dall'|van|vanaf|fra|från|od)\s+`)
)

// wordedSides are the two ends of a period that a text names with a word or a dash between them.
func wordedSides(s string) (from, to string, ok bool) {
	parts := sideMarks.Split(sideWords.ReplaceAllString(s, ""), -1)
	if len(parts) != 2 || parts[0] == "" || parts[1] == "" {
		return "", "", false
	}
	return parts[0], parts[1], true
}
