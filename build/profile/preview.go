package profile

import "github.com/assay-register/assay/render/catalog"

// Preview tells whether a preview of the sample rows may be shown, and if not,
// why: there must be rows, none withheld for the sake of persons, and a licence
// that does not forbid passing them on. An unknown licence does not: a few
// masked rows describe the data, they do not replace them.
func Preview(p *catalog.Profile, redistribution catalog.Right) (allowed bool, reason string) {
	switch {
	case p == nil:
		return false, "the data were not sampled"
	case p.Status != StatusOK:
		return false, "the data could not be read"
	case !p.PersonalData.Allowed:
		return false, "the rows are withheld because they are about single persons"
	case len(p.SampleRecords) == 0:
		return false, "the sample has no rows"
	case redistribution == catalog.RightNo:
		return false, "the licence forbids passing the data on"
	}
	return true, ""
}
