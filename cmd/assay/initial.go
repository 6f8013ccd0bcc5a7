package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/assay-register/assay/cmd/internal/setup"
)

// initial is the configuration file of a new register: every setting, explained
// and with its default, most of them behind a comment sign.
func initial() []byte {
	var b bytes.Buffer
	b.WriteString(comment("The register of this directory. Every key can be given as an environment variable (base_url is ASSAY_BASE_URL) " +
		"or a flag (--base-url), too; a flag beats the environment, the environment this file. What is commented out shows the default. " +
		"Passwords and keys belong into the environment."))
	for i, list := range settings() {
		fmt.Fprintf(&b, "\n# --- %s %s\n", chapters[i].title, strings.Repeat("-", 74-len(chapters[i].title)))
		b.WriteString(comment(chapters[i].intro))
		for i := range list {
			list[i].explain(&b)
		}
	}
	return b.Bytes()
}

// begins are the values that stand in the file of a new register.
var begins = map[string]string{
	"name": "My register", "base-url": "http://127.0.0.1:8080", "license": "CC0-1.0", "db": "sqlite:assay.db", "site": "site",
}

func (s *setting) explain(b *bytes.Buffer) {
	b.WriteString("\n")
	if s.uses == nil {
		b.WriteString(initialSources())
		return
	}
	value := s.shown()
	for i := range s.uses {
		u := &s.uses[i]
		text := u.meaning()
		if len(s.uses) > 1 {
			text = u.where() + ": " + text
		}
		if u.standard() != value {
			text += " Default: " + yamlValue(u.standard()) + "."
		}
		b.WriteString(comment(text))
	}
	b.WriteString(comment(remarks[s.name]))
	sign := "# "
	if begins[s.name] != "" {
		sign = ""
	}
	fmt.Fprintf(b, "%s%s: %s\n", sign, setup.Key(s.name), yamlValue(value))
}

// shown is the value that stands in the file: that of a new register, else the
// default, the shortest where commands have several.
func (s *setting) shown() string {
	if value := begins[s.name]; value != "" {
		return value
	}
	value := s.uses[0].standard()
	for i := range s.uses {
		if other := s.uses[i].standard(); len(other) < len(value) {
			value = other
		}
	}
	return value
}

// yamlValue quotes what YAML would read otherwise.
func yamlValue(s string) string {
	if s == "" || s == "-" {
		return `"` + s + `"`
	}
	return s
}

func initialSources() string {
	text := comment("The catalogues to harvest. "+remarks["sources"]) + "#\n"
	for _, f := range setup.SourceFields() {
		text += fold(fmt.Sprintf("#   %-12s", f.Key), "#"+strings.Repeat(" ", 15), f.Meaning)
	}
	return text + `sources: []
#  - key: gb-api-catalogue
#  - key: our-portal
#    kind: ckan
#    url: https://data.example.org/
#    title: Our open data portal
#    country: GB
#    official: We run this portal ourselves
#    schedule: daily
`
}

// lineWidth bounds the lines of the file of a new register.
const lineWidth = 80

// comment folds a text into comment lines.
func comment(text string) string {
	if text == "" {
		return ""
	}
	return fold("#", "#", text)
}

// fold breaks a text into lines; the first begins with one word, the others
// with another.
func fold(first, others, text string) string {
	var b strings.Builder
	line := first
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > lineWidth {
			b.WriteString(line + "\n")
			line = others
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}

// initialTo writes the file of a new register where none is yet.
func initialTo(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(initial()); err != nil {
		f.Close()
		return err
	}
	return errors.Join(f.Close(), setup.Hand(path))
}
