// Package mail writes the mail of watches and the notices for the operator: a
// text and an HTML form of the same content, with the headers of RFC 8058. Sending it is the business of the
// roof, which hands in a Sender.
package mail

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	htmltemplate "html/template"
	"net/url"
	"strings"
	texttemplate "text/template"
	"unicode"

	"github.com/assay-register/assay/templates"
)

// Message is one mail.
type Message struct {
	To, Subject string
	Text, HTML  string
	// ID is the Message-ID without its brackets; the same mail sent twice has
	// the same, so that a mail program shows it once.
	ID string
	// Unsubscribe is the address for one-click unsubscription (RFC 8058), "" for
	// mail that somebody asked for just now.
	Unsubscribe string
	// List names the kind of mail (List-Id, RFC 2919).
	List string
}

// Sender hands a message to the next mail server or to a directory. An error
// that wraps ErrPermanent will not go away by trying again.
type Sender interface {
	Send(ctx context.Context, m *Message) error
}

// ErrPermanent says that a mail can never be delivered.
var ErrPermanent = errors.New("the mail cannot be delivered")

//go:embed templates
var files embed.FS

var (
	htmls = htmltemplate.Must(htmltemplate.ParseFS(files, "templates/*.html"))
	texts = texttemplate.Must(texttemplate.ParseFS(files, "templates/*.txt"))
)

// Words are the words of the reader's language.
type Words = templates.Locale

// Confirm is what the mail that asks for confirmation says.
type Confirm struct {
	Words
	Register, BaseURL string
	// What is watched, in words; Often is the frequency.
	What, Often string
	// Link opens the page with the button.
	Link string
}

// Digest is what the mail about events says.
type Digest struct {
	Words
	Register, BaseURL   string
	What, Often         string
	Entries             []Entry
	Total               int
	Manage, Unsubscribe string
	// Owner is what the digest of an owner says beside events, nil for a reader's.
	Owner *Owner
}

// Owner is what the digest of an owner says beside events.
type Owner struct {
	// Total and Reports count what is to be mended, and what readers wait for; Mend and Waiting
	// say so, "" for nothing to say.
	Total, Reports int
	Mend, Waiting  string
	Best           []Mend
	// List is the page of all that can be mended, "" where there is none, Desk that of the claim.
	List, Desk string
}

// Mend is one thing to mend: in which entry, what to do, and the points that it brings.
type Mend struct {
	Name, Link, Advice, Points string
}

// Entry is one entry of a digest with what happened to it.
type Entry struct {
	Name, Kind, Link string
	Events           []Event
}

// Event is one thing that happened.
type Event struct {
	// Tone is good, bad or plain.
	Label, Tone, At, Detail string
}

// Message writes the mail to an address.
func (c *Confirm) Message(to, id string) (*Message, error) {
	return write("confirm", c, &Message{To: to, ID: id + "@" + host(c.BaseURL), Subject: c.Say("mail.confirm.subject", "what", c.What), List: listID(c.Register, c.BaseURL)})
}

// Message writes the mail to an address.
func (d *Digest) Message(to, id string) (*Message, error) {
	subject := d.Say("mail.digest.subject", "changes", d.Changes(), "what", d.What)
	if d.Total == 1 && len(d.Entries) == 1 {
		subject = d.Say("mail.digest.subject", "changes", d.Entries[0].Name, "what", d.Entries[0].Events[0].Label)
	}
	return write("digest", d, &Message{To: to, ID: id + "@" + host(d.BaseURL), Subject: subject, Unsubscribe: d.Unsubscribe, List: listID(d.Register, d.BaseURL)})
}

// Title is that of the HTML form.
func (c *Confirm) Title() string { return c.T("watch.confirm") }

// Title is that of the HTML form.
func (d *Digest) Title() string { return d.What }

// Because says why the mail comes.
func (d *Digest) Because() string {
	if d.Owner != nil {
		return d.Say("mail.owner.because", "what", d.What, "often", d.Often)
	}
	return d.Say("mail.digest.because", "what", d.What, "often", d.Often)
}

// Changes says how many events the mail tells of, what else an owner's is about without any.
func (d *Digest) Changes() string {
	if d.Total == 0 && d.Owner != nil {
		return d.T("mail.owner.heading")
	}
	if d.Total == 1 {
		return d.T("mail.digest.one")
	}
	return d.Say("mail.digest.many", "n", d.Number(d.Total))
}

func write(name string, data any, m *Message) (*Message, error) {
	var text, html bytes.Buffer
	if err := errors.Join(texts.ExecuteTemplate(&text, name+".txt", data), htmls.ExecuteTemplate(&html, name+".html", data)); err != nil {
		return nil, fmt.Errorf("mail %s: %w", name, err)
	}
	m.Subject, m.Text, m.HTML = Line(m.Subject, subjectMax), text.String(), html.String()
	return m, nil
}

const subjectMax = 150

// Line makes one line of a text: no control character of it reaches a header.
func Line(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > limit {
		s = string(runes[:limit-1]) + "…"
	}
	return s
}

// host is the domain of the register, by which its mail is named.
func host(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Hostname() == "" {
		return "localhost"
	}
	return u.Hostname()
}

func listID(register, base string) string {
	return fmt.Sprintf("%q <watches.%s>", strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' {
			return -1
		}
		return r
	}, Line(register, 60)), host(base))
}
