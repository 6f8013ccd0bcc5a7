package snapshot

import (
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// Room of the blocks of a interner: bytes of text, and texts of lists in the first
// block and in the largest.
const (
	textBlock = 64 << 10
	listFirst = 1 << 10
	listBlock = 64 << 10
)

// interner holds the texts of many lines for as long as the lines live: in a few
// large blocks, which the collector passes quickly, and once what many lines
// have in common.
type interner struct {
	text strings.Builder
	list []string
	// words are the texts, lists the lists, traits the traits that lines share.
	words  map[string]string
	lists  map[string][]string
	traits map[string]*Traits
	key    []byte
}

// newInterner makes a interner with the words of the closed vocabularies on it. Those
// are part of the program, where the collector does not look.
func newInterner() *interner {
	s := &interner{words: map[string]string{"": ""}, lists: map[string][]string{}, traits: map[string]*Traits{}}
	know(s, catalog.EntryTypes())
	know(s, catalog.Statuses())
	know(s, catalog.VerificationStates())
	know(s, catalog.InstitutionTypes())
	know(s, catalog.FreeAccessClasses())
	know(s, catalog.AuthTypes())
	know(s, catalog.MQATiers())
	know(s, catalog.Maturities())
	know(s, []catalog.CapabilityTier{catalog.TierLive, catalog.TierReference})
	return s
}

func know[T ~string](s *interner, words []T) {
	for _, w := range words {
		s.words[string(w)] = string(w)
	}
}

// keep moves the texts of a line to the interner. It drops those that only a draft
// asks for: the digest, and the folded name, which sortNames makes again.
func (s *interner) keep(l *Line) {
	name := l.Name
	l.ID, l.Slug, l.Name, l.Successor = s.own(l.ID), s.own(l.Slug), s.own(name), s.own(l.Successor)
	if l.NameEn == name {
		l.NameEn = l.Name
	} else {
		l.NameEn = s.own(l.NameEn)
	}
	for i := range l.Titles {
		l.Titles[i].Lang, l.Titles[i].Text = s.word(l.Titles[i].Lang), s.own(l.Titles[i].Text)
	}
	l.Qualifier = s.own(l.Qualifier)
	if m := l.Member; m != nil {
		m.Title, m.EntryID, m.Version = s.word(m.Title), s.word(m.EntryID), s.word(m.Version)
		m.Period.From, m.Period.To = s.word(m.Period.From), s.word(m.Period.To)
	}
	l.Mend, l.Months = s.word(l.Mend), s.word(l.Months)
	l.Tags, l.Serves, l.ServedBy = s.all(l.Tags, s.word), s.all(l.Serves, s.own), s.all(l.ServedBy, s.own)
	l.MayBe = s.all(l.MayBe, s.own)
	l.Traits = s.same(l.Traits)
	l.Digest, l.Sort = "", ""
}

// same are the traits that lines with equal ones share.
func (s *interner) same(t *Traits) *Traits {
	s.key = t.key(s.key[:0])
	kept, ok := s.traits[string(s.key)]
	if !ok {
		own := *t
		kept = &own
		s.traits[string(s.key)] = kept
		s.keepTraits(kept)
	}
	return kept
}

// key tells different traits apart.
func (t *Traits) key(b []byte) []byte {
	text := func(w string) { b = append(binary.AppendUvarint(b, uint64(len(w))), w...) }
	for _, w := range [...]string{t.Lang, string(t.Type), string(t.Status), string(t.State), t.Country, t.InstitutionID, string(t.InstType), t.Host, string(t.FreeAccess), string(t.Auth),
		string(t.Rights), t.LicenseID, string(t.Tier), string(t.Maturity), string(t.Capability), t.Frequency, t.LeftOut} {
		text(w)
	}
	for _, list := range [...][]string{t.Formats, t.Resources, t.Themes, t.HVD, t.Places, t.Allows, t.Concepts} {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, w := range list {
			text(w)
		}
	}
	for _, is := range [...]bool{t.Public, t.Download, t.Checkable} {
		b = strconv.AppendBool(b, is)
	}
	return b
}

func (s *interner) keepTraits(t *Traits) {
	for _, w := range []*string{&t.Lang, &t.Country, &t.InstitutionID, &t.Host, &t.LicenseID, &t.Frequency, &t.LeftOut} {
		*w = s.word(*w)
	}
	share(s, &t.Type)
	share(s, &t.Status)
	share(s, &t.State)
	share(s, &t.InstType)
	share(s, &t.FreeAccess)
	share(s, &t.Auth)
	share(s, &t.Rights)
	share(s, &t.Tier)
	share(s, &t.Maturity)
	share(s, &t.Capability)
	for _, list := range []*[]string{&t.Formats, &t.Resources, &t.Themes, &t.HVD, &t.Places, &t.Allows, &t.Concepts} {
		*list = s.shared(*list)
	}
}

// own puts a text of one line behind the others.
func (s *interner) own(text string) string {
	if s.text.Cap()-s.text.Len() < len(text) {
		s.text = strings.Builder{}
		s.text.Grow(max(textBlock, len(text)))
	}
	from := s.text.Len()
	s.text.WriteString(text)
	return s.text.String()[from:]
}

// word returns a text that many lines have.
func (s *interner) word(text string) string {
	kept, ok := s.words[text]
	if !ok {
		kept = s.own(text)
		s.words[kept] = kept
	}
	return kept
}

func share[T ~string](s *interner, word *T) { *word = T(s.word(string(*word))) }

// all puts a list of one line behind the others.
func (s *interner) all(list []string, keep func(string) string) []string {
	if len(list) == 0 {
		return nil
	}
	if cap(s.list)-len(s.list) < len(list) {
		s.list = make([]string, 0, max(len(list), listFirst, min(listBlock, 2*cap(s.list))))
	}
	from := len(s.list)
	for _, text := range list {
		s.list = append(s.list, keep(text))
	}
	return s.list[from:len(s.list):len(s.list)]
}

// shared returns a list of words that many lines have.
func (s *interner) shared(list []string) []string {
	s.key = s.key[:0]
	for _, text := range list {
		s.key = append(append(s.key, text...), 0)
	}
	kept, ok := s.lists[string(s.key)]
	if !ok {
		kept = s.all(list, s.word)
		s.lists[string(s.key)] = kept
	}
	return kept
}
