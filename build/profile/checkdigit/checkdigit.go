// Package checkdigit computes the check digits of identifiers. All functions
// are total: text that is not of the expected form fails.
package checkdigit

import "strings"

// Digits tells whether s consists of n ASCII digits; n < 0 means any number
// above zero.
func Digits(s string, n int) bool {
	if s == "" || n >= 0 && len(s) != n {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}

// Sum is the weighted sum of the leading digits of s, one for each weight. It
// is -1 if s is too short or has another character there.
func Sum(s string, weights ...int) int {
	if len(s) < len(weights) {
		return -1
	}
	sum := 0
	for i, w := range weights {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		sum += w * int(s[i]-'0')
	}
	return sum
}

// Luhn checks ISO/IEC 7812-1, annex B, over all digits of s.
func Luhn(s string) bool {
	if !Digits(s, -1) {
		return false
	}
	sum := 0
	for i := range len(s) {
		d := int(s[len(s)-1-i] - '0')
		if i%2 == 1 {
			d *= 2
		}
		sum += d/10 + d%10
	}
	return sum%10 == 0
}

// GTIN checks the modulo 10 digit of EAN-8, UPC-A, EAN-13 and GTIN-14 (GS1
// General Specifications, 7.9).
func GTIN(s string) bool {
	if !Digits(s, -1) {
		return false
	}
	sum := 0
	for i := range len(s) {
		d := int(s[len(s)-1-i] - '0')
		if i%2 == 1 {
			d *= 3
		}
		sum += d
	}
	return sum%10 == 0
}

// Mod97 is the remainder of s read as a decimal number, in which a letter
// counts from A = 10 to Z = 35 (ISO/IEC 7064, MOD 97-10); -1 for other
// characters.
func Mod97(s string) int {
	rest := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			rest = (rest*10 + int(c-'0')) % 97
		case c >= 'A' && c <= 'Z':
			rest = (rest*100 + int(c-'A') + 10) % 97
		default:
			return -1
		}
	}
	return rest
}

// Mod112 checks ISO/IEC 7064, MOD 11-2, whose check character may be X.
func Mod112(s string) bool {
	if len(s) < 2 || !Digits(s[:len(s)-1], -1) {
		return false
	}
	sum := 0
	for i := range len(s) - 1 {
		sum = (sum + int(s[i]-'0')) * 2 % 11
	}
	return s[len(s)-1] == "0123456789X"[(12-sum)%11]
}

// Mod1110 checks ISO/IEC 7064, MOD 11,10.
func Mod1110(s string) bool {
	if len(s) < 2 || !Digits(s, -1) {
		return false
	}
	rest := 10
	for i := range len(s) - 1 {
		rest = (rest + int(s[i]-'0')) % 10
		if rest == 0 {
			rest = 10
		}
		rest = rest * 2 % 11
	}
	return (11-rest)%10 == int(s[len(s)-1]-'0')
}

// Number is the value of up to 18 digits, -1 for anything else.
func Number(s string) int64 {
	if !Digits(s, -1) || len(s) > 18 {
		return -1
	}
	var n int64
	for i := range len(s) {
		n = n*10 + int64(s[i]-'0')
	}
	return n
}

// Date tells whether year, month and day make a day of the calendar.
func Date(year, month, day int) bool {
	if month < 1 || month > 12 || day < 1 {
		return false
	}
	length := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
	if month == 2 && (year%4 == 0 && year%100 != 0 || year%400 == 0) {
		length = 29
	}
	return day <= length
}
