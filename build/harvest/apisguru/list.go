package apisguru

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/assay-register/assay/build/harvest/source"
)

// list takes the members of the one object apart. No more than one member and
// the reader's buffer is in memory.
type list struct {
	name   string
	stream *source.Stream
	dec    *json.Decoder
	budget *budget
	limit  int
	begun  bool
	ended  bool
	last   string
}

// budget bounds how much is read for one member.
type budget struct {
	r    io.Reader
	left int
}

// errBudget says that a member is longer than the limit.
var errBudget = errors.New("the record is longer than the limit")

// Read implements io.Reader.
func (b *budget) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errBudget
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

func newList(s *source.Stream, name string, limit int) *list {
	b := &budget{r: s}
	return &list{name: name, stream: s, dec: json.NewDecoder(b), budget: b, limit: limit}
}

// next returns the next member, or the rejection of what cannot be read, or
// io.EOF. After broken JSON nothing more is read, because nothing tells where
// the next member begins.
func (l *list) next() (key string, raw json.RawMessage, bad *source.Rejection, err error) {
	if l.ended {
		return "", nil, nil, io.EOF
	}
	l.budget.left = l.limit
	if !l.begun {
		l.begun = true
		t, err := l.dec.Token()
		if err == nil && t != json.Delim('{') {
			err = errNoObject
		}
		if err != nil {
			bad, err := l.fault(err)
			return "", nil, bad, err
		}
	}
	if t, err := l.dec.Token(); err != nil || t == json.Delim('}') {
		if err == nil {
			l.ended = true
			return "", nil, nil, io.EOF
		}
		bad, err := l.fault(err)
		return "", nil, bad, err
	} else if s, ok := t.(string); ok {
		key = s
	}
	l.last = key
	if err := l.dec.Decode(&raw); err != nil {
		bad, err := l.fault(err)
		return "", nil, bad, err
	}
	return key, raw, nil, nil
}

var errNoObject = errors.New("the list is not a JSON object with a member per API")

// fault ends the list. What the stream itself reports stands for the end of a
// damaged input.
func (l *list) fault(err error) (*source.Rejection, error) {
	l.ended = true
	bad := &source.Rejection{Place: l.place(l.last), Reason: err.Error()}
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, errBudget):
		bad.Code, bad.Remedy = source.CodeRecordTooLarge, "shorten the record after this one; what follows was not read"
	case errors.Is(err, errNoObject):
		bad.Code, bad.Remedy = source.CodeNoRecords, "give the list.json of a directory"
	case errors.As(err, &syntax), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		if l.stream.Problem() != nil {
			return nil, io.EOF
		}
		bad.Code, bad.Remedy = source.CodeBrokenJSON, "publish valid JSON; what follows was not read"
		bad.Reason = fmt.Sprintf("the JSON breaks in or after this record, at byte %d: %v", l.dec.InputOffset(), err)
	default:
		return nil, err
	}
	return bad, nil
}

// place names a record for messages.
func (l *list) place(key string) string {
	if key == "" {
		return l.name
	}
	return l.name + "#" + key
}
