package concept

import (
	"regexp"
	"strings"

	"github.com/assay-register/assay/build/profile/checkdigit"
)

// vatRule is the form of a country's number, without prefix, and its check.
// Sources: Directive 2006/112/EC, articles 214 and 215; the forms that the
// Commission's VIES publishes; the check digits of the national rules.
type vatRule struct {
	form  *regexp.Regexp
	check func(string) bool
}

var vatRules = map[string]vatRule{
	"AT": {vatForm(`U\d{8}`), vatAT},
	"BE": {vatForm(`[01]\d{9}`), func(s string) bool { return 97-checkdigit.Number(s[:8])%97 == checkdigit.Number(s[8:]) }},
	"DE": {vatForm(`[1-9]\d{8}`), checkdigit.Mod1110},
	"DK": {vatForm(`[1-9]\d{7}`), func(s string) bool { return checkdigit.Sum(s, 2, 7, 6, 5, 4, 3, 2, 1)%11 == 0 }},
	"EE": {vatForm(`10\d{7}`), func(s string) bool { return checkdigit.Sum(s, 3, 7, 1, 3, 7, 1, 3, 7, 1)%10 == 0 }},
	"EL": {vatForm(`\d{9}`), GreekAFM},
	"FI": {vatForm(`\d{8}`), func(s string) bool { return checkdigit.Sum(s, 7, 9, 10, 5, 8, 4, 2, 1)%11 == 0 }},
	"FR": {vatForm(`\d{11}`), vatFR},
	"HR": {vatForm(`\d{11}`), checkdigit.Mod1110},
	"HU": {vatForm(`\d{8}`), func(s string) bool { return checkdigit.Sum(s, 9, 7, 3, 1, 9, 7, 3, 1)%10 == 0 }},
	"IT": {vatForm(`\d{11}`), checkdigit.Luhn},
	"LU": {vatForm(`\d{8}`), func(s string) bool { return checkdigit.Number(s[:6])%89 == checkdigit.Number(s[6:]) }},
	"MT": {vatForm(`[1-9]\d{7}`), func(s string) bool {
		return 37-int64(checkdigit.Sum(s, 3, 4, 6, 7, 8, 9)%37) == checkdigit.Number(s[6:])
	}},
	"NL": {vatForm(`\d{9}B\d{2}`), vatNL},
	"PL": {vatForm(`\d{10}`), func(s string) bool {
		return checkdigit.Sum(s, 6, 5, 7, 2, 3, 4, 5, 6, 7)%11 == int(s[9]-'0')
	}},
	"PT": {vatForm(`[1-9]\d{8}`), func(s string) bool {
		return checkdigit.Sum(s, 9, 8, 7, 6, 5, 4, 3, 2)%11 == (11-int(s[8]-'0'))%11 || s[8] == '0' && checkdigit.Sum(s, 9, 8, 7, 6, 5, 4, 3, 2)%11 == 1
	}},
	"RO": {vatForm(`[1-9]\d{1,9}`), vatRO},
	"SE": {vatForm(`\d{10}01`), func(s string) bool { return checkdigit.Luhn(s[:10]) }},
	"SI": {vatForm(`[1-9]\d{7}`), func(s string) bool {
		r := 11 - checkdigit.Sum(s, 8, 7, 6, 5, 4, 3, 2)%11
		return r != 11 && r%10 == int(s[7]-'0')
	}},
	"SK": {vatForm(`[1-9]\d{9}`), func(s string) bool { return checkdigit.Number(s)%11 == 0 }},
}

func vatForm(pattern string) *regexp.Regexp { return regexp.MustCompile("^(?:" + pattern + ")$") }

// ValidVAT checks a VAT number with its country prefix. A country whose check
// digit is not implemented never passes: it could not be told from any other
// code.
func ValidVAT(s string) bool {
	s = strings.NewReplacer(" ", "", ".", "", "-", "").Replace(s)
	if len(s) < 4 {
		return false
	}
	rule, ok := vatRules[s[:2]]
	return ok && rule.form.MatchString(s[2:]) && strings.Trim(s[2:], "0") != "" && rule.check(s[2:])
}

// GreekAFM checks the Greek tax number of nine digits: weights are powers of
// two, modulo 11, modulo 10.
func GreekAFM(s string) bool {
	return checkdigit.Digits(s, 9) && strings.Trim(s, "0") != "" &&
		checkdigit.Sum(s, 256, 128, 64, 32, 16, 8, 4, 2)%11%10 == int(s[8]-'0')
}

func vatAT(s string) bool {
	sum := 4
	for i, c := range s[1:8] {
		d := int(c - '0')
		if i%2 == 1 {
			d *= 2
		}
		sum += d/10 + d%10
	}
	return (10-sum%10)%10 == int(s[8]-'0')
}

func vatFR(s string) bool {
	siren := s[2:]
	return checkdigit.Luhn(siren) && (12+3*(checkdigit.Number(siren)%97))%97 == checkdigit.Number(s[:2])
}

// vatNL: the old eleven test, or since 2020 MOD 97-10 over the whole number.
func vatNL(s string) bool {
	return checkdigit.Sum(s, 9, 8, 7, 6, 5, 4, 3, 2)%11 == int(s[8]-'0') || checkdigit.Mod97("NL"+s) == 1
}

func vatRO(s string) bool {
	padded := strings.Repeat("0", 10-len(s)) + s
	return checkdigit.Sum(padded, 7, 5, 3, 2, 1, 7, 5, 3, 2)*10%11%10 == int(padded[9]-'0')
}
