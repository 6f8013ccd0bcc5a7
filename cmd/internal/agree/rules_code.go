package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
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

// code: every piece of code is of a form that was executed, and the same in each language in which the first button gets
// the same; files in the language of the reader go before others.
func code(s *subject) {
	if first := s.page.at("p.get").all("a"); len(first) > 0 {
		s.first = first[0].attr("href")
	}
	for _, d := range s.page.at("div.samples").all("details") {
		label, text := d.at("summary").text(), d.at("pre").raw()
		s.code = append(s.code, fmt.Sprintf("%s %x", label, sha256.Sum256([]byte(text))))
		if s.forms != nil {
			shown := form.Of(text)
			s.same(slices.Contains(s.forms[label], shown), "shows a form of %s that no test executes:\n%s", label, shown)
		}
	}
}
