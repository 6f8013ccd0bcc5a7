package badge

import (
	"slices"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
)

// Kind is what a badge tells about an entry.
type Kind string

// Kinds of badges (specification, "Badges (SVG)").
const (
	KindScore    Kind = "score"
	KindTier     Kind = "tier"
	KindVerified Kind = "verified"
	KindType     Kind = "type"
	KindAccess   Kind = "access"
	KindCombined Kind = "combined"
)

// Kinds lists the kinds in their documented order.
func Kinds() []Kind {
	return []Kind{KindScore, KindTier, KindVerified, KindType, KindAccess, KindCombined}
}

// IsKind tells whether s names a kind.
func IsKind(s string) bool { return slices.Contains(Kinds(), Kind(s)) }

// facts are what the badges of an entry are made from.
type facts struct {
	name   string
	typ    catalog.EntryType
	status catalog.Status
	state  catalog.VerificationState
	access catalog.FreeAccessClass
	tier   catalog.MQATier
	mqa    score.Tenths
}

// Of makes the badge of an entry in a snapshot; an unknown kind gives Unknown.
func Of(l *snapshot.Line, kind Kind) Badge {
	f := facts{l.Name, l.Type, l.Status, l.State, l.FreeAccess, l.Tier, l.MQA}
	return f.badge(kind)
}

// OfScored makes the badge of an entry that was just scored: the same as Of
// its line.
func OfScored(s *snapshot.Scored, kind Kind) Badge {
	e, r := s.Entry(), &s.Result
	f := facts{e.Name, e.Type, e.Status, r.State, e.FreeAccessClass, r.Tier, r.MQA}
	return f.badge(kind)
}

// Unknown is the badge of an entry that does not exist, so that a page shows a
// grey badge instead of a broken picture.
func Unknown() Badge { return Badge{Label: "entry", Message: "not found"} }

func (f *facts) badge(kind Kind) Badge {
	b := Unknown()
	switch kind {
	case KindScore:
		b = f.score()
	case KindTier:
		b = Badge{Label: "quality tier", Message: string(f.tier), Colour: tiers[f.tier]}
	case KindVerified:
		b = f.verification()
	case KindType:
		b = Badge{Label: "type", Message: word(types[f.typ], f.typ), Colour: Blue}
	case KindAccess:
		a := accesses[f.access]
		b = Badge{Label: "access", Message: word(a.word, f.access), Colour: a.colour}
	case KindCombined:
		b = f.combined()
	}
	b.Subject = f.name
	return b
}

// word is the label of a value, or the value itself if it has none.
func word[T ~string](label string, value T) string {
	if label == "" {
		return string(value)
	}
	return label
}

func (f *facts) score() Badge {
	b := Badge{Label: "quality score", Message: string(catalog.TierUnranked), Colour: tiers[f.tier]}
	if f.tier != catalog.TierUnranked {
		b.Message = f.mqa.String() + "/100"
	}
	return b
}

// verification says of a deprecated entry that it is: a check that succeeds
// is no reason to start using it.
func (f *facts) verification() Badge {
	if f.status == catalog.StatusDeprecated {
		return Badge{Label: "verification", Message: "deprecated", Colour: Grey}
	}
	s := states[f.state]
	return Badge{Label: "verification", Message: word(s.word, f.state), Colour: s.colour}
}

// combined joins tier, score and verification. Its colour is that of the tier
// unless the entry cannot be relied on now.
func (f *facts) combined() Badge {
	v := f.verification()
	b := Badge{Label: "quality", Message: string(f.tier), Colour: tiers[f.tier]}
	if f.tier != catalog.TierUnranked {
		b.Message += " " + f.mqa.String()
	}
	b.Message += " · " + v.Message
	if f.status == catalog.StatusDeprecated || f.state == catalog.StateFailing {
		b.Colour = v.Colour
	}
	return b
}
