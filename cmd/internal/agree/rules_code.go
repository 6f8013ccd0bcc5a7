package main

import (
	"crypto/sha256"
	"encoding/json"
	"os"
	"slices"

	"github.com/assay-register/assay/render/usage/form"
)

// forms are those in which code is executed by the tests, by language or client.
type forms map[string][]string

func readForms(file string) (f forms, err error) {
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, &f)
	}
	return f, err
}

// code: every piece of code is of a form that was executed, and the same in each language.
func code(s *subject) {
	for _, d := range s.page.at("div.samples").all("details") {
		label, text := d.at("summary").text(), d.at("pre").raw()
		s.say(label, sha256.Sum256([]byte(text)))
		if s.forms != nil {
			shown := form.Of(text)
			s.same(slices.Contains(s.forms[label], shown), "shows a form of %s that no test executes:\n%s", label, shown)
		}
	}
}
