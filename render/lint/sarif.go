package lint

import (
	"cmp"
	"strings"
)

// sarifWriter writes SARIF 2.1.0 (OASIS), which code hosts show beside the lines of
// a change.
type sarifWriter struct{ jsonWriter }

type sarifText struct {
	Text string `json:"text"`
}

type sarifRule struct {
	ID      string    `json:"id"`
	Short   sarifText `json:"shortDescription"`
	Full    sarifText `json:"fullDescription"`
	Help    sarifText `json:"help"`
	HelpURI string    `json:"helpUri"`
	Default struct {
		Level string `json:"level"`
	} `json:"defaultConfiguration"`
}

type sarifResult struct {
	RuleID     string          `json:"ruleId"`
	Level      string          `json:"level"`
	Message    sarifText       `json:"message"`
	Locations  []sarifLocation `json:"locations"`
	Properties map[string]any  `json:"properties,omitempty"`
}

type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	} `json:"physicalLocation"`
	Logical []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

// level: what must be mended is an error.
func level(s Severity) string {
	if s == Must {
		return "error"
	}
	return "warning"
}

// begin writes the head with all rules.
func (w *sarifWriter) begin() error {
	list := make([]sarifRule, 0, len(rules))
	for i := range rules {
		r := &rules[i]
		x := sarifRule{ID: r.ID, Short: sarifText{r.Title}, Full: sarifText{r.Title + ": " + r.Why}, Help: sarifText{r.Remedy + " (" + r.Source.Name + ")"}, HelpURI: r.Source.URL}
		x.Default.Level = level(r.Severity)
		list = append(list, x)
	}
	b, err := plainJSON(list)
	w.open = `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"assay lint","informationUri":"https://github.com/assay-register/assay","rules":` + b + `}},"columnKind":"utf16CodeUnits","results":[`
	w.end = "]}]}"
	return err
}

// Write implements Writer.
func (w *sarifWriter) Write(f *Finding) error {
	if w.open == "" {
		if err := w.begin(); err != nil {
			return err
		}
	}
	r := sarifResult{RuleID: f.Rule, Level: level(f.Severity), Message: sarifText{strings.TrimSpace(f.Message + ". " + f.Remedy)}, Locations: make([]sarifLocation, 1)}
	at := &r.Locations[0]
	at.Physical.Artifact.URI = f.Record.Document
	if f.Record.Line > 0 {
		at.Physical.Region = &sarifRegion{f.Record.Line}
	}
	if name := strings.TrimSpace(f.Record.Subject + " " + cmp.Or(f.Member, f.Record.Pointer)); name != "" {
		at.Logical = []sarifLogical{{name, "member"}}
	}
	r.Properties = map[string]any{"points": f.Points}
	if f.Patch != nil {
		r.Properties["patch"] = f.Patch
	}
	return w.item(&r)
}

// Close implements Writer.
func (w *sarifWriter) Close(*Summary) error {
	if w.open == "" {
		if err := w.begin(); err != nil {
			return err
		}
	}
	return w.finish("\n")
}
