package concept

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/profile/checkdigit"
)

var (
	leiForm   = regexp.MustCompile(`^[0-9A-Z]{18}[0-9]{2}$`)
	isinForm  = regexp.MustCompile(`^[A-Z]{2}[0-9A-Z]{9}[0-9]$`)
	orcidForm = regexp.MustCompile(`^(?:https?://orcid\.org/)?(\d{4})-(\d{4})-(\d{4})-(\d{3}[\dX])$`)
	doiForm   = regexp.MustCompile(`^(?:https?://(?:dx\.)?doi\.org/|doi:)?10\.\d{4,9}/\S+$`)
	cpvForm   = regexp.MustCompile(`^(\d{8})(?:-(\d))?$`)
	naceForm  = regexp.MustCompile(`^(?:([A-V])|[A-V]?(\d{2})(?:\.?\d{1,2}[A-Z]?)?)$`)
	nutsForm  = regexp.MustCompile(`^[A-Z]{2}[0-9A-Z]{0,3}$`)
	lauForm   = regexp.MustCompile(`^(?:[A-Z]{2}_?)?[0-9A-Z]{2,13}$`)
	pointForm = regexp.MustCompile(`^\(?\s*(-?\d{1,2}(?:\.\d+)?)\s*[,; ]\s*(-?\d{1,3}(?:\.\d+)?)\s*\)?$`)
	wktForm   = regexp.MustCompile(`^(?i:SRID=4326;)?(?i:POINT)\s*\(\s*(-?\d{1,3}(?:\.\d+)?)\s+(-?\d{1,2}(?:\.\d+)?)(?:\s+-?\d+(?:\.\d+)?)?\s*\)$`)
)

// validLEI: ISO 17442, the whole code is 1 modulo 97.
func validLEI(s string) bool { return leiForm.MatchString(s) && checkdigit.Mod97(s) == 1 }

// validISIN: ISO 6166, Luhn over the code with letters as two digits.
func validISIN(s string) bool {
	if !isinForm.MatchString(s) {
		return false
	}
	var b strings.Builder
	for _, c := range s {
		if c >= 'A' {
			b.WriteString(strconv.Itoa(int(c-'A') + 10))
		} else {
			b.WriteRune(c)
		}
	}
	return checkdigit.Luhn(b.String())
}

// validORCID: ISO 27729 check digit, ISO/IEC 7064 MOD 11-2.
func validORCID(s string) bool {
	m := orcidForm.FindStringSubmatch(s)
	return m != nil && checkdigit.Mod112(m[1]+m[2]+m[3]+m[4])
}

// validDOI: ISO 26324 has no check digit; the form says enough.
func validDOI(s string) bool { return doiForm.MatchString(s) }

// validEAN: GTIN-8, -12, -13 and -14. All zeros is a placeholder.
func validEAN(s string) bool {
	switch len(s) {
	case 8, 12, 13, 14:
		return checkdigit.GTIN(s) && strings.Trim(s, "0") != ""
	}
	return false
}

func validSIREN(s string) bool {
	s = strings.ReplaceAll(s, " ", "")
	return checkdigit.Digits(s, 9) && checkdigit.Luhn(s) && strings.Trim(s, "0") != ""
}

// laPoste has more establishments than Luhn has room for: the digits of its
// SIRET add up to a multiple of five (INSEE, Sirene documentation).
const laPoste = "356000000"

func validSIRET(s string) bool {
	s = strings.ReplaceAll(s, " ", "")
	if !checkdigit.Digits(s, 14) || strings.Trim(s, "0") == "" {
		return false
	}
	if strings.HasPrefix(s, laPoste) && checkdigit.Sum(s, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)%5 == 0 {
		return true
	}
	return checkdigit.Luhn(s[:9]) && checkdigit.Luhn(s)
}

// validCPV: Regulation (EC) 213/2008. The ninth digit is the sum of the others
// with the weights 3, 7, 1, which every code of the annex follows.
func validCPV(s string) bool {
	m := cpvForm.FindStringSubmatch(s)
	if m == nil || m[1][:2] < "03" || m[1][:2] > "98" {
		return false
	}
	return m[2] == "" || strconv.Itoa(checkdigit.Sum(m[1], 3, 7, 1, 3, 7, 1, 3, 7)%10) == m[2]
}

// checkedCPV asks for the check digit.
func checkedCPV(s string) bool { return strings.Contains(s, "-") && validCPV(s) }

// validPoint takes "lat, lon" and WKT points in degrees.
func validPoint(s string) bool {
	lat, lon := "", ""
	if m := pointForm.FindStringSubmatch(s); m != nil {
		lat, lon = m[1], m[2]
	} else if m := wktForm.FindStringSubmatch(s); m != nil {
		lon, lat = m[1], m[2]
	} else {
		return false
	}
	// Two whole numbers are a range or a score rather than a place.
	if !strings.HasPrefix(strings.ToUpper(strings.TrimSpace(s)), "P") && (!strings.Contains(lat, ".") || !strings.Contains(lon, ".")) {
		return false
	}
	y, _ := strconv.ParseFloat(lat, 64)
	x, _ := strconv.ParseFloat(lon, 64)
	return y >= -90 && y <= 90 && x >= -180 && x <= 180
}

// validLAU has no code list: the form, and a hint in the name, must do.
func validLAU(s string) bool { return lauForm.MatchString(s) && strings.ContainsAny(s, "0123456789") }
