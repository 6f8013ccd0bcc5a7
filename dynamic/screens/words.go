package screens

import "strings"

// list splits what was written with commas or line ends between.
func list(text string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '\n' || r == '\r' }) {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// lines are the lines of a text that say something: names and values have commas.
func lines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// joined is the reverse of list.
func joined(words []string) string { return strings.Join(words, ", ") }
