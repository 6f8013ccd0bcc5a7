package source

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/search"
)

// codebook finds the codes of one vocabulary by whatever publishers write.
type codebook struct {
	// codes and names go from a code in upper case, and from the folded forms
	// of code, label and aliases, to the code; values from the table's values.
	codes, names, values map[string]string
}

var (
	fileTypes   = bookOf(reference.FileTypes, beyondFileTypes...)
	frequencies = bookOf(reference.Frequencies)
	themes      = bookOf(reference.Themes)
	hvdCodes    = bookOf(reference.HVDCategories)
)

// beyondFileTypes are formats that the EU table does not have and portals write in several ways: PC-Axis of statistics
// offices. They have one code each, and no IRI.
var beyondFileTypes = []reference.Code{{Code: "PX", LabelEn: "PC-Axis", Values: []string{"application/px", "application/x-px", "application/pcaxis", "application/x-pcaxis", "text/px", "text/x-px", "text/pcaxis", "text/x-pcaxis"},
	Aliases: []string{"pcaxisfile", "pxfile", "pcaxispx"}}}

// bookOf reads a table, and what is beyond it, at first use. The tables ship with the product and the
// tests read them all, so a broken one cannot get here.
func bookOf(load func() ([]reference.Code, error), beyond ...reference.Code) func() *codebook {
	return sync.OnceValue(func() *codebook {
		rows, err := load()
		if err != nil {
			panic(err)
		}
		rows = slices.Concat(rows, beyond)
		b := &codebook{codes: map[string]string{}, names: map[string]string{}, values: map[string]string{}}
		for _, r := range rows {
			b.codes[strings.ToUpper(r.Code)] = r.Code
			for _, v := range r.Values {
				b.values[v] = r.Code
			}
			for _, alias := range r.Aliases {
				b.names[alias] = r.Code
			}
		}
		// What the table says of itself gives way to the collected aliases.
		for _, r := range rows {
			for _, name := range []string{foldName(r.Code), foldName(r.LabelEn)} {
				if _, taken := b.names[name]; !taken {
					b.names[name] = r.Code
				}
			}
		}
		return b
	})
}

// find looks a code up by itself, by its IRI, or by a name.
func (b *codebook) find(raw string) (string, bool) {
	s := LastSegment(CleanText(raw))
	if code, ok := b.codes[strings.ToUpper(s)]; ok {
		return code, true
	}
	code, ok := b.names[foldName(s)]
	return code, ok
}

// LastSegment is what follows the last slash or number sign of an IRI, or the
// prefix of a prefixed name; other text is returned as it is.
func LastSegment(s string) string {
	if strings.Contains(s, "://") {
		s = strings.TrimRight(s, "/#")
		return s[strings.LastIndexAny(s, "/#")+1:]
	}
	if prefix, local, ok := strings.Cut(s, ":"); ok && prefix != "" && !strings.ContainsAny(s, " /") {
		return local
	}
	return s
}

// foldName keeps the letters and digits of a name, without case and accents.
func foldName(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return r
		}
		return -1
	}, search.Fold(s))
}

// Theme is the code of the EU data-theme authority table that an IRI, a code
// or a name in English, French, German, Italian or Spanish stands for.
func Theme(raw string) (code string, ok bool) { return themes().find(raw) }

// HVD is the code of the EU category of high-value datasets (Regulation (EU)
// 2023/138) that an IRI, a code or an English name stands for.
func HVD(raw string) (code string, ok bool) { return hvdCodes().find(raw) }
