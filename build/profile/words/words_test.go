package words

import (
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for name, want := range map[string]string{
		"dateOfBirth": "date of birth", "DATE_OF_BIRTH": "date of birth", "Date of birth": "date of birth", "HTTPServer2Go": "http server 2 go",
		"Größe (m²)": "grosse m", "Επώνυμο": "επωνυμο", "": "", "--": "", "a.b[].c": "a b c",
	} {
		if got := strings.Join(Split(name), " "); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestHas(t *testing.T) {
	list := Split("country code of origin")
	for phrase, want := range map[string]bool{"country": true, "country code": true, "code country": false, "of origin": true, "origin of": false, "": false, "code of origin x": false} {
		if Has(list, phrase) != want {
			t.Errorf("%q: %v", phrase, !want)
		}
	}
}
