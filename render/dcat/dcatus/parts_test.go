package dcatus

import "testing"

func TestAddressesAreURIs(t *testing.T) {
	for raw, want := range map[string]string{
		"https://a.example/b?c=d%20e#f": "https://a.example/b?c=d%20e#f",
		"https://a.example/x\u00a0y":    "https://a.example/x%C2%A0y",
		"https://a.example/é":           "https://a.example/%C3%A9",
		"mailto:a@b.example":            "",
		"":                              "",
	} {
		if got := web(raw); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}
