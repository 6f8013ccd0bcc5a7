// Package redact withholds personal data in records as sources published them, by a rule
// that is published: members and elements that name a person or how to reach one, and
// addresses of mail wherever they stand. What is left has the form that it had, so that it
// reads like the record. It is better to withhold an office than to show a person: the
// register's own judgement of who is a person (build/harvest/source) needs more than a record.
package redact

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
)

// Withheld stands where something is withheld.
const Withheld = "[withheld]"

// Rule is what is withheld, as it is published.
type Rule struct {
	Version string `json:"version"`
	// Members are names of JSON members, XML elements, columns and keys of YAML whose value is withheld, in lower
	// case without what is neither letter nor digit, and without a prefix before a colon.
	Members []string `json:"members"`
	// Text is what is withheld in any text, a regular expression (RE2).
	Text     string `json:"text"`
	Withheld string `json:"withheld"`
}

// mail is an address of mail, with or without its scheme.
const mail = `(?i)(mailto:)?[a-z0-9._%+-]+(@|%40)[a-z0-9.-]+\.[a-z]{2,}`

var (
	members = []string{"author", "authoremail", "authorname", "contact", "contactemail", "contactname", "contactperson", "contactphone", "contactpoint",
		"contributor", "creator", "deliverypoint", "electronicmailaddress", "email", "facsimile", "familyname", "fax", "fn", "givenname", "hasemail",
		"hastelephone", "individualname", "maintainer", "maintaineremail", "maintainername", "mbox", "mobile", "owner", "owneremail", "ownername", "person",
		"phone", "positionname", "responsible", "responsibleemail", "responsiblename", "streetaddress", "tel", "telephone", "user", "username", "voice"}
	mails = regexp.MustCompile(mail)
)

// Published is the rule.
func Published() Rule {
	return Rule{Version: "1", Members: slices.Clone(members), Text: mail, Withheld: Withheld}
}

// withheld tells whether what has the name is withheld.
func withheld(name string) bool {
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		name = name[i+1:]
	}
	plain := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, name)
	_, found := slices.BinarySearch(members, plain)
	return found
}

var errNotRead = errors.New("the record cannot be read, so nothing of it is shown")

// Record withholds personal data in a record of a media type. n is how many values were
// withheld. One that cannot be read in its form is an error: nothing of it may be shown.
func Record(media string, record []byte) (out []byte, n int, err error) {
	media, _, _ = strings.Cut(media, ";")
	switch {
	case strings.HasSuffix(media, "json"):
		return jsonRecord(record)
	case strings.HasSuffix(media, "xml"):
		return xmlRecord(record)
	}
	if media == "text/csv" {
		return rows(record)
	}
	s := text(lines(string(record), &n), &n)
	return []byte(s), n, nil
}

// text withholds what is withheld in any text.
func text(s string, n *int) string {
	return mails.ReplaceAllStringFunc(s, func(string) string { *n++; return Withheld })
}

// What is withheld besides in what a reader wrote: telephone numbers with the code of a country,
// and numbers of bank accounts (ISO 13616).
var (
	calls    = regexp.MustCompile(`\+\s?(?:\(?\d\)?[\s().\x{00a0}/-]{0,2}){8,15}`)
	accounts = regexp.MustCompile(`\b[A-Z]{2}\d{2}(?:\s?[0-9A-Z]{4}){2,7}(?:\s?[0-9A-Z]{1,4})?\b`)
)

// Said withholds what is personal in a text that a reader wrote and others will read.
func Said(s string) string {
	n := 0
	s = calls.ReplaceAllStringFunc(text(s, &n), func(m string) string {
		return Withheld + m[len(strings.TrimRight(m, " \t\n\u00a0")):]
	})
	return accounts.ReplaceAllString(s, Withheld)
}

// jsonRecord keeps the order of members and the spelling of numbers.
func jsonRecord(record []byte) ([]byte, int, error) {
	d := json.NewDecoder(bytes.NewReader(record))
	d.UseNumber()
	var b bytes.Buffer
	w := jsonWriter{d: d, b: &b}
	if err := w.value(0); err != nil {
		return nil, 0, errors.Join(errNotRead, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, 0, errNotRead
	}
	return b.Bytes(), w.n, nil
}

// depthMax bounds how deep a record is nested.
const depthMax = 200

type jsonWriter struct {
	d *json.Decoder
	b *bytes.Buffer
	n int
}

func (w *jsonWriter) value(depth int) error {
	t, err := w.d.Token()
	if err != nil {
		return err
	}
	if depth > depthMax {
		return errNotRead
	}
	switch t {
	case json.Delim('{'):
		return w.list('{', '}', depth, w.member)
	case json.Delim('['):
		return w.list('[', ']', depth, w.value)
	}
	if s, ok := t.(string); ok {
		t = text(s, &w.n)
	}
	return w.put(t)
}

func (w *jsonWriter) list(begin, end byte, depth int, each func(depth int) error) error {
	w.b.WriteByte(begin)
	for first := true; w.d.More(); first = false {
		if !first {
			w.b.WriteByte(',')
		}
		if err := each(depth + 1); err != nil {
			return err
		}
	}
	w.b.WriteByte(end)
	_, err := w.d.Token()
	return err
}

func (w *jsonWriter) member(depth int) error {
	t, err := w.d.Token()
	if err != nil {
		return err
	}
	name, _ := t.(string)
	if err := w.put(name); err != nil {
		return err
	}
	w.b.WriteByte(':')
	if !withheld(name) {
		return w.value(depth)
	}
	var all json.RawMessage
	if err := w.d.Decode(&all); err != nil {
		return err
	}
	if empty(all) {
		w.b.Write(all)
		return nil
	}
	w.n++
	return w.put(Withheld)
}

// empty tells that there is nothing to withhold.
func empty(value []byte) bool {
	switch string(value) {
	case "null", `""`, "[]", "{}", "false", "true":
		return true
	}
	return false
}

func (w *jsonWriter) put(v any) error {
	e := json.NewEncoder(w.b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	w.b.Truncate(w.b.Len() - 1)
	return nil
}

// xmlRecord leaves elements as they are and withholds their texts and attributes.
func xmlRecord(record []byte) ([]byte, int, error) {
	d := xml.NewDecoder(bytes.NewReader(record))
	var b bytes.Buffer
	n, hidden := 0, 0
	at := int64(0)
	for {
		t, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return b.Bytes(), n, nil
		}
		if err != nil {
			return nil, 0, errors.Join(errNotRead, err)
		}
		raw := record[at:d.InputOffset()]
		at = d.InputOffset()
		switch t := t.(type) {
		case xml.StartElement:
			if hidden > 0 || withheld(t.Name.Local) {
				hidden++
			}
			element(&b, t, bytes.HasSuffix(raw, []byte("/>")), &n)
			if bytes.HasSuffix(raw, []byte("/>")) { // RawToken ends it without bytes of its own
				continue
			}
		case xml.EndElement:
			hidden = max(0, hidden-1)
			b.Write(raw)
		case xml.CharData:
			if hidden > 0 && len(bytes.TrimSpace(t)) > 0 {
				n++
				b.WriteString(Withheld)
				continue
			}
			plain(&b, raw, t, &n)
		case xml.ProcInst:
			if t.Target == "xml" && !mails.Match(raw) {
				b.Write(raw)
			}
		default: // comments and declarations: who wrote what there, nobody knows
			n++
		}
	}
}

// element writes the tag of an element; one that is empty ends itself.
func element(b *bytes.Buffer, t xml.StartElement, empty bool, n *int) {
	b.WriteString("<" + full(t.Name))
	for _, a := range t.Attr {
		b.WriteString(" " + full(a.Name) + `="`)
		escape(b, text(a.Value, n))
		b.WriteString(`"`)
	}
	if empty {
		b.WriteByte('/')
	}
	b.WriteByte('>')
}

func full(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

// plain writes a text as it stands where nothing of it is withheld: an address may be
// spelled with references to characters.
func plain(b *bytes.Buffer, raw []byte, t xml.CharData, n *int) {
	before := *n
	if kept := text(string(t), n); *n > before {
		escape(b, kept)
		return
	}
	b.Write(raw)
}

func escape(b *bytes.Buffer, s string) { _ = xml.EscapeText(b, []byte(s)) } // a buffer takes everything
