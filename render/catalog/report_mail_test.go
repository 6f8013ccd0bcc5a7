package catalog

import "testing"

func TestCheckMail(t *testing.T) {
	for _, good := range []string{"", "office@example.org", "a+b@example.org", "büro@bücher.example", "o'neil@example.org"} {
		if err := CheckMail("email", good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for name, bad := range map[string]string{"no host": "office@", "two": "a@b@example.org", "no dot": "a@localhost", "header": "a@example.org\nBcc: b@example.org",
		"list": "a@example.org,b@example.org", "zero-width space": "offi\u200bce@example.org", "soft hyphen": "office@exam\u00adple.org",
		"direction": "offi\u202ece@example.org", "no-break space": "offi\u00a0ce@example.org", "line separator": "offi\u2028ce@example.org", "control": "offi\x01ce@example.org"} {
		if CheckMail("email", bad) == nil {
			t.Errorf("%s: %q is taken", name, bad)
		}
	}
}
