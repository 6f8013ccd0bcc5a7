package mailer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strings"

	"github.com/emersion/go-msgauth/dkim"
	gomail "github.com/wneessen/go-mail"

	"github.com/assay-register/assay/dynamic/mail"
)

// writer makes MIME of a message.
type writer struct {
	from *netmail.Address
	sign *dkim.SignOptions
}

// write makes the bytes of a mail, signed if there is a key.
func (w *writer) write(m *mail.Message) ([]byte, error) {
	out, err := w.compose(m)
	if err != nil {
		return nil, err
	}
	var plain, signed bytes.Buffer
	if _, err := out.WriteTo(&plain); err != nil || w.sign == nil {
		return plain.Bytes(), err
	}
	err = dkim.Sign(&signed, &plain, w.sign)
	return signed.Bytes(), err
}

func (w *writer) compose(m *mail.Message) (*gomail.Msg, error) {
	out := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	out.FromMailAddress(w.from)
	if err := out.To(m.To); err != nil {
		return nil, fmt.Errorf("%w: %w", mail.ErrPermanent, err)
	}
	for _, line := range []string{m.Subject, m.ID, m.Unsubscribe, m.List, m.To} {
		if strings.ContainsAny(line, "\r\n") {
			return nil, fmt.Errorf("%w: a header holds a line break", mail.ErrPermanent)
		}
	}
	out.Subject(m.Subject)
	out.SetMessageIDWithValue(m.ID)
	out.SetDate()
	// Answers to automatic mail lead nowhere (RFC 3834, section 5).
	out.SetGenHeaderPreformatted("Auto-Submitted", "auto-generated")
	if m.List != "" {
		out.SetGenHeaderPreformatted("List-Id", m.List)
	}
	if m.Unsubscribe != "" {
		out.SetListUnsubscribe(m.Unsubscribe)
		out.SetListUnsubscribePost()
	}
	out.SetBodyString(gomail.TypeTextPlain, m.Text)
	out.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	return out, nil
}

// directory writes mail to files.
type directory struct {
	*writer
	dir string
}

// Send implements mail.Sender. The file has the name of the mail, so the same
// mail again is the same file.
func (d *directory) Send(_ context.Context, m *mail.Message) error {
	message, err := d.write(m)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return fmt.Errorf("--mail-dir: %w", err)
	}
	f, err := os.CreateTemp(d.dir, ".mail-*")
	if err != nil {
		return fmt.Errorf("--mail-dir: %w", err)
	}
	_, err = f.Write(message)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(d.dir, fileName(m.ID)))
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// fileName keeps of an id what every file system takes.
func fileName(id string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '@' {
			return r
		}
		return '_'
	}, id) + ".eml"
}
