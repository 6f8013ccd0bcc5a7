package score

import (
	"math"
	"strconv"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Popularity counts the uses of the last PopularityDays full UTC days on a
// scale of logarithms, on which PopularityFull uses are the most that count
// (decisions §5, "Quality").
const (
	PopularityDays = 90
	PopularityFull = 999
)

// UsesSince is the first day whose uses count for the scores of a day.
func UsesSince(day time.Time) time.Time { return day.AddDate(0, 0, -PopularityDays) }

// Popularity is log10(1 + uses) / log10(1 + PopularityFull), at most 1, in
// ten-thousandths, rounded half up.
func Popularity(u catalog.Uses) int {
	share := math.Log10(float64(1+u.Sum())) / math.Log10(1+PopularityFull)
	return int(math.Floor(10000*math.Min(1, share) + 0.5))
}

// setPopularity leaves it unknown for official data and in a register that has
// counted no uses at all: there nothing can be said about one entry.
func (r *Result) setPopularity(u *catalog.Uses) {
	r.PopularityScore = "0.0000"
	if r.PublicSector || u == nil {
		return
	}
	p := Popularity(*u)
	r.PopularityScore = strconv.FormatFloat(float64(p)/10000, 'f', 4, 64)
	r.Popularity, r.PopularityKnown = Tenths((p+5)/10), true
}
