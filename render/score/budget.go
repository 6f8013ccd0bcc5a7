package score

import (
	"fmt"
	"math/big"
	"strconv"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Budget is how a reliability target stands: what was measured in its window
// and how much of the failures that it allows have happened.
type Budget struct {
	Target *catalog.Target
	// Since is the first day of the window.
	Since time.Time
	// Checks were made in the window, Up of them succeeded.
	Checks, Up int
	// Measured is the success share in hundredths of a percent, rounded down,
	// so that 99.999 is never shown as 100; meaningless without checks.
	Measured int
	// Spent is the part of the allowed failures that have happened, in percent
	// rounded half up to 0.1: 100.0 is the whole budget, more is a target
	// missed. Failures where none is allowed spend 1000.0.
	Spent Tenths
	// Met tells that the measured share reaches the target.
	Met bool
}

// maxSpent bounds what Spent says of a budget of next to nothing.
const maxSpent = 10000

// BudgetOf measures a target by the days of its window, which ends on day.
func BudgetOf(t *catalog.Target, days []catalog.CheckDay, day time.Time) Budget {
	b := Budget{Target: t, Since: day.AddDate(0, 0, 1-max(1, t.WindowDays))}
	b.Up, b.Checks = count(days, b.Since)
	if b.Checks == 0 {
		return b
	}
	b.Measured = 10000 * b.Up / b.Checks
	down := big.NewRat(int64(100*(b.Checks-b.Up)), int64(b.Checks))
	allowed := new(big.Rat).Sub(big.NewRat(100, 1), decimal(t.Availability))
	b.Met = down.Cmp(allowed) <= 0
	switch {
	case down.Sign() == 0:
	case allowed.Sign() <= 0:
		b.Spent = maxSpent
	default:
		spent := new(big.Rat).Quo(down, allowed)
		spent.Mul(spent, big.NewRat(1000, 1)).Add(spent, big.NewRat(1, 2))
		b.Spent = maxSpent
		if n := new(big.Int).Quo(spent.Num(), spent.Denom()); n.IsInt64() && n.Int64() < maxSpent {
			b.Spent = Tenths(n.Int64())
		}
	}
	return b
}

// decimal is the number that a person wrote, not its nearest binary fraction.
func decimal(f float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'f', -1, 64))
	if !ok {
		return new(big.Rat)
	}
	return r
}

// String says how the target stands, in words.
func (b *Budget) String() string {
	text := strconv.FormatFloat(b.Target.Availability, 'f', -1, 64) + " % over " + strconv.Itoa(b.Target.WindowDays) + " days"
	if b.Checks == 0 {
		return text + "; not measured yet"
	}
	return fmt.Sprintf("%s; measured %d.%02d %% of %d checks, %s %% of the error budget spent", text, b.Measured/100, b.Measured%100, b.Checks, b.Spent)
}
