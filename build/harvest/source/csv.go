package source

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
)

// Row is one record of a CSV file.
type Row struct {
	// Line is the number of the row's first line, from one.
	Line   int
	Fields []string
}

// Bytes is the row as a line of RFC 4180, below that of its header; nil where there is
// none.
func (r Row) Bytes(header []string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	if w.WriteAll([][]string{header, r.Fields}) != nil { // a buffer takes everything
		return nil
	}
	return b.Bytes()
}

// CSV reads comma-separated records (RFC 4180) and finds its way back after a
// broken one: when a quote is opened and never properly closed, the line on
// which the record began is refused and reading goes on with the next line, so
// that one bad quote does not swallow the rest of the file.
type CSV struct {
	lines  *Lines
	stream *Stream
	name   string
	comma  byte
	limit  int
	queue  []physical
	ended  bool
}

// physical is one line of the file.
type physical struct {
	number int
	text   []byte
	long   bool
}

// recordLines is the longest record in lines; a lost quote is noticed at the
// latest after so many.
const recordLines = 5000

// NewCSV reads records separated by comma.
func NewCSV(s *Stream, comma byte) *CSV {
	return &CSV{lines: NewLines(s, s.limits.Record), stream: s, name: s.name, comma: comma, limit: s.limits.Record}
}

// Next returns the next record, or the rejection of a broken one, or io.EOF.
// Empty lines are passed over.
func (c *CSV) Next() (Row, *Rejection, error) {
	for {
		first, err := c.line()
		if err != nil {
			return Row{}, nil, err
		}
		if first.long {
			return Row{}, c.refuse(first.number, CodeRecordTooLarge, "the row is longer than the limit", "shorten the row"), nil
		}
		if len(first.text) == 0 {
			continue
		}
		row, bad, err := c.record(first)
		if errors.Is(err, errCut) {
			continue
		}
		return row, bad, err
	}
}

// errCut says that the record is the one in which a damaged stream ended; the
// stream's own problem stands for it.
var errCut = errors.New("record cut off")

func (c *CSV) record(first physical) (Row, *Rejection, error) {
	p := fieldParser{comma: c.comma}
	taken, size := []physical{first}, 0
	next := first
	for {
		size += len(next.text) + 1
		done, fault := p.feed(next.text)
		if done {
			if c.ended && len(c.queue) == 0 && c.stream.Problem() != nil {
				return Row{}, nil, errCut
			}
			return Row{Line: first.number, Fields: p.fields}, nil, nil
		}
		if fault != "" || size > c.limit || len(taken) > recordLines {
			return c.giveUp(taken, fault)
		}
		var err error
		if next, err = c.line(); errors.Is(err, io.EOF) {
			if c.stream.Problem() != nil {
				return Row{}, nil, errCut
			}
			return c.giveUp(taken, "the quote is never closed")
		} else if err != nil {
			return Row{}, nil, err
		}
		taken = append(taken, next)
		if next.long {
			return c.giveUp(taken, "")
		}
	}
}

// giveUp refuses the first of the lines and puts the others back.
func (c *CSV) giveUp(taken []physical, fault string) (Row, *Rejection, error) {
	c.queue = append(append([]physical{}, taken[1:]...), c.queue...)
	if fault == "" {
		return Row{}, c.refuse(taken[0].number, CodeRecordTooLarge, "the row is longer than the limit", "shorten the row"), nil
	}
	return Row{}, c.refuse(taken[0].number, CodeUnbalancedQuotes, fault, `close the quoted field and double the quotes inside it`), nil
}

func (c *CSV) refuse(line int, code Code, reason, remedy string) *Rejection {
	return &Rejection{Place: fmt.Sprintf("%s:%d", c.name, line), Code: code, Reason: reason, Remedy: remedy}
}

// line returns the next line, first one that was put back.
func (c *CSV) line() (physical, error) {
	if len(c.queue) > 0 {
		p := c.queue[0]
		c.queue = c.queue[1:]
		return p, nil
	}
	text, err := c.lines.Next()
	c.ended = c.ended || c.lines.Unterminated()
	if errors.Is(err, ErrLineTooLong) {
		return physical{number: c.lines.Number(), long: true}, nil
	}
	if err != nil {
		return physical{}, err
	}
	return physical{number: c.lines.Number(), text: text}, nil
}
