package ogc

import "github.com/assay-register/assay/dynamic/query"

// truth is a condition of three values, as in SQL: what is asked of a property that an entry
// does not have neither holds nor fails.
type truth struct{ holds, fails query.Condition }

// known is a condition that has an answer for all entries.
func known(c query.Condition) truth { return truth{c, query.Not(c)} }

// asked is a condition that only entries without null have an answer to.
func asked(test, null func(*line) bool) truth {
	return truth{
		query.Fits(func(l *line) bool { return !null(l) && test(l) }),
		query.Fits(func(l *line) bool { return !null(l) && !test(l) }),
	}
}

func (t truth) not() truth { return truth{t.fails, t.holds} }

func allOf(list []truth) truth {
	holds, fails := parts(list)
	return truth{query.Every(holds...), query.Either(fails...)}
}

func anyOf(list []truth) truth {
	holds, fails := parts(list)
	return truth{query.Either(holds...), query.Every(fails...)}
}

func parts(list []truth) (holds, fails []query.Condition) {
	for _, t := range list {
		holds, fails = append(holds, t.holds), append(fails, t.fails)
	}
	return holds, fails
}
