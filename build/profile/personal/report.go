package personal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/profile/concept"
	"github.com/assay-register/assay/build/profile/infer"
	"github.com/assay-register/assay/render/catalog"
)

// Statuses of personal data. An empty status says that no values were seen.
const (
	StatusNone     = "none"
	StatusPossible = "possible"
	StatusPersonal = "personal"
)

// Grains: what one record is about.
const (
	GrainPerson       = "person"
	GrainEntity       = "entity"
	GrainAggregate    = "aggregate"
	GrainUndetermined = "undetermined"
)

// Publications of the sample.
const (
	Shown    = "shown"
	Masked   = "masked"
	Withheld = "withheld"
)

// Classify judges the columns of a table together: what one record is about
// decides whether a date or an address is personal. It returns a verdict for
// each column and the summary that the profile shows.
func Classify(columns []Column) ([]Verdict, catalog.PersonalData) {
	verdicts := make([]Verdict, len(columns))
	for i := range columns {
		verdicts[i] = judge(&columns[i])
	}
	parts(columns, verdicts)
	grain := grainOf(columns, verdicts)
	for i := range columns {
		verdicts[i].settle(&columns[i], grain)
	}
	return verdicts, summary(columns, verdicts, grain)
}

// parts tells the parts of names: beside a family name, a bare "name" is the
// given one, and beside a given name, what looks like names and was not decided
// is the family name.
func parts(columns []Column, verdicts []Verdict) {
	has := func(class Class) bool {
		return slices.ContainsFunc(verdicts, func(v Verdict) bool { return v.Class == class })
	}
	family, given := has(FamilyName), has(GivenName)
	for i := range verdicts {
		c, v := &columns[i], &verdicts[i]
		switch {
		case OfHeader(c.Name) != Name:
		case family && v.Class == FullName:
			v.Class = GivenName
		case given && !family && v.Class == Undecided && c.share(func(s string) bool { return nameShape(s, true) }) >= half:
			*v = Verdict{Class: FamilyName, Confidence: 0.75, ByValue: true}
		}
	}
}

// grainOf is person if something only persons have is there. Names beside
// organisations are their contacts, unless there is more about the person.
func grainOf(columns []Column, verdicts []Verdict) string {
	n := map[Class]int{}
	keys, measures := 0, 0
	for i, v := range verdicts {
		n[v.Class]++
		if v.Class == Identifier && columns[i].Distinct*10 >= int64(columns[i].Filled)*9 && columns[i].Filled > 1 {
			keys++
		}
		if v.Class == Measure {
			measures++
		}
	}
	people := n[FullName] + n[GivenName] + n[FamilyName] + n[Username]
	entities := n[Entity] > 0
	for _, c := range columns {
		entities = entities || c.Concept == concept.SIREN || c.Concept == concept.SIRET || c.Concept == concept.LEI
	}
	switch {
	case n[NationalID]+n[BirthDate] > 0, n[GivenName] > 0 && n[FamilyName] > 0, people > 0 && (n[Sex]+n[Age]+n[Nationality]+n[Sensitive] > 0 || !entities):
		return GrainPerson
	case n[Sex]+n[Age]+n[Sensitive] > 0 && keys > 0 && measures < 2:
		return GrainPerson
	case entities:
		return GrainEntity
	case n[Undecided]+n[Name]+n[Email]+n[Phone]+n[IBAN]+n[IP]+n[Plate]+n[Address] > 0:
		return GrainUndetermined
	case measures > 0:
		return GrainAggregate
	case n[Place]+n[Identifier]+n[Category] > 0:
		return GrainEntity
	}
	return GrainUndetermined
}

// settle decides about masking, and turns what surrounds a person into traits.
func (v *Verdict) settle(c *Column, grain string) {
	if grain == GrainPerson {
		key := c.Distinct*10 >= int64(c.Filled)*9 && c.Filled > 0
		switch v.Class {
		case Identifier:
			if key && c.kind() != infer.URL && (c.Concept == "" || c.Concept == concept.VAT) {
				v.Class = PersonID
			} else if key && c.kind() == infer.URL {
				v.Class = Trait
			}
		case Category:
			if key {
				v.Class = Trait
			}
		case Moment, Text, Place, Entity:
			if k := c.kind(); key || v.Class != Moment || k == infer.Date || k == infer.DateTime || k == infer.GeoPoint {
				v.Class = Trait
			}
		case Measure:
			if concept.AxisOf(c.Name) != "" {
				v.Class = Trait
			}
		}
	}
	v.Mask = identifying[v.Class] || traits[v.Class] && grain == GrainPerson || v.Class == Address && grain != GrainEntity ||
		v.Class == Status && c.kind() == infer.String && c.share(func(s string) bool { return strings.Count(s, " ") >= 3 }) > 0.2
}

func summary(columns []Column, verdicts []Verdict, grain string) catalog.PersonalData {
	p := catalog.PersonalData{Status: StatusNone, Grain: grain, Allowed: true, Publication: Shown}
	var masked []string
	names, values, certain, open := false, false, false, len(columns) > 0
	for i, v := range verdicts {
		group(&p.Columns, v, &columns[i])
		open = open && columns[i].Open
		if !v.Mask {
			continue
		}
		masked = append(masked, columns[i].Name)
		certain = certain || v.Class != Undecided && (v.Class != Address || grain == GrainPerson)
		names, values = names || !v.ByValue, values || v.ByValue
		if v.Class == Sensitive {
			p.Allowed, p.Publication = false, Withheld
		}
	}
	if len(masked) == 0 {
		if open {
			p.Status, p.Basis, p.Grain, p.Publication = "", "field names", "", ""
		}
		return p
	}
	p.Status, p.Basis = StatusPossible, basis(names, values)
	if certain {
		p.Status = StatusPersonal
	}
	if p.Publication == Shown {
		p.Publication = Masked
		p.Notice = catalog.NoticeMasked
	} else {
		p.Notice = catalog.NoticeWithheld
	}
	p.PublicationEvidence = fmt.Sprintf("%d of %d columns are masked", len(masked), len(columns))
	return p
}

func basis(names, values bool) string {
	switch {
	case names && values:
		return "column names and values"
	case names:
		return "column names"
	}
	return "values"
}

// group puts the name of a column where the specification wants it
// ("personal_data", columns). Columns that are shown and no numbers or keys
// stand nowhere.
func group(g *catalog.PersonalColumns, v Verdict, c *Column) {
	switch {
	case v.Class == Undecided:
		g.UnresolvedNames = append(g.UnresolvedNames, c.Name)
	case v.Class == FamilyName:
		g.FamilyNames = append(g.FamilyNames, c.Name)
	case v.Class == GivenName:
		g.GivenNames = append(g.GivenNames, c.Name)
	case identifying[v.Class] && v.Class != BirthDate:
		g.DirectIdentifiers = append(g.DirectIdentifiers, c.Name)
	case v.Mask:
		g.Attributes = append(g.Attributes, c.Name)
	case v.Class == Measure:
		g.Measures = append(g.Measures, c.Name)
	case v.Class == Identifier:
		g.EntityIdentifiers = append(g.EntityIdentifiers, c.Name)
	}
}
