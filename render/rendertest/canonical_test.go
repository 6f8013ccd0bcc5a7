package rendertest

import "testing"

func TestCanonicalForm(t *testing.T) {
	for body, ok := range map[string]bool{
		`{"a":1,"b":[true,false,null],"c":{}}`: true, `[]`: true, `"é\n\u0001\b"`: true, `1.5`: true, `1e+21`: true, `1e-7`: true,
		`{"1":0,"2":0,"a":0}`: true, `{"a":0,"01":0}`: true, `{"a":0,"4294967295":0}`: true,
		`{"a": 1}`: false, `{"a":1.0}`: false, `-0`: false, `1e3`: false, `12345678901234567890`: false, `"\u00e9"`: false, `"\/"`: false,
		`"\ufffd"`: false, `"\u001F"`: false, `{"a":0,"1":0}`: false, `{"10":0,"9":0}`: false, `{"a":1,"a":1}`: false, `{} `: false, `{}{}`: false, `{`: false,
	} {
		if _, err := parse([]byte(body)); (err == nil) != ok {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestManifestIsChecked(t *testing.T) {
	const sum = "0d75bd160c7d6a38c07c05f411bafa94cfa30e61d38a8f8d14b77be1f0d1b9b0"
	for _, body := range []string{`{}`, `{"manifest":{}}`, `{"a":1,"manifest":{"answer_sha256":"` + sum + `","stamped_keys":["answer_sha256"],"row_count":0}}`} {
		v, err := parse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if checkManifest(v) == nil {
			t.Errorf("%s passes", body)
		}
	}
}
