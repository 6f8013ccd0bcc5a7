package pages

import (
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/score"
)

// decimal writes a number with so many decimals as the language does.
func (t *locale) decimal(v float64, decimals int) string {
	return strings.Replace(strconv.FormatFloat(v, 'f', decimals, 64), ".", t.plain["decimal"], 1)
}

// points writes a score.
func (t *locale) points(v score.Tenths) string { return t.decimal(v.Float(), 1) }

// tenths is a score from its value in an answer.
func tenths(v float64) score.Tenths { return score.Tenths(v*10 + 0.5) }

// Day writes the UTC day of an instant as the language does.
func (t *locale) Day(at time.Time) string {
	at = at.UTC()
	n := at.Unix() / secondsOfDay
	kept := &t.days[uint64(n)%uint64(len(t.days))]
	if d := kept.Load(); d != nil && d.n == n {
		return d.text
	}
	d := &writtenDay{n, t.writeDay(at)}
	kept.Store(d)
	return d.text
}

// writtenDay is how a language writes a day, the one of that number since 1970. Pages name few days many times.
type writtenDay struct {
	n    int64
	text string
}

const secondsOfDay = 24 * 60 * 60

func (t *locale) writeDay(at time.Time) string {
	b := make([]byte, 0, 24)
	b = strconv.AppendInt(b, int64(at.Day()), 10)
	b = append(b, t.afterDay...)
	b = append(b, t.months[at.Month()-1]...)
	b = append(b, ' ')
	return string(strconv.AppendInt(b, int64(at.Year()), 10))
}

// readDates takes the parts of days from the strings: date.day is {d}, what follows it, {m} and {y}.
func (t *locale) readDates() {
	t.afterDay, _, _ = strings.Cut(strings.TrimPrefix(t.plain["date.day"], "{d}"), "{m}")
	for i := range t.months {
		t.months[i] = t.plain["month."+strconv.Itoa(i+1)]
	}
}

// counted is a string that tells how many; of one it may be another one.
func (t *locale) counted(key string, n int) string {
	if n == 1 {
		key += ".one"
	}
	return t.str(key, "n", t.number(n))
}
