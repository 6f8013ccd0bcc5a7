package personal

import (
	"regexp"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/profile/concept"
	"github.com/assay-register/assay/build/profile/infer"
	"github.com/assay-register/assay/build/profile/words"
)

// Column is what is known about a column before it is judged.
type Column struct {
	*infer.Column
	// Concept is the canonical scheme its values passed, empty for none.
	Concept string
	// Context names what a record is, as the path of the records says: the
	// "name" of a "commune" is no person's.
	Context string
	// Open tells that there are no values to look at, as in an API's schema.
	Open bool
}

// Verdict is the class of a column, how sure that is (0 to 1), and whether its
// values must be masked.
type Verdict struct {
	Class      Class
	Confidence float64
	// ByValue tells that the values show it, not the name alone.
	ByValue bool
	Mask    bool
}

// judge classes one column by itself.
func judge(c *Column) Verdict {
	header := OfHeader(leaf(c.Name))
	if whole := OfHeader(near(c.Name)); header == "" || header == Name || header == Identifier && identifying[whole] {
		header = whole
	}
	if c.Label != "" && header == "" {
		header = OfHeader(c.Label)
	}
	if about := OfHeader(leaf(c.Context)); header == Name && (about == Entity || about == Place) {
		header = about
	}
	if c.Open || c.Filled == 0 {
		return byName(header, c)
	}
	if v, ok := byPattern(header, c); ok {
		return v
	}
	switch c.kind() {
	case infer.String, infer.ID:
		return byText(header, c)
	}
	return byType(header, c)
}

// leaf is the last step of a path, without the sign of a list.
func leaf(name string) string {
	name = strings.TrimSuffix(name, "[]")
	if i := strings.LastIndex(name, "."); i >= 0 && i+1 < len(name) && !strings.Contains(name, " ") {
		return name[i+1:]
	}
	return name
}

// near is the last two steps of a path: the owner's region is no owner.
func near(name string) string {
	if strings.Contains(name, " ") {
		return name
	}
	steps := strings.Split(strings.ReplaceAll(name, "[]", ""), ".")
	return strings.Join(steps[max(0, len(steps)-2):], " ")
}

func (c *Column) kind() infer.Type {
	if c.Type == infer.Array {
		return c.Items
	}
	return c.Type
}

// text tells that the values are no numbers.
func (c *Column) text() bool { return c.kind() == infer.String || c.kind() == infer.ID }

// byName is for columns without values.
func byName(header Class, c *Column) Verdict {
	switch k := c.kind(); {
	case header == "" || header == Name:
		return Verdict{Class: Text, Confidence: 0.3}
	case header == FullName && (k == infer.Integer || k == infer.Decimal || k == infer.Boolean):
		return Verdict{Class: Measure, Confidence: 0.6}
	case identifying[header] && k == infer.Boolean:
		return Verdict{Class: Category, Confidence: 0.6}
	}
	return Verdict{Class: header, Confidence: 0.7}
}

// byPattern finds what the form of the values and their check digits tell.
func byPattern(header Class, c *Column) (Verdict, bool) {
	found := func(class Class, confidence float64) (Verdict, bool) {
		if header == class {
			confidence = 0.99
		}
		return Verdict{Class: class, Confidence: confidence, ByValue: true}, true
	}
	switch {
	case c.Concept == concept.ORCID:
		return found(NationalID, 0.99)
	case c.Concept == concept.VAT && c.share(spanishPerson) > 0:
		return found(NationalID, 0.9)
	case c.share(isEmail) >= half:
		return found(Email, 0.97)
	case c.share(isIBAN) >= most:
		return found(IBAN, 0.97)
	case c.share(isIP) >= most && c.kind() == infer.String:
		return found(IP, 0.9)
	case c.Concept == "" && c.national(true):
		return found(NationalID, 0.95)
	case c.Concept == "" && header != Measure && header != Identifier && !settled[c.kind()] && c.share(isPhone) >= most:
		return found(Phone, 0.85)
	case c.Concept == "" && (header == Measure || header == Identifier) && c.text() && c.long() && c.share(dialled) >= most:
		return found(Phone, 0.6)
	case c.Concept == "" && (header == "" || header == NationalID) && c.kind() != infer.Decimal && c.national(false):
		return found(NationalID, 0.8)
	}
	return Verdict{}, false
}

// Shares of the values from which on a column is of a class.
const (
	half = 0.5
	most = 0.8
)

// settled are types that no telephone number has.
var settled = map[infer.Type]bool{infer.Decimal: true, infer.Boolean: true, infer.Date: true, infer.DateTime: true, infer.Time: true,
	infer.Year: true, infer.YearMonth: true, infer.GeoPoint: true, infer.Geometry: true, infer.URL: true}

// looked is how many values a share rests on.
const looked = 500

func (c *Column) share(is func(string) bool) float64 {
	values := c.Values[:min(len(c.Values), looked)]
	if len(values) == 0 {
		return 0
	}
	hits := 0
	for _, v := range values {
		if is(v) {
			hits++
		}
	}
	return float64(hits) / float64(len(values))
}

// national tells that most values are national identity numbers of one state.
// Numbers of a weak scheme must be several, since one in ten fits by chance.
func (c *Column) national(strong bool) bool {
	values := c.Values[:min(len(c.Values), looked)]
	if !strong && len(values) < 3 {
		return false
	}
	hits := make([]int, len(nationalSchemes))
	for _, v := range values {
		for i := range nationalSchemes {
			if (nationalSchemes[i].strong || !strong) && nationalSchemes[i].fits(v) {
				hits[i]++
			}
		}
	}
	return len(values) > 0 && float64(slices.Max(hits)) >= most*float64(len(values))
}

func spanishPerson(v string) bool {
	v = separators.Replace(v)
	return strings.HasPrefix(v, "ES") && nationalSchemes[0].form.MatchString(v[2:])
}

// byType is for columns whose type speaks for them: numbers, dates, places,
// addresses of the web. A long number under an unknown name is undecided, for
// it may be a telephone or a national number.
func byType(header Class, c *Column) Verdict {
	k := c.kind()
	number := k == infer.Integer || k == infer.Decimal
	switch {
	case k == infer.Boolean && identifying[header]:
		return Verdict{Class: Category, Confidence: 0.8}
	case number && header == FullName, number && (header == BirthDate || header == GivenName || header == FamilyName) && !c.long():
		return Verdict{Class: Measure, Confidence: 0.7}
	case header == Phone && number && !c.long(), k == infer.URL && (header == FullName || header == Phone):
		return Verdict{Class: Identifier, Confidence: 0.6}
	case header == BirthDate || header == Sensitive || identifying[header] || traits[header]:
		return Verdict{Class: header, Confidence: 0.85}
	case k == infer.Integer && c.long() && header != Measure && header != Identifier && c.Concept == "":
		return undecided()
	case number:
		return Verdict{Class: Measure, Confidence: 0.9}
	case k == infer.Object, k == infer.Unknown:
		return Verdict{Class: Text, Confidence: 0.5}
	case k == infer.URL:
		return Verdict{Class: Identifier, Confidence: 0.8}
	case k == infer.GeoPoint || k == infer.Geometry:
		return Verdict{Class: Place, Confidence: 0.9}
	case k == infer.Boolean:
		return Verdict{Class: Category, Confidence: 0.9}
	}
	return Verdict{Class: Moment, Confidence: 0.9}
}

// long tells that most values have at least seven digits and hardly repeat.
func (c *Column) long() bool {
	return c.Distinct*10 >= int64(c.Filled)*8 && c.share(func(v string) bool { return digits(v) >= 7 }) >= half
}

func undecided() Verdict { return Verdict{Class: Undecided, Confidence: 0.5, ByValue: true} }

// byText is for text and keys.
func byText(header Class, c *Column) Verdict {
	if c.Concept != "" {
		return Verdict{Class: conceptClass(header), Confidence: 0.95, ByValue: true}
	}
	entity := c.share(hasEntityWord)
	switch header {
	case FullName, Status:
		if entity >= 0.6 {
			return Verdict{Class: Entity, Confidence: 0.8, ByValue: true}
		}
		return Verdict{Class: header, Confidence: 0.85}
	case Entity, Place, Category, Text, Identifier:
		return c.doubt(header, entity)
	case "", Name, Measure, Moment:
		return c.unnamed(header, entity)
	}
	if header == Plate && c.share(plateForm.MatchString) < half {
		return Verdict{Class: Plate, Confidence: 0.6}
	}
	return Verdict{Class: header, Confidence: 0.85}
}

// conceptClass is the class of codes: countries are places in a table of places
// and nationalities in a table of persons.
func conceptClass(header Class) Class {
	if traits[header] || header == Place || header == Category {
		return header
	}
	return Identifier
}

// doubt checks that a column whose name speaks of things does not hold names of
// persons.
func (c *Column) doubt(header Class, entity float64) Verdict {
	single := header != Place && header != Category
	names := c.share(func(v string) bool { return nameShape(v, single) && hasGivenName(v) })
	limit := 0.4
	if header == Place {
		limit = 0.6
	}
	if names >= limit && entity < 0.2 && header != Identifier {
		return undecided()
	}
	return Verdict{Class: header, Confidence: 0.85}
}

// unnamed judges text under a name that says nothing.
func (c *Column) unnamed(header Class, entity float64) Verdict {
	shape := c.share(func(v string) bool { return nameShape(v, true) })
	given := c.share(func(v string) bool { return nameShape(v, true) && hasGivenName(v) })
	switch {
	case entity >= half && given < 0.3:
		return Verdict{Class: Entity, Confidence: 0.75, ByValue: true}
	case header != Name && header != "" && c.share(numberText) == 1, c.share(numberText) == 1 && !c.long():
		return Verdict{Class: Measure, Confidence: 0.7, ByValue: true}
	case shape >= half && (given >= half || given >= 0.3 && header == Name):
		return Verdict{Class: FullName, Confidence: 0.85, ByValue: true}
	case header == Name && shape < 0.3 && c.share(words2) >= half:
		return Verdict{Class: Entity, Confidence: 0.6, ByValue: true}
	case c.coded():
		return Verdict{Class: Category, Confidence: 0.7, ByValue: true}
	}
	return undecided()
}

var (
	numberForm = regexp.MustCompile(`^[-+]?\d+(?:[.,]\d+)?$`)
	shortForm  = regexp.MustCompile(`^[A-Z]{0,2}\d{1,3}[A-Z]?$`)
)

func numberText(v string) bool { return numberForm.MatchString(v) }

// shortCode is too short to belong to one person, such as the number of a road.
func shortCode(v string) bool { return len(v) <= 4 && shortForm.MatchString(v) }

// words2 is a phrase with a small letter at the beginning of a later word, as
// titles have and names do not.
func words2(v string) bool {
	return len(words.Split(v)) >= 2 && !nameShape(v, true)
}

// coded tells that few short codes repeat often: letters without a vowel-rich
// word, such as "A", "B2", "kWh", or small letters only.
func (c *Column) coded() bool {
	if c.share(shortCode) == 1 {
		return true
	}
	if c.Filled < int(c.Distinct)*4 || c.Distinct > 12 || c.AtLeast {
		return false
	}
	for _, v := range c.Values {
		small := v == strings.ToLower(v)
		if hasGivenName(v) || !small && (len(v) > 4 || strings.Contains(v, " ")) {
			return false
		}
	}
	return true
}
