//go:build unix

package month

import (
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

// post is a mail server that keeps what it gets.
type post struct {
	addr string
	mu   sync.Mutex
	got  []letter
	away bool
	// offset is how far that clock is moved.
	offset func() time.Duration
}

// letter is a mail as its reader sees it.
type letter struct {
	id, to, subject, text string
	// date is when it came, by the clock of the register.
	date time.Time
}

func openPost(t *testing.T) *post {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &post{addr: l.Addr().String()}
	server := smtp.NewServer(p)
	server.Domain = "localhost"
	go server.Serve(l)
	t.Cleanup(func() { _ = server.Close() })
	return p
}

// NewSession implements smtp.Backend.
func (p *post) NewSession(*smtp.Conn) (smtp.Session, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.away {
		return nil, &smtp.SMTPError{Code: 421, Message: "closed for today"}
	}
	return &delivery{post: p}, nil
}

// setAway lets the server turn all away, or work again.
func (p *post) setAway(away bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.away = away
}

// letters are the mails to an address, each once: one that comes again bears the
// same Message-ID (watches.md).
func (p *post) letters(to string) (list []letter, twice int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := map[string]bool{}
	for _, l := range p.got {
		if l.to != to {
			continue
		}
		if seen[l.id] {
			twice++
			continue
		}
		seen[l.id] = true
		list = append(list, l)
	}
	return list, twice
}

// delivery is one mail on its way.
type delivery struct {
	post *post
	to   string
}

// Mail implements smtp.Session.
func (d *delivery) Mail(string, *smtp.MailOptions) error { return nil }

// Rcpt implements smtp.Session.
func (d *delivery) Rcpt(to string, _ *smtp.RcptOptions) error {
	d.to = to
	return nil
}

// Data implements smtp.Session.
func (d *delivery) Data(r io.Reader) error {
	l, err := open(r)
	if err != nil {
		return err
	}
	l.to = d.to
	d.post.mu.Lock()
	defer d.post.mu.Unlock()
	l.date = time.Now().Add(d.post.offset())
	d.post.got = append(d.post.got, l)
	return nil
}

// Reset implements smtp.Session.
func (d *delivery) Reset() {}

// Logout implements smtp.Session.
func (d *delivery) Logout() error { return nil }

// open reads a mail: its plain form.
func open(r io.Reader) (l letter, err error) {
	m, err := mail.ReadMessage(r)
	if err != nil {
		return l, err
	}
	l.id = m.Header.Get("Message-ID")
	if l.subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil {
		return l, err
	}
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		return l, err
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	for {
		part, err := parts.NextRawPart()
		if err == io.EOF {
			return l, nil
		}
		if err != nil {
			return l, err
		}
		if !strings.HasPrefix(part.Header.Get("Content-Type"), "text/plain") {
			continue
		}
		var body io.Reader = part
		if strings.EqualFold(part.Header.Get("Content-Transfer-Encoding"), "quoted-printable") {
			body = quotedprintable.NewReader(part)
		}
		text, err := io.ReadAll(body)
		if err != nil {
			return l, err
		}
		l.text = string(text)
	}
}
