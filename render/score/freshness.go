package score

import (
	"math"
	"strconv"
	"time"
)

// ageSteps are the ages, in whole days, at which freshness takes another value. They
// double, as the curve flattens: an entry that nobody touches moves seven times in four
// years, on days that its own date decides, and then never again. Counted by the day it
// would move the pages of a whole register daily and tell no reader anything.
var ageSteps = []int{0, 7, 30, 90, 180, 365, 730, 1460}

// AgeSteps lists the ages at which freshness takes another value, in days.
func AgeSteps() []int { return append([]int(nil), ageSteps...) }

// ageStep is the last step that an age has reached; a day to come counts as today.
func ageStep(days int) int {
	step := ageSteps[0]
	for _, s := range ageSteps {
		if s <= days {
			step = s
		}
	}
	return step
}

func (r *Result) setFreshness(modified, day time.Time) {
	r.Maintenance = "0.0000"
	if modified.IsZero() {
		return
	}
	from := modified.UTC().Truncate(24 * time.Hour)
	step := ageStep(int(math.Floor(day.Sub(from).Hours() / 24)))
	r.FreshSince = from.AddDate(0, 0, step)
	m := math.Floor(math.Pow(0.5, float64(step)/HalfLifeDays)*10000+0.5) / 10000
	r.Maintenance = strconv.FormatFloat(m, 'f', 4, 64)
	r.Freshness, r.FreshnessKnown = Tenths(math.Floor(m*1000+0.5)), true
}
