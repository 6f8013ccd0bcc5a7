package profile

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/assay-register/assay/build/profile/infer"
	"github.com/assay-register/assay/build/profile/personal"
	"github.com/assay-register/assay/build/profile/table"
)

// Bounds of a sample row.
const (
	maxSampleColumns = 100
	maxSampleText    = 200
	maxSampleItems   = 10
)

// sampleRows shows the first rows, with masked values where a verdict asks for
// it. What is shown as text is searched for addresses and numbers of persons.
func sampleRows(t *table.Table, columns []personal.Column, verdicts []personal.Verdict) []json.RawMessage {
	var out []json.RawMessage
	for _, row := range t.Rows[:min(len(t.Rows), MaxRows)] {
		var b bytes.Buffer
		b.WriteByte('{')
		for i := range row[:min(len(row), maxSampleColumns)] {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(text(columns[i].Name))
			b.WriteByte(':')
			b.Write(shown(row[i], &columns[i], verdicts[i]))
		}
		b.WriteByte('}')
		out = append(out, b.Bytes())
	}
	return out
}

func shown(c table.Cell, col *personal.Column, v personal.Verdict) []byte {
	if c.Kind == table.List {
		var b bytes.Buffer
		b.WriteByte('[')
		for i, item := range c.Items[:min(len(c.Items), maxSampleItems)] {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(scalar(item, col, v))
		}
		b.WriteByte(']')
		return b.Bytes()
	}
	return scalar(c, col, v)
}

// jsonNumber is a number that every reader of JSON holds exactly.
var jsonNumber = regexp.MustCompile(`^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$`)

func scalar(c table.Cell, col *personal.Column, v personal.Verdict) []byte {
	if infer.Empty(c) || c.Kind == table.Object {
		return []byte("null")
	}
	clipped := table.Clip(c.Text, maxSampleText)
	if v.Mask {
		return text(personal.Mask(clipped))
	}
	kind := col.Type
	if kind == infer.Array {
		kind = col.Items
	}
	switch {
	case c.Kind == table.Bool && (c.Text == "true" || c.Text == "false"):
		return []byte(c.Text)
	case kind == infer.Integer || kind == infer.Decimal || kind == infer.Year || c.Kind == table.Number:
		if n := plain(c, col); jsonNumber.MatchString(n) && n != "-0" {
			return []byte(n)
		}
		return text(clipped)
	case col.Concept != "":
		return text(clipped)
	}
	// The whole text is searched before it is cut, lest half an address stay.
	return text(table.Clip(personal.Redact(c.Text), maxSampleText))
}

func plain(c table.Cell, col *personal.Column) string {
	if c.Kind == table.Number {
		return c.Text
	}
	return infer.Number(c.Text, col.Comma)
}

func text(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(strings.ToValidUTF8(s, "\ufffd")); err != nil {
		return []byte(`""`)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
