package lint

import (
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/score"
)

// Pack writes gaps in a few bytes, for indexes that hold every entry: "description=35"
// is a field and tenths of points, several with a semicolon between.
func Pack(list []Gap) string {
	var b strings.Builder
	for i := range list {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteString(strings.TrimPrefix(list[i].Rule, gapPrefix))
		b.WriteByte('=')
		b.WriteString(strconv.Itoa(int(list[i].Points*10 + 0.5)))
	}
	return b.String()
}

const gapPrefix = "missing."

// Packed is a gap as Pack writes it.
type Packed struct {
	Rule   *Rule
	Points score.Tenths
}

// Unpack reads what Pack wrote; rules that are known no more are left out.
func Unpack(s string) (out []Packed) {
	for part := range strings.SplitSeq(s, ";") {
		name, points, ok := strings.Cut(part, "=")
		n, err := strconv.Atoi(points)
		if !ok || err != nil {
			continue
		}
		r := byID[gapPrefix+name]
		if r == nil {
			r = byID[name]
		}
		if r != nil {
			out = append(out, Packed{r, score.Tenths(n)})
		}
	}
	return out
}

// Field is the published field of a rule for what nobody filled in, "license" for the
// clarity of a licence.
func (r *Rule) Field() string {
	if r.ID == "licence.clarity" {
		return "license"
	}
	return strings.TrimPrefix(r.ID, gapPrefix)
}
