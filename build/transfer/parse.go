package transfer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx/plain"
)

// parsed is one line after parsing: a record, or why it is none.
type parsed struct {
	number int
	raw    []byte
	rec    record
	bad    *source.Rejection
	// repaired says what was taken out of the record's texts, nil for nothing.
	repaired *source.Rejection
}

// fault describes what is wrong with a line; its place is added later.
func fault(code source.Code, reason, remedy string) *source.Rejection {
	return &source.Rejection{Code: code, Reason: reason, Remedy: remedy}
}

// parse reads one line. What Export wrote is read the short way.
func parse(line []byte) (record, *source.Rejection) {
	text := string(line)
	if rec, ok := parseEntry(text); ok {
		return rec, nil
	}
	var own record
	if plain.Read(text, &own) && own.Kind != "" {
		return own, own.check()
	}
	if e := (&catalog.Entry{}); plain.Read(text, e) {
		return record{Kind: kindEntry, Entry: e}, nil
	}
	return parseAny(line)
}

// entryLine is the usual line of an entry. Its provenance is not taken apart,
// since it mostly goes into the store as it is.
type entryLine struct {
	Kind       string                        `json:"kind"`
	Entry      *catalog.Entry                `json:"entry,omitempty"`
	Provenance plain.Doc[catalog.Provenance] `json:"provenance,omitempty"`
}

func parseEntry(text string) (record, bool) {
	var l entryLine
	if !plain.Read(text, &l) || l.Kind != kindEntry || l.Entry == nil {
		return record{}, false
	}
	rec := record{Kind: kindEntry, Entry: l.Entry}
	if catalog.IsID(l.Entry.ID) && strings.HasPrefix(string(l.Provenance), `{"entry_id":"`+l.Entry.ID+`",`) {
		rec.trail = l.Provenance
		return rec, true
	}
	if l.Provenance == "" {
		return rec, true
	}
	rec.Provenance = &catalog.Provenance{}
	return rec, l.Provenance.Read(rec.Provenance)
}

// parseAny reads a line in any form that JSON allows.
func parseAny(line []byte) (record, *source.Rejection) {
	if !utf8.Valid(line) {
		return record{}, fault(source.CodeInvalidUTF8, "the line is not UTF-8", "encode the file as UTF-8")
	}
	if escapedNUL(line) {
		return record{}, fault(source.CodeControlCharacter, "a text holds the character U+0000", "remove the control characters")
	}
	var rec record
	bare, bad := isBare(line)
	if bad != nil {
		return rec, bad
	}
	if bare {
		rec.Kind, rec.Entry = kindEntry, &catalog.Entry{}
		if bad := decode(line, rec.Entry); bad != nil {
			return rec, bad
		}
		return rec, nil
	}
	if bad := decode(line, &rec); bad != nil {
		return rec, bad
	}
	return rec, rec.check()
}

// isBare tells whether the line is an entry without the envelope of a kind.
func isBare(line []byte) (bool, *source.Rejection) {
	if bytes.HasPrefix(line, []byte(`{"kind":`)) {
		return false, nil
	}
	var probe struct {
		Kind json.RawMessage `json:"kind"`
	}
	if err := json.Unmarshal(line, &probe); err != nil {
		return false, explain(err, line)
	}
	return probe.Kind == nil, nil
}

// decode reads a line strictly: unknown members and trailing data are faults.
func decode(line []byte, into any) *source.Rejection {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return explain(err, line)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return fault(CodeBrokenJSON, "something follows the object on the line", "write one object per line")
	}
	return nil
}

// explain names the fault behind an error of encoding/json.
func explain(err error, line []byte) *source.Rejection {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var date *time.ParseError
	switch {
	case errors.As(err, &kind):
		field := kind.Field
		if field == "" {
			field = "the line"
		}
		return fault(CodeWrongType, fmt.Sprintf("%s: a %s stands where a %s belongs", field, kind.Value, kind.Type),
			"give "+field+" a value of its type")
	case errors.As(err, &date):
		return fault(CodeWrongType, "not a time: "+date.Value, "write times as in 2026-11-21T09:00:00Z")
	case strings.HasPrefix(err.Error(), "json: unknown field "):
		field := strings.TrimPrefix(err.Error(), "json: unknown field ")
		return fault(CodeUnknownField, "unknown field "+field, "remove the field or correct its name")
	case errors.As(err, &syntax), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		code := CodeBrokenJSON
		if bytes.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' && r != '\r' }) {
			code = source.CodeControlCharacter
		}
		return fault(code, "the line is not JSON: "+err.Error(), "write one JSON object per line")
	}
	return fault(CodeWrongType, err.Error(), "correct the value")
}

// check tells whether the record is there that the kind announces, and no
// other.
func (r *record) check() *source.Rejection {
	members := r.members()
	has, known := members[r.Kind]
	if !known {
		return fault(CodeUnknownKind, fmt.Sprintf("unknown kind %q", r.Kind), "use one of the kinds of an export")
	}
	if !has {
		return fault(CodeMissingRecord, "the line has no "+r.Kind, "give the record under the name of its kind")
	}
	for name, there := range members {
		if there && name != r.Kind {
			return fault(CodeMissingRecord, "a line of kind "+r.Kind+" has a "+name+" too", "write one record per line")
		}
	}
	if r.Provenance != nil && r.Kind != kindEntry {
		return fault(CodeMissingRecord, "a line of kind "+r.Kind+" has a provenance", "give the provenance with its entry")
	}
	return r.checkIDs()
}

// checkIDs checks the keys of all records but entries, which have checks of
// their own.
func (r *record) checkIDs() *source.Rejection {
	id, name := "", "id"
	switch r.Kind {
	case kindRegister, kindEntry:
		return nil
	case kindInstitution:
		id = r.Institution.ID
	case kindSource:
		id = r.Source.ID
	case kindHarvestRun, kindHarvestSeen:
		return r.checkRun()
	case kindLicence:
		if r.Licence.ID == "" {
			return fault(source.CodeInvalidField, "licence.id is empty", "give the licence an id")
		}
		return nil
	case kindEvent:
		if r.Event.Number <= 0 {
			return fault(source.CodeInvalidField, "event.number is not above 0", "give the event its number")
		}
		if id = r.Event.EntryID; id == "" {
			return nil
		}
		name = "entry_id"
	case kindIncident:
		if id, name = r.Incident.EntryID, "entry_id"; id == "" && r.Incident.Host != "" {
			return nil // of a whole host
		}
	default:
		id, name = r.owner(), "entry_id"
	}
	if !catalog.IsID(id) {
		return fault(source.CodeInvalidField, fmt.Sprintf("%s.%s is %q", r.Kind, name, id), "use a lower-case UUID")
	}
	return nil
}

// escapedNUL finds \u0000 in the text of a line. PostgreSQL cannot store it.
func escapedNUL(line []byte) bool {
	for rest := line; ; {
		i := bytes.Index(rest, []byte(`\u0000`))
		if i < 0 {
			return false
		}
		slashes := 0
		for k := i - 1; k >= 0 && rest[k] == '\\'; k-- {
			slashes++
		}
		if slashes%2 == 0 {
			return true
		}
		rest = rest[i+6:]
	}
}

// invalid turns a broken rule of an entry into a fault.
func invalid(err error) *source.Rejection {
	x := fault(source.CodeInvalidField, err.Error(), "correct the field")
	var f *catalog.FieldError
	if errors.As(err, &f) {
		x.Remedy = f.Remedy
		if strings.HasPrefix(f.Remedy, "shorten") {
			x.Code = CodeTextTooLong
		}
	}
	return x
}
