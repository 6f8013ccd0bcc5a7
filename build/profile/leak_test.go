package profile

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// person is a made person; every value must not be seen in a profile.
type person struct{ given, family, email, phone, id, birth, iban string }

var (
	familyParts = []string{"Papa", "Kowal", "Lind", "Berg", "Rossi", "Mart", "Novak", "Ion", "Szab", "Kask", "Ozol", "Müll", "García", "Ştef", "Łuka", "Ντόκο", "Иван"}
	familyEnds  = []string{"dopoulos", "ski", "ström", "mann", "ni", "inez", "ova", "escu", "ó", "ik", "iņš", "er", "quez", "an", "siewicz", "λης", "ов"}
	given       = []string{"Maria", "Xanthippe", "Hans", "Zbigniew", "Élodie", "Søren", "Ioannis", "Γιώργος", "Иванка", "Þóra", "Quirin", "Aoife", "Nguyet", "Wafaa"}
)

func people(t *rapid.T, n int) []person {
	out := make([]person, n)
	write := drawManner(t)
	for i := range out {
		g := rapid.SampledFrom(given).Draw(t, "given")
		f := rapid.SampledFrom(familyParts).Draw(t, "part") + rapid.SampledFrom(familyEnds).Draw(t, "end")
		day, month, year := rapid.IntRange(1, 28).Draw(t, "day"), rapid.IntRange(1, 12).Draw(t, "month"), rapid.IntRange(1930, 1999).Draw(t, "year")
		serial := rapid.IntRange(1000, 9998).Draw(t, "serial")
		out[i] = person{given: g, family: f, email: fmt.Sprintf("user%d.%d@mail.example.org", serial, i), birth: fmt.Sprintf("%04d-%02d-%02d", year, month, day),
			phone: write.phone(rapid.IntRange(20, 99).Draw(t, "cc"), rapid.IntRange(10, 99).Draw(t, "area"), 1234567+serial*7+i),
			id:    write.id(year, month, day, serial), iban: iban(serial*1000 + i)}
	}
	return out
}

// iban is a German account with its check digits.
func iban(n int) string {
	account := fmt.Sprintf("37040044%010d", n)
	rest := 0
	for _, c := range account + "131400" {
		rest = (rest*10 + int(c-'0')) % 97
	}
	return fmt.Sprintf("DE%02d%s", 98-rest, account)
}

// personalHeaders are usual and unusual names of the columns, some say nothing.
var personalHeaders = [][]string{
	{"first_name", "Vorname", "Prénom", "imię", "f1", "Όνομα", "A"},
	{"last_name", "Nachname", "nom", "nazwisko", "f2", "Επώνυμο", "B"},
	{"email", "E-Mail", "courriel", "kontakt", "f3", "description", "C"},
	{"phone", "Telefonnummer", "tel", "numer", "f4", "τηλ", "value"},
	{"pesel", "national_id", "identyfikator", "code", "f5", "id", "count"},
	{"date_of_birth", "Geburtsdatum", "né le", "data urodzenia", "birthday", "dob", "E"},
	{"iban", "Konto", "compte", "account", "f7", "category", "F"},
	{"full name", "owner", "Ansprechpartner", "x", "mayor", "", "created_by"},
}

// cells are the values of the columns that are kept, after a count.
func (p *person) cells(keep []int) []string {
	out := []string{fmt.Sprint(len(p.family))}
	for _, k := range keep {
		out = append(out, []string{p.given, p.family, p.email, p.phone, p.id, p.birth, p.iban, p.given + " " + p.family}[k])
	}
	return out
}

// secrets are what must not be seen: short names may be part of other words.
func (p *person) secrets(birth bool) []string {
	out := []string{p.email, p.phone, p.id, p.iban, p.given + " " + p.family, p.family, p.given}
	if birth {
		out = append(out, p.birth)
	}
	return out
}

// draw chooses columns and their names. A date is a date of birth only if its
// name says so.
func draw(t *rapid.T) (keep []int, names []string, birth bool) {
	names = []string{"pupils"}
	for i, list := range personalHeaders {
		if rapid.IntRange(0, 2).Draw(t, "keep") == 0 {
			continue
		}
		k := rapid.IntRange(0, len(list)-1).Draw(t, "header")
		keep, names = append(keep, i), append(names, list[k])
		birth = birth || i == 5 && list[k] != "E"
	}
	if len(keep) == 0 {
		keep, names = []int{2}, append(names, "email")
	}
	return keep, names, birth
}

func TestNoPersonalValueIsPublished(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := people(rt, rapid.IntRange(3, 40).Draw(rt, "n"))
		keep, names, birth := draw(rt)
		kind := rapid.SampledFrom([]string{"csv", "headless", "json", "nested", "ndjson", "xml", "rows"}).Draw(rt, "kind")
		data := written(kind, names, keep, list)
		p := profiled(t, "x."+kind, data)
		text, err := json.Marshal(p)
		if err != nil {
			rt.Fatal(err)
		}
		if p.Status == StatusUnsupported && kind == "headless" && len(keep) == 1 && len(p.SampleRecords) == 0 {
			return // one column without a header is like any text
		}
		if p.Status != StatusOK || len(p.SampleRecords) == 0 && p.PersonalData.Allowed {
			rt.Fatalf("%s: %s %s, %d rows", kind, p.Status, p.ErrorMessage, len(p.SampleRecords))
		}
		for i := range list {
			for _, s := range list[i].secrets(birth && kind != "headless" && kind != "rows") {
				if bytes.Contains(text, []byte(s)) {
					rt.Fatalf("%s: %q is in the profile\n%s\n%s", kind, s, data[:min(len(data), 600)], text)
				}
			}
		}
	})
}

func written(kind string, names []string, keep []int, list []person) []byte {
	var b bytes.Buffer
	switch kind {
	case "csv", "headless":
		w := csv.NewWriter(&b)
		if kind == "csv" {
			_ = w.Write(names)
		}
		for i := range list {
			cells := list[i].cells(keep)
			// Without a number beside them, names above names look most like
			// a header.
			if kind == "headless" && len(keep) > 0 {
				cells = cells[1:]
			}
			_ = w.Write(cells)
		}
		w.Flush()
	case "xml":
		b.WriteString("<list>")
		for i := range list {
			b.WriteString("<item>")
			for c, v := range list[i].cells(keep) {
				tag := strings.Map(func(r rune) rune {
					if unicode.IsLetter(r) {
						return r
					}
					return '_'
				}, names[c]) + fmt.Sprint("_", c)
				fmt.Fprintf(&b, "<_%s>%s</_%s>", tag, v, tag)
			}
			b.WriteString("</item>")
		}
		b.WriteString("</list>")
	default:
		jsonList(&b, kind, names, keep, list)
	}
	return b.Bytes()
}

func jsonList(b *bytes.Buffer, kind string, names []string, keep []int, list []person) {
	var all []any
	for i := range list {
		m := map[string]any{}
		var row []any
		for c, v := range list[i].cells(keep) {
			m[names[c]+strings.Repeat(" ", c%2)] = v
			row = append(row, v)
		}
		switch kind {
		case "nested":
			all = append(all, map[string]any{"n": i, "people": []any{m}})
		case "rows":
			all = append(all, row)
		default:
			all = append(all, m)
		}
		if kind == "ndjson" {
			line, _ := json.Marshal(m)
			b.Write(append(line, '\n'))
		}
	}
	if kind != "ndjson" {
		text, _ := json.Marshal(all)
		b.Write(text)
	}
}
