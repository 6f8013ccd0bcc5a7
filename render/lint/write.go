package lint

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// The forms in which findings are written.
const (
	FormText  = "text"
	FormJSON  = "json"
	FormSARIF = "sarif"
	FormJUnit = "junit"
)

// Forms lists the forms.
func Forms() []string { return []string{FormText, FormJSON, FormSARIF, FormJUnit} }

// Summary is what a run came to.
type Summary struct {
	// Records were looked at, good and bad.
	Records int `json:"records"`
	Must    int `json:"must"`
	Should  int `json:"should"`
	// Rules counts the findings by rule.
	Rules map[string]int `json:"rules"`
}

// Add counts a finding.
func (s *Summary) Add(f *Finding) {
	if s.Rules == nil {
		s.Rules = map[string]int{}
	}
	if f.Severity == Must {
		s.Must++
	} else {
		s.Should++
	}
	s.Rules[f.Rule]++
}

// Writer takes findings one after the other; nothing is kept of them but, as text,
// the first of each rule.
type Writer interface {
	Write(f *Finding) error
	// Close ends the document with what the run came to.
	Close(s *Summary) error
}

// NewWriter writes findings in a form, one of Forms.
func NewWriter(w io.Writer, form string) (Writer, error) {
	switch form {
	case FormText:
		return &textWriter{w: w, first: map[string][]Finding{}}, nil
	case FormJSON:
		return &jsonWriter{w: w, open: "{\"findings\":[", end: "]"}, nil
	case FormSARIF:
		return &sarifWriter{jsonWriter{w: w}}, nil
	case FormJUnit:
		return newJUnit(w), nil
	}
	return nil, fmt.Errorf("--format %q: use one of %s", form, strings.Join(Forms(), ", "))
}

// jsonWriter writes {"findings":[…],"summary":{…}}, a finding a line.
type jsonWriter struct {
	w         io.Writer
	open, end string
	began     bool
}

// Write implements Writer.
func (j *jsonWriter) Write(f *Finding) error { return j.item(f) }

func (j *jsonWriter) item(v any) error {
	head := ",\n"
	if !j.began {
		head, j.began = j.open+"\n", true
	}
	b, err := plainJSON(v)
	if err != nil {
		return err
	}
	_, err = io.WriteString(j.w, head+b)
	return err
}

// Close implements Writer.
func (j *jsonWriter) Close(s *Summary) error {
	b, err := plainJSON(s)
	if err != nil {
		return err
	}
	return j.finish(",\n\"summary\":" + b + "}\n")
}

// finish ends the list, which may be empty, and writes the rest.
func (j *jsonWriter) finish(rest string) error {
	head := "\n" + j.end
	if !j.began {
		head = j.open + j.end
	}
	_, err := io.WriteString(j.w, head+rest)
	return err
}

// plainJSON is JSON in which addresses stay as they are.
func plainJSON(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", fmt.Errorf("findings: %w", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// shown is how many findings of a rule text shows.
const shown = 5

// textWriter groups findings by rule, the gravest and most frequent first.
type textWriter struct {
	w     io.Writer
	first map[string][]Finding
}

// Write implements Writer.
func (t *textWriter) Write(f *Finding) error {
	if list := t.first[f.Rule]; len(list) < shown {
		t.first[f.Rule] = append(list, *f)
	}
	return nil
}

// Close implements Writer.
func (t *textWriter) Close(s *Summary) error {
	var out strings.Builder
	for _, id := range byWeight(s) {
		r := Of(id)
		fmt.Fprintf(&out, "%s  %s (%d)\n    %s. Why: %s. Mend: %s. Rule: %s\n", strings.ToUpper(string(r.Severity)), id, s.Rules[id], r.Title, r.Why, r.Remedy, r.Source.Name)
		for i := range t.first[id] {
			textLine(&out, &t.first[id][i])
		}
		if more := s.Rules[id] - len(t.first[id]); more > 0 {
			fmt.Fprintf(&out, "    … and %d more (--format json lists all)\n", more)
		}
		out.WriteByte('\n')
	}
	fmt.Fprintf(&out, "%d records, %d findings: %d must be mended, %d should\n", s.Records, s.Must+s.Should, s.Must, s.Should)
	_, err := io.WriteString(t.w, out.String())
	return err
}

func textLine(out *strings.Builder, f *Finding) {
	fmt.Fprintf(out, "    %s", Place(&f.Record))
	if f.Member != "" && f.Member != f.Record.Pointer {
		fmt.Fprintf(out, " %s", f.Member)
	}
	fmt.Fprintf(out, ": %s", f.Message)
	if f.Value != "" {
		fmt.Fprintf(out, " (%q)", f.Value)
	}
	if f.Points > 0 {
		fmt.Fprintf(out, " +%.1f points", f.Points)
	}
	out.WriteByte('\n')
	if f.Patch == nil {
		return
	}
	for _, op := range f.Patch.Operations {
		b, _ := plainJSON(op) // it was decoded from JSON
		fmt.Fprintf(out, "        %s\n", b)
	}
	for _, x := range []struct{ sign, text string }{{"-", f.Patch.Remove}, {"+", f.Patch.Add}} {
		if x.text != "" {
			fmt.Fprintf(out, "        %s %s\n", x.sign, x.text)
		}
	}
}

// Place says where a record is, for people.
func Place(r *Record) string {
	place := r.Document
	if r.Line > 0 {
		place += fmt.Sprintf(":%d", r.Line)
	}
	for _, at := range []string{cmp.Or(r.Subject, r.Pointer), r.ID} {
		if at != "" && at != place && !strings.Contains(place, at) {
			place += " " + at
		}
	}
	return place
}

// byWeight are the rules that were broken: what must be mended first, then the most
// frequent.
func byWeight(s *Summary) []string {
	ids := make([]string, 0, len(s.Rules))
	for id := range s.Rules {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		x, y := Of(a), Of(b)
		return cmp.Or(cmp.Compare(x.Severity, y.Severity), cmp.Compare(s.Rules[b], s.Rules[a]), cmp.Compare(a, b))
	})
	return ids
}
