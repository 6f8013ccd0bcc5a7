package rdf

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// scanner reads the terms that N-Triples and Turtle write alike.
type scanner struct {
	*input
	o      *Options
	give   func(Triple) error
	names  names
	base   string
	fresh  int
	faults int
	// tmp is room to put a term together.
	tmp []byte
}

func newScanner(r io.Reader, o *Options, emit func(Triple) error) scanner {
	return scanner{input: newInput(r, o.Limits), o: o, give: emit}
}

// fault is a breach of the syntax at the next byte, or the error of the input
// that lies behind it.
func (s *scanner) fault(format string, args ...any) error {
	if s.err != nil && !errors.Is(s.err, errTooLong) {
		return s.err
	}
	return s.problem(format, args...)
}

func (s *scanner) problem(format string, args ...any) *Problem {
	lines, column := s.place()
	reason := fmt.Sprintf(format, args...)
	if s.err != nil {
		reason = fmt.Sprintf("something is longer than %d bytes", s.max)
	}
	return &Problem{Line: lines + 1, Column: column + 1, Reason: reason, Lost: true}
}

// unclosed is the end of the document, or of what may be kept, within a token.
func (s *scanner) unclosed(what string) error {
	return s.fault("the document ends within the %s", what)
}

// repaired reports a fault that costs nothing; for a strict reader it is an
// error.
func (s *scanner) repaired(format string, args ...any) error {
	if s.o.Lenient == nil || s.err != nil {
		return s.fault(format, args...)
	}
	p := s.problem(format, args...)
	p.Lost = false
	return s.o.Lenient(*p)
}

// lost reports a statement that is skipped. It returns err itself when the
// reader is strict, when err is no fault of the syntax, or after too many.
func (s *scanner) lost(err error, subject Term) error {
	var p *Problem
	if s.o.Lenient == nil || !errors.As(err, &p) {
		return err
	}
	if s.faults++; s.faults > s.o.Limits.Faults {
		return fmt.Errorf("more than %d statements cannot be read: %w", s.o.Limits.Faults, err)
	}
	if errors.Is(s.err, errTooLong) {
		s.err = nil
	}
	p.Subject = subject
	return s.o.Lenient(*p)
}

// blank makes a node that the document does not name.
func (s *scanner) blank() Term {
	s.fresh++
	return blankTerm("#" + strconv.Itoa(s.fresh))
}

// iriRef reads an IRI in angle brackets.
func (s *scanner) iriRef() (Term, error) {
	n := s.span(1, badIRI)
	if s.pos+n >= s.end {
		return Term{}, s.unclosed("IRI")
	}
	raw := s.ahead(n)[1:]
	if s.buf[s.pos+n] != '>' || !utf8.Valid(raw) {
		return s.oddIRI()
	}
	iri, err := s.absolute(raw)
	s.pos += n + 1
	return iriTerm(iri), err
}

// oddIRI reads an IRI with escapes, or with characters that no IRI has.
func (s *scanner) oddIRI() (Term, error) {
	n := s.span(1, endIRI)
	if s.pos+n >= s.end || s.buf[s.pos+n] != '>' {
		return Term{}, s.unclosedIRI(n)
	}
	iri, err := s.unescape(s.ahead(n)[1:], false)
	if err != nil {
		return Term{}, err
	}
	if !cleanIRI(iri) {
		if err := s.repaired("the IRI %s has characters that must be percent-encoded", clip(iri)); err != nil {
			return Term{}, err
		}
		iri = repairIRI(iri)
	}
	iri, err = s.absolute([]byte(iri))
	s.pos += n + 1
	return iriTerm(iri), err
}

func (s *scanner) unclosedIRI(n int) error {
	if s.pos+n >= s.end {
		return s.unclosed("IRI")
	}
	return s.fault("the IRI %s is not closed on its line", clip(string(s.ahead(n))))
}

// absolute resolves an IRI reference against the base.
func (s *scanner) absolute(raw []byte) (string, error) {
	if schemeEnd(raw) > 0 {
		return s.names.of(raw), nil
	}
	iri := resolve(s.base, string(raw))
	if iri == "" {
		return "", s.fault("the IRI is empty and there is no base")
	}
	if schemeEnd(iri) <= 0 {
		return iri, s.repaired("the IRI <%s> is relative and there is no base", clip(iri))
	}
	return iri, nil
}

// label reads a blank node with a name.
func (s *scanner) label() (Term, error) {
	if s.at(1) != ':' {
		return Term{}, s.fault("a blank node begins with _:")
	}
	n := s.span(2, afterWord)
	end := nameEnd(s.ahead(n)[2:], func(r rune) bool { return baseChar(r) || r == '_' || r >= '0' && r <= '9' })
	if end == 0 {
		return Term{}, s.fault("the blank node has no valid label")
	}
	t := blankTerm(s.names.of(s.ahead(2 + end)[2:]))
	s.pos += 2 + end
	return t, nil
}

// lang reads a language tag. Underscores are repaired; what is none at all is
// left out.
func (s *scanner) lang() (string, error) {
	n := s.span(1, afterTag)
	tag := s.names.of(s.ahead(n)[1:])
	if strings.Contains(tag, "_") {
		if err := s.repaired("the language tag %s has an underscore", clip(tag)); err != nil {
			return "", err
		}
		tag = strings.ReplaceAll(tag, "_", "-")
	}
	for i, part := range strings.Split(tag, "-") {
		if part == "" || i == 0 && strings.ContainsAny(part, digits) {
			err := s.repaired("%q is no language tag", clip(tag))
			s.pos += n
			return "", err
		}
	}
	s.pos += n
	return tag, nil
}

// clip shortens a value for a message.
func clip(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	end := most
	for end > most-4 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
