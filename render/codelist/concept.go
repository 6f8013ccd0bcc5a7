package codelist

import (
	"strings"
	"sync"
)

// Concept is one thing with its codes by notation.
type Concept struct {
	Kind  Kind
	Label string
	Codes map[string][]string
	// also are spellings that mean the concept and are not answered: the bare
	// code of an EU address.
	also map[string][]string
}

func newConcept(kind Kind, label string) *Concept {
	return &Concept{Kind: kind, Label: label, Codes: map[string][]string{}, also: map[string][]string{}}
}

// set gives the concept its codes in a notation, without empty ones.
func (c *Concept) set(notation string, codes ...string) {
	for _, code := range codes {
		if code != "" {
			c.Codes[notation] = append(c.Codes[notation], code)
		}
	}
}

// setEU gives the concept its address in an EU authority table.
func (c *Concept) setEU(notation, list, code string) {
	if code != "" {
		c.set(notation, Authority+list+"/"+code)
		c.also[notation] = []string{code}
	}
}

// place is where a spelling occurs.
type place struct {
	concept  *Concept
	notation string
}

// index finds the concepts of the tables by spelling in lower case.
var index = sync.OnceValue(func() map[string][]place {
	out := map[string][]place{}
	for _, list := range [][]*Concept{countries(), languages(), fileTypes(), licences()} {
		for _, c := range list {
			for _, n := range notations {
				for _, code := range append(c.Codes[n.ID], c.also[n.ID]...) {
					key := strings.ToLower(code)
					out[key] = append(out[key], place{c, n.ID})
				}
			}
		}
	}
	return out
})

// lists are the rows of codes.tsv by list.
var lists = sync.OnceValue(func() map[string][]Code {
	out := map[string][]Code{}
	for c := range Codes() {
		out[c.List] = append(out[c.List], c)
	}
	return out
})

func countries() []*Concept {
	eu := map[string]string{}
	for _, c := range lists()["country"] {
		eu[c.Extra] = c.Code
	}
	var out []*Concept
	for row := range rows("countries.tsv") {
		c := newConcept(KindCountry, row[3])
		c.set(Alpha2, row[0])
		c.set(Alpha3, row[1])
		c.set(Numeric, row[2])
		c.setEU(EUCountry, "country", eu[row[0]])
		if region := nutsCountry(row[0]); regions()[region] {
			c.set("nuts-0", region)
		}
		out = append(out, c)
	}
	return out
}

// languages are those of ISO 639-1 and the others of the EU table.
func languages() []*Concept {
	eu, done := map[string]string{}, map[string]bool{}
	for _, c := range lists()["language"] {
		eu[c.Code] = c.Label
	}
	var out []*Concept
	for row := range rows("languages.tsv") {
		c := newConcept(KindLanguage, row[3])
		c.set(Lang1, row[0])
		c.set(Lang2B, row[1])
		c.set(Lang2T, row[2])
		c.set(Lang3, row[2])
		if code := strings.ToUpper(row[2]); eu[code] != "" {
			c.setEU(EULanguage, "language", code)
			done[code] = true
		}
		out = append(out, c)
	}
	for _, row := range lists()["language"] {
		if done[row.Code] {
			continue
		}
		c := newConcept(KindLanguage, row.Label)
		if len(row.Code) == 3 && row.Code[0] >= 'A' {
			c.set(Lang3, strings.ToLower(row.Code))
		}
		c.setEU(EULanguage, "language", row.Code)
		out = append(out, c)
	}
	return out
}

func fileTypes() []*Concept {
	extensions := map[string][]string{}
	for row := range rows("extensions.tsv") {
		extensions[row[0]] = strings.Split(row[1], "|")
	}
	var out []*Concept
	for _, row := range lists()["file-type"] {
		c := newConcept(KindFileType, row.Label)
		c.set(MediaType, strings.Fields(row.Extra)...)
		c.set(Extension, extensions[row.Code]...)
		c.setEU(EUFileType, "file-type", row.Code)
		out = append(out, c)
	}
	return out
}

// licences are those of the EU table, with their SPDX ids where one was found.
func licences() []*Concept {
	spdx := map[string]string{}
	for _, row := range lists()["licence-spdx"] {
		spdx[row.Label] = row.Code
	}
	var out []*Concept
	for _, row := range lists()["licence"] {
		c := newConcept(KindLicence, row.Label)
		c.set(SPDX, spdx[row.Code])
		c.setEU(EULicence, "licence", row.Code)
		out = append(out, c)
	}
	return out
}
