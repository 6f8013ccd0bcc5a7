package publisher

import (
	"cmp"
	"slices"
)

// evidence groups reasons that do not stand independently of each other.
type evidence int

const (
	evidenceName evidence = iota
	evidenceDomain
	evidenceOrg
)

// Points of evidence. A domain or an organisation stands in the register of
// institutions and cannot be claimed by others, but a host also serves what
// others publish; a name can be shared.
const (
	pointsHome   = 85
	pointsDomain = 80
	pointsOrg    = 75
)

// localLoss is taken off the name of a national body in a local catalogue, so
// that it needs other evidence as well.
const localLoss = 30

// nameKind says how a name leads to an institution.
type nameKind int

const (
	kindName nameKind = iota
	kindEnglish
	kindAlias
	kindLatin
	kindAcronym
	kindInitials
	kindWords
)

// namePoints are the points of an exact hit, and for kindWords of a name whose
// words are the same in another order.
var namePoints = map[nameKind]int{
	kindName: 95, kindEnglish: 92, kindAlias: 90, kindLatin: 88, kindAcronym: 75, kindInitials: 72, kindWords: 88,
}

var nameTexts = map[nameKind]string{
	kindName: "exact name", kindEnglish: "exact English name", kindAlias: "known alias", kindLatin: "name in plain Latin letters",
	kindAcronym: "acronym", kindInitials: "initials of the name", kindWords: "words of the name",
}

// placed lowers the points of a name by what is known of the country: the same
// name in another country is another body; bodies of the Union and of the
// United Nations are listed in every country.
func placed(points int, kind nameKind, country, of string) int {
	short := kind == kindAcronym || kind == kindInitials
	switch {
	case country == of && of != "":
		return points
	case supranational(of):
		return points - 5
	case country == "" || supranational(country):
		if short {
			return points / 2
		}
		return points - 10
	default:
		return points * 2 / 5
	}
}

func supranational(country string) bool { return country == "EU" || country == "UN" }

// combine keeps the best reason of each kind and adds them up: each takes its
// share off the doubt that is left.
func combine(reasons []Reason) ([]Reason, int) {
	slices.SortFunc(reasons, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(b.Points, a.Points), cmp.Compare(a.Text, b.Text))
	})
	best := slices.CompactFunc(reasons, func(a, b Reason) bool { return a.kind == b.kind })
	doubt := 100.0
	for _, r := range best {
		doubt = doubt * float64(100-r.Points) / 100
	}
	slices.SortStableFunc(best, func(a, b Reason) int { return cmp.Compare(b.Points, a.Points) })
	return best, int(100 - doubt)
}
