package lint

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// junitWriter writes JUnit XML, which servers of continuous integration show: a test
// case for each finding, which fails where something must be mended, and one that
// passes for a catalogue in which nothing is found.
type junitWriter struct {
	w     io.Writer
	began bool
}

func newJUnit(w io.Writer) *junitWriter { return &junitWriter{w: w} }

type junitCase struct {
	XMLName xml.Name   `xml:"testcase"`
	Class   string     `xml:"classname,attr"`
	Name    string     `xml:"name,attr"`
	File    string     `xml:"file,attr,omitempty"`
	Line    int        `xml:"line,attr,omitempty"`
	Failure *junitText `xml:"failure,omitempty"`
	Out     string     `xml:"system-out,omitempty"`
}

type junitText struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func (j *junitWriter) begin() error {
	if j.began {
		return nil
	}
	j.began = true
	_, err := io.WriteString(j.w, xml.Header+"<testsuites><testsuite name=\"assay lint\">\n")
	return err
}

func (j *junitWriter) put(c *junitCase) error {
	if err := j.begin(); err != nil {
		return err
	}
	b, err := xml.Marshal(c)
	if err != nil {
		return fmt.Errorf("findings: %w", err)
	}
	_, err = j.w.Write(append(b, '\n'))
	return err
}

// Write implements Writer.
func (j *junitWriter) Write(f *Finding) error {
	var about strings.Builder
	textLine(&about, f)
	c := &junitCase{Class: f.Rule, Name: strings.TrimSpace(Place(&f.Record) + " " + f.Member), File: f.Record.Document, Line: f.Record.Line}
	if f.Severity == Must {
		c.Failure = &junitText{Message: f.Message, Type: f.Rule, Text: strings.TrimSpace(about.String())}
	} else {
		c.Out = strings.TrimSpace(about.String())
	}
	return j.put(c)
}

// Close implements Writer.
func (j *junitWriter) Close(s *Summary) error {
	if !j.began {
		if err := j.put(&junitCase{Class: "assay lint", Name: fmt.Sprintf("%d records", s.Records)}); err != nil {
			return err
		}
	}
	_, err := io.WriteString(j.w, "</testsuite></testsuites>\n")
	return err
}
