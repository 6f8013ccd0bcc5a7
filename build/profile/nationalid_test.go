package profile

import (
	"fmt"

	"pgregory.net/rapid"
)

// nationalIDs make numbers that states give to persons, with their check
// digits, by the published rules and no code of the register.
var nationalIDs = []func(year, month, day, serial int) string{
	pesel, egn, cnp, amka, dni, rodneCislo, personnummer, isikukood,
}

func weighed(s string, weights ...int) int {
	sum := 0
	for i, w := range weights {
		sum += w * int(s[i]-'0')
	}
	return sum
}

// luhn is the digit that completes s (ISO/IEC 7812-1, annex B).
func luhn(s string) int {
	sum := 0
	for i := range len(s) {
		d := int(s[len(s)-1-i] - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return (10 - sum%10) % 10
}

// pesel is Polish, egn Bulgarian, cnp Romanian, amka Greek, dni Spanish,
// rodneCislo Czech, personnummer Swedish, isikukood Estonian.
func pesel(year, month, day, serial int) string {
	s := fmt.Sprintf("%02d%02d%02d%04d", year%100, month, day, serial)
	return s + fmt.Sprint((10-weighed(s, 1, 3, 7, 9, 1, 3, 7, 9, 1, 3)%10)%10)
}

func egn(year, month, day, serial int) string {
	s := fmt.Sprintf("%02d%02d%02d%03d", year%100, month, day, serial%1000)
	return s + fmt.Sprint(weighed(s, 2, 4, 8, 5, 10, 9, 7, 3, 6)%11%10)
}

func cnp(year, month, day, serial int) string {
	s := fmt.Sprintf("%d%02d%02d%02d%02d%03d", 1+serial%2, year%100, month, day, 1+serial%40, serial%1000)
	c := weighed(s, 2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9) % 11
	if c == 10 {
		c = 1
	}
	return s + fmt.Sprint(c)
}

func amka(year, month, day, serial int) string {
	s := fmt.Sprintf("%02d%02d%02d%04d", day, month, year%100, serial)
	return s + fmt.Sprint(luhn(s))
}

func dni(year, _, day, serial int) string {
	n := 10_000_000 + year*10_000 + day*37 + serial
	return fmt.Sprintf("%08d%c", n, "TRWAGMYFPDXBNJZSQVHLCKE"[n%23])
}

func rodneCislo(year, month, day, serial int) string {
	for ; ; serial++ {
		s := fmt.Sprintf("%02d%02d%02d%03d", year%100, month, day, serial%1000)
		rest := 0
		for i := range len(s) {
			rest = (rest*10 + int(s[i]-'0')) % 11
		}
		if c := (11 - rest*10%11) % 11; c < 10 {
			return s[:6] + "/" + s[6:] + fmt.Sprint(c)
		}
	}
}

func personnummer(year, month, day, serial int) string {
	s := fmt.Sprintf("%02d%02d%02d%03d", year%100, month, day, serial%1000)
	return s[:6] + "-" + s[6:] + fmt.Sprint(luhn(s))
}

func isikukood(year, month, day, serial int) string {
	s := fmt.Sprintf("%d%02d%02d%02d%03d", 3+serial%2, year%100, month, day, serial%1000)
	c := weighed(s, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1) % 11
	if c == 10 {
		c = weighed(s, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3) % 11
	}
	return s + fmt.Sprint(c%10)
}

// phones are the ways in which telephone numbers are written.
var phones = []func(country, area, line int) string{
	func(c, a, l int) string { return fmt.Sprintf("+%d %d %07d", c, a, l) },
	func(c, a, l int) string { return fmt.Sprintf("00%d%d%07d", c, a, l) },
	func(c, a, l int) string { return fmt.Sprintf("+%d (%d) %07d", c, a, l) },
	func(_, a, l int) string { return fmt.Sprintf("0%d/%07d", a, l) },
	func(_, a, l int) string { return fmt.Sprintf("0%d-%03d %04d", a, l/10_000, l%10_000) },
}

// manner is how one table writes numbers.
type manner struct {
	id    func(year, month, day, serial int) string
	phone func(country, area, line int) string
}

func drawManner(t *rapid.T) manner {
	return manner{rapid.SampledFrom(nationalIDs).Draw(t, "id"), rapid.SampledFrom(phones).Draw(t, "phone")}
}
