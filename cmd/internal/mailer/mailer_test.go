package mailer

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"

	"github.com/assay-register/assay/dynamic/mail"
)

func sample() *mail.Message {
	return &mail.Message{To: "reader@readers.example", Subject: "Ρύπανση: 2 changes", Text: "text\n", HTML: "<p>html</p>", ID: "m1@register.example",
		Unsubscribe: "https://register.example/u/t", List: `"Register" <watches.register.example>`}
}

// TestSend goes through a real server by STARTTLS, logged in and signed.
func TestSend(t *testing.T) {
	p := newPost(t)
	key, record := signing(t)
	o := p.options()
	o.DKIMDomain, o.DKIMSelector, o.DKIMKey = "register.example", "s1", key
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), sample()); err != nil {
		t.Fatal(err)
	}
	l := p.letters()[0]
	if !l.secure || l.user != postUser || l.from != "register@register.example" || l.to != "reader@readers.example" {
		t.Errorf("got %+v", l)
	}
	checkDKIM(t, l.raw, record)
	m := open(t, l.raw)
	if m.subject != "Ρύπανση: 2 changes" || m.text != "text\n" || m.html != "<p>html</p>" || m.Get("Message-ID") != "<m1@register.example>" ||
		m.Get("List-Unsubscribe") != "<https://register.example/u/t>" || m.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" ||
		m.Get("Auto-Submitted") != "auto-generated" || m.Get("User-Agent")+m.Get("X-Mailer") != "" || m.Get("Date") == "" {
		t.Errorf("got %+v", m)
	}
}

func TestSendFails(t *testing.T) {
	p := newPost(t)
	for name, c := range map[string]struct {
		change    func(*Options)
		permanent bool
	}{
		"wrong password": {func(o *Options) { o.Password = "x" }, false},
		"no trust":       {func(o *Options) { o.Roots = nil }, false},
		"no server":      {func(o *Options) { o.Server = "127.0.0.1:1" }, false},
		"refused":        {func(*Options) { p.refuse = &smtp.SMTPError{Code: 550, Message: "no such reader"} }, true},
		"later":          {func(*Options) { p.refuse = &smtp.SMTPError{Code: 451, Message: "try later"} }, false},
	} {
		p.refuse = nil
		o := p.options()
		c.change(&o)
		s, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Send(t.Context(), sample()); err == nil || errors.Is(err, mail.ErrPermanent) != c.permanent {
			t.Errorf("%s: %v, permanent should be %t", name, err, c.permanent)
		}
	}
	if n := len(p.letters()); n != 0 {
		t.Errorf("%d mails were sent", n)
	}
}

// TestInjection: no part of a message reaches the headers as a line of its own.
func TestInjection(t *testing.T) {
	p := newPost(t)
	s, err := New(p.options())
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []func(*mail.Message){
		func(m *mail.Message) { m.Subject = "a\r\nBcc: victim@readers.example" },
		func(m *mail.Message) { m.To = "a@readers.example\r\nRCPT TO:<victim@readers.example>" },
		func(m *mail.Message) { m.To = "a@readers.example, victim@readers.example" },
		func(m *mail.Message) { m.ID = "x>\r\nX-Evil: 1\r\n<" },
		func(m *mail.Message) { m.Unsubscribe = "https://a/>\r\nX-Evil: 1" },
	} {
		m := sample()
		change(m)
		if err := s.Send(t.Context(), m); !errors.Is(err, mail.ErrPermanent) {
			t.Errorf("%+v was not refused: %v", m, err)
		}
	}
	if n := len(p.letters()); n != 0 {
		t.Errorf("%d mails were sent", n)
	}
}

func TestDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mail")
	s, err := New(Options{From: "register@register.example", Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Send(t.Context(), sample()); err != nil {
			t.Fatal(err)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 || files[0].Name() != "m1@register.example.eml" {
		t.Fatalf("got %v, %v", files, err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, files[0].Name()))
	if err != nil {
		t.Fatal(err)
	}
	if m := open(t, raw); m.subject != "Ρύπανση: 2 changes" || m.html != "<p>html</p>" {
		t.Errorf("got %+v", m)
	}
}

func TestNewRefuses(t *testing.T) {
	key, _ := signing(t)
	for name, o := range map[string]Options{
		"--mail-from":     {Dir: "x", From: "nobody"},
		"--mail-dir":      {From: "a@b.example"},
		"--smtp ":         {From: "a@b.example", Server: "mail.example", TLS: TLSStart},
		"--smtp-tls":      {From: "a@b.example", Server: "mail.example:25", TLS: "maybe"},
		"--smtp-tls none": {From: "a@b.example", Server: "mail.example:25", TLS: TLSNone, User: "u"},
		"--dkim-domain":   {From: "a@b.example", Dir: "x", DKIMKey: key},
		"--dkim-key: ope": {From: "a@b.example", Dir: "x", DKIMKey: "absent", DKIMDomain: "b.example", DKIMSelector: "s"},
		"--dkim-key ":     {From: "a@b.example", Dir: "x", DKIMKey: os.Args[0], DKIMDomain: "b.example", DKIMSelector: "s"},
	} {
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%+v: %v, want an error about %s", o, err, name)
		}
	}
}
