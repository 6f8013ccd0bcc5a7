package personal

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/profile/checkdigit"
)

// nationalScheme is a number that a state gives to a person. strong tells that
// form, date of birth and check digit together hardly fit by chance.
type nationalScheme struct {
	country string
	form    *regexp.Regexp
	strong  bool
	check   func(string) bool
}

func scheme(country, form string, strong bool, check func(string) bool) nationalScheme {
	return nationalScheme{country, regexp.MustCompile("^(?:" + form + ")$"), strong, check}
}

// nationalSchemes follow the rules that the states publish. Values come without
// spaces, dots, hyphens and slashes, in capitals.
var nationalSchemes = []nationalScheme{
	scheme("ES", `[XYZ]?\d{7,8}[A-Z]`, true, spanish),
	scheme("IT", `[A-Z]{6}[0-9LMNPQRSTUV]{2}[ABCDEHLMPRST][0-9LMNPQRSTUV]{2}[A-Z][0-9LMNPQRSTUV]{3}[A-Z]`, true, italian),
	scheme("FR", `[12]\d{4}[0-9AB]\d{8,9}`, true, french),
	scheme("GB", `[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]`, true, func(string) bool { return true }),
	scheme("FI", `\d{6}[-+ABCDEFUVWXY]?\d{3}[0-9A-Y]`, true, finnish),
	scheme("PL", `\d{11}`, true, func(s string) bool {
		return plausible(s[4:6], s[2:4], 92) && checkdigit.Sum(s, 1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)%10 == 0
	}),
	scheme("BG", `\d{10}`, true, func(s string) bool {
		return plausible(s[4:6], s[2:4], 52) && checkdigit.Sum(s, 2, 4, 8, 5, 10, 9, 7, 3, 6)%11%10 == int(s[9]-'0')
	}),
	scheme("RO", `[1-9]\d{12}`, true, func(s string) bool {
		return plausible(s[5:7], s[3:5], 12) && eleven(checkdigit.Sum(s, 2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)%11, 1) == int(s[12]-'0')
	}),
	scheme("GR", `\d{11}`, true, func(s string) bool { return plausible(s[0:2], s[2:4], 12) && checkdigit.Luhn(s) }),
	scheme("CZ", `\d{10}`, true, func(s string) bool { return plausible(s[4:6], s[2:4], 82) && checkdigit.Number(s)%11 == 0 }),
	scheme("SE", `(?:19|20)?\d{6}[+]?\d{4}`, true, swedish),
	scheme("NO", `\d{11}`, true, norwegian),
	scheme("EE", `[1-8]\d{10}`, true, func(s string) bool { return plausible(s[5:7], s[3:5], 12) && baltic(s) }),
	scheme("SI", `\d{13}`, true, func(s string) bool {
		return plausible(s[0:2], s[2:4], 12) && eleven(11-checkdigit.Sum(s, 7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)%11, 0) == int(s[12]-'0')
	}),
	scheme("BE", `\d{11}`, true, belgian),
	scheme("CH", `756\d{10}`, true, checkdigit.GTIN),
	scheme("IE", `\d{7}[A-W][A-IW]?`, true, irish),
	scheme("US", `\d{3}-\d{2}-\d{4}`, true, func(s string) bool { return s[:3] != "000" && s[:3] != "666" && s[0] != '9' }),
	scheme("DE", `[1-9]\d{10}`, false, func(s string) bool { return checkdigit.Mod1110(s) && germanDigits(s) }),
	scheme("HR", `\d{11}`, false, checkdigit.Mod1110),
	scheme("TR", `[1-9]\d{10}`, false, turkish),
	scheme("LV", `3[2-9]\d{9}|[0-3]\d[01]\d{8}`, false, func(s string) bool { return s[0] == '3' && s[1] > '1' || plausible(s[:2], s[2:4], 12) }),
	scheme("DK", `[0-3]\d[01]\d{7}`, false, func(s string) bool { return plausible(s[0:2], s[2:4], 12) }),
	scheme("NL", `\d{9}`, false, func(s string) bool { return s[0] <= '3' && checkdigit.Sum(s, 9, 8, 7, 6, 5, 4, 3, 2, -1)%11 == 0 }),
	scheme("PT", `[1-3]\d{8}`, false, func(s string) bool {
		return eleven(11-checkdigit.Sum(s, 9, 8, 7, 6, 5, 4, 3, 2)%11, 0) == int(s[8]-'0')
	}),
	scheme("GR", `\d{9}`, false, func(s string) bool {
		return checkdigit.Sum(s, 256, 128, 64, 32, 16, 8, 4, 2)%11%10 == int(s[8]-'0')
	}),
	scheme("GB", `\d{10}`, false, func(s string) bool {
		return eleven(11-checkdigit.Sum(s, 10, 9, 8, 7, 6, 5, 4, 3, 2)%11, 0) == int(s[9]-'0')
	}),
	scheme("HU", `\d{9}`, false, func(s string) bool { return checkdigit.Sum(s, 3, 7, 3, 7, 3, 7, 3, 7)%10 == int(s[8]-'0') }),
	scheme("GR", `[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧA-Z]{1,2}\d{6}`, false, func(string) bool { return true }),
}

var separators = strings.NewReplacer(" ", "", ".", "", "-", "", "/", "", "\u00a0", "")

// nationalID returns the index of the first scheme that value follows, -1 for
// none. Only strong ones are tried if asked so.
func nationalID(value string, strong bool) int {
	for i := range nationalSchemes {
		if s := &nationalSchemes[i]; (s.strong || !strong) && s.fits(value) {
			return i
		}
	}
	return -1
}

// fits tells whether value follows the scheme. A number of one digit repeated
// is a placeholder.
func (s *nationalScheme) fits(value string) bool {
	if len(value) > 30 || len(value) < 7 {
		return false
	}
	text := strings.ToUpper(strings.TrimSpace(value))
	if s.country != "US" && s.country != "FI" {
		text = separators.Replace(text)
	}
	return s.form.MatchString(text) && strings.Trim(text, text[:1]) != "" && s.check(text)
}

// plausible tells whether two pairs of digits can be a day and a month; some
// states add 20 to 80 to the month for the century or the sex.
func plausible(day, month string, most int) bool {
	d, _ := strconv.Atoi(day)
	m, _ := strconv.Atoi(month)
	if m > most {
		return false
	}
	if most > 12 {
		if m%20 >= 1 && m%20 <= 12 {
			m %= 20
		} else if m > 50 {
			m -= 50
		}
	}
	return checkdigit.Date(2000, m, d)
}

// eleven maps the remainders that have no digit: 10 to ten, 11 to 0.
func eleven(r, ten int) int {
	switch r {
	case 10:
		return ten
	case 11:
		return 0
	}
	return r
}

func spanish(s string) bool {
	digits := strings.NewReplacer("X", "0", "Y", "1", "Z", "2").Replace(s[:len(s)-1])
	n := checkdigit.Number(digits)
	return len(digits) == 8 && n >= 0 && s[len(s)-1] == "TRWAGMYFPDXBNJZSQVHLCKE"[n%23]
}

// italian: Decreto 23 dicembre 1976; characters at odd places have their own
// values.
func italian(s string) bool {
	odd := [...]int{1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23}
	sum := 0
	for i := range 15 {
		v := int(s[i] - '0')
		if s[i] >= 'A' {
			v = int(s[i] - 'A')
		}
		if i%2 == 0 {
			v = odd[v]
		}
		sum += v
	}
	return int(s[15]-'A') == sum%26
}

// french: thirteen digits, with or without the key of two.
func french(s string) bool {
	m, _ := strconv.Atoi(s[3:5])
	month := m >= 1 && m <= 12 || m >= 20 && m <= 42 || m >= 50
	body := strings.NewReplacer("A", "0", "B", "0").Replace(s[:13])
	n := checkdigit.Number(body)
	switch s[6:7] {
	case "A":
		n -= 1_000_000
	case "B":
		n -= 2_000_000
	}
	if len(s) == 15 {
		return month && 97-n%97 == checkdigit.Number(s[13:])
	}
	return false
}

func finnish(s string) bool {
	digits := s[:6] + s[len(s)-4:len(s)-1]
	n := checkdigit.Number(digits)
	return len(s) == 11 && n >= 0 && plausible(s[:2], s[2:4], 12) && s[10] == "0123456789ABCDEFHJKLMNPRSTUVWXY"[n%31]
}

func swedish(s string) bool {
	s = strings.ReplaceAll(s, "+", "")
	if len(s) == 12 {
		s = s[2:]
	}
	day := s[4:6]
	if day > "60" {
		day = strconv.Itoa(int(checkdigit.Number(day)) - 60)
	}
	return len(s) == 10 && plausible(day, s[2:4], 12) && checkdigit.Luhn(s)
}

func norwegian(s string) bool {
	k1 := eleven(11-checkdigit.Sum(s, 3, 7, 6, 1, 8, 9, 4, 5, 2)%11, 10)
	k2 := eleven(11-checkdigit.Sum(s, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)%11, 10)
	return k1 == int(s[9]-'0') && k2 == int(s[10]-'0')
}

// baltic: Estonia and Lithuania share the rule of two rounds.
func baltic(s string) bool {
	r := checkdigit.Sum(s, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1) % 11
	if r == 10 {
		r = checkdigit.Sum(s, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3) % 11 % 10
	}
	return r == int(s[10]-'0')
}

func belgian(s string) bool {
	rest := checkdigit.Number(s[9:])
	old, young := 97-checkdigit.Number(s[:9])%97, 97-checkdigit.Number("2"+s[:9])%97
	return s[2:4] <= "12" && s[4:6] <= "31" && (rest == old || rest == young)
}

func irish(s string) bool {
	sum := checkdigit.Sum(s, 8, 7, 6, 5, 4, 3, 2)
	if len(s) == 9 && s[8] != 'W' {
		sum += 9 * int(s[8]-'A'+1)
	}
	return s[7] == "WABCDEFGHIJKLMNOPQRSTUV"[sum%23]
}

// germanDigits: among the first ten, one digit comes twice or three times.
func germanDigits(s string) bool {
	var n [10]int
	repeated := 0
	for _, c := range s[:10] {
		n[c-'0']++
	}
	for _, k := range n {
		if k > 3 {
			return false
		}
		if k > 1 {
			repeated++
		}
	}
	return repeated == 1
}

func turkish(s string) bool {
	odd, even := checkdigit.Sum(s, 1, 0, 1, 0, 1, 0, 1, 0, 1), checkdigit.Sum(s, 0, 1, 0, 1, 0, 1, 0, 1, 0)
	first := ((odd*7-even)%10 + 10) % 10
	return first == int(s[9]-'0') && (odd+even+first)%10 == int(s[10]-'0')
}
