// Package forms holds the pages on which readers write: suggesting a source, reporting a
// problem, watching entries and logging in, with what is answered to them.
package forms

import "github.com/assay-register/assay/templates"

// Sheet is a form with what was written into it and what is wrong with that, nil for
// nothing.
type Sheet struct {
	Values  map[string]string
	Problem *templates.Trouble
}

// Field is one field of a form: its name and its label, and how it is typed.
type Field struct {
	Name, Label string
	// Type is that of the input, "" for text; Area makes it one of several lines.
	Type string
	Area bool
	// Required is the mark of a field that may not be empty, Max the most characters.
	Required bool
	Max      string
	// Auto is what a browser fills in, Hint an explanation; "" for none.
	Auto, Hint string
}

// wrong is what is wrong with the value of a field, "" for nothing.
func (s *Sheet) wrong(name string) string {
	if s.Problem == nil {
		return ""
	}
	return s.Problem.Fields[name]
}

// or is a text, or another one where it is empty.
func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// Choice is a value that can be chosen, with its word.
type Choice struct{ Value, Word string }

// choices are the values of a vocabulary with the words of the language.
func choices(s *templates.Site, family string, values ...string) []Choice {
	list := make([]Choice, len(values))
	for i, v := range values {
		list[i] = Choice{v, s.Word(family, v)}
	}
	return list
}

func types(s *templates.Site) []Choice {
	return choices(s, "type", "API", "DATASET", "MCP_SERVER")
}

func frequencies(s *templates.Site) []Choice {
	return choices(s, "frequency", "immediate", "daily", "weekly")
}

func categories(s *templates.Site) []Choice {
	return choices(s, "report.category", "broken", "outdated", "wrong_publisher", "wrong_licence", "not_official", "personal_data", "other")
}

func watched(s *templates.Site) []Choice {
	return choices(s, "event", "entry.failing", "entry.verified", "entry.updated", "entry.schema_changed", "entry.score_changed", "entry.deprecated", "entry.removed")
}
