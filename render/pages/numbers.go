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
	return t.str("date.day", "d", strconv.Itoa(at.Day()), "m", t.plain["month."+strconv.Itoa(int(at.Month()))], "y", strconv.Itoa(at.Year()))
}

// counted is a string that tells how many; of one it may be another one.
func (t *locale) counted(key string, n int) string {
	if n == 1 {
		key += ".one"
	}
	return t.str(key, "n", t.number(n))
}
