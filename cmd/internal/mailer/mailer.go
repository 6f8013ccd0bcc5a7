// Package mailer hands the mail of the register to a mail server, or writes it
// to a directory where there is none.
package mailer

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"os"
	"strconv"
	"time"

	gomail "github.com/wneessen/go-mail"

	"github.com/assay-register/assay/dynamic/mail"
)

// Ways to protect the connection to the mail server.
const (
	// TLSStart begins in the clear and insists on STARTTLS (RFC 3207).
	TLSStart = "starttls"
	// TLSFull is TLS from the first byte (RFC 8314).
	TLSFull = "tls"
	TLSNone = "none"
)

// Options say how mail is sent.
type Options struct {
	// Server is host:port; empty for mail that is written to Dir.
	Server string
	TLS    string
	// User and Password log in; the method is the best that the server offers.
	User, Password string
	// From is the sender, an address with or without a name.
	From string
	// Dir takes the mail as .eml files when there is no server.
	Dir string
	// DKIMDomain, DKIMSelector and DKIMKey, a PEM file, sign the mail (RFC 6376);
	// all are given or none.
	DKIMDomain, DKIMSelector, DKIMKey string
	// Roots are trusted besides those of the system; for tests.
	Roots *tls.Config
}

// timeout bounds the exchange with the server.
const timeout = time.Minute

// New checks the options and makes a sender.
func New(o Options) (mail.Sender, error) {
	from, err := netmail.ParseAddress(o.From)
	if err != nil {
		return nil, fmt.Errorf("--mail-from %q: use an address such as \"Register <register@example.org>\"", o.From)
	}
	w := &writer{from: from}
	if w.signer, err = o.signer(); err != nil {
		return nil, err
	}
	if o.Server == "" {
		if o.Dir == "" {
			return nil, errors.New("--mail-dir: name the directory for mail that no --smtp server sends")
		}
		return &directory{writer: w, dir: o.Dir}, nil
	}
	client, err := o.client()
	if err != nil {
		return nil, err
	}
	return &server{writer: w, client: client}, nil
}

func (o *Options) client() (*gomail.Client, error) {
	host, text, err := net.SplitHostPort(o.Server)
	port, portErr := strconv.Atoi(text)
	if err != nil || portErr != nil || host == "" {
		return nil, fmt.Errorf("--smtp %q: use host:port", o.Server)
	}
	list := []gomail.Option{gomail.WithPort(port), gomail.WithTimeout(timeout), gomail.WithHELO(helo(o.From))}
	switch o.TLS {
	case TLSStart:
		list = append(list, gomail.WithTLSPolicy(gomail.TLSMandatory))
	case TLSFull:
		list = append(list, gomail.WithSSL())
	case TLSNone:
		list = append(list, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		return nil, fmt.Errorf("--smtp-tls %q: use starttls, tls or none", o.TLS)
	}
	if o.User != "" {
		list = append(list, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(o.User), gomail.WithPassword(o.Password))
	}
	if o.Roots != nil {
		config := o.Roots.Clone()
		config.ServerName = host
		list = append(list, gomail.WithTLSConfig(config))
	}
	client, err := gomail.NewClient(host, list...)
	if err != nil {
		return nil, fmt.Errorf("--smtp: %w", err)
	}
	return client, nil
}

// helo names the register to the server by the domain of its sender, so that
// the name of the machine is told to nobody.
func helo(from string) string {
	if a, err := netmail.ParseAddress(from); err == nil {
		for i := len(a.Address) - 1; i >= 0; i-- {
			if a.Address[i] == '@' {
				return a.Address[i+1:]
			}
		}
	}
	return "localhost"
}

func (o *Options) signer() (*gomail.DKIMSigner, error) {
	if o.DKIMDomain == "" && o.DKIMSelector == "" && o.DKIMKey == "" {
		return nil, nil
	}
	if o.DKIMDomain == "" || o.DKIMSelector == "" || o.DKIMKey == "" {
		return nil, errors.New("--dkim-domain, --dkim-selector and --dkim-key belong together: give all three")
	}
	pem, err := os.ReadFile(o.DKIMKey)
	if err != nil {
		return nil, fmt.Errorf("--dkim-key: %w", err)
	}
	key, err := gomail.PrivKeyFromPEM(pem)
	if err != nil {
		return nil, fmt.Errorf("--dkim-key %s: %w", o.DKIMKey, err)
	}
	s := gomail.NewDKIMSigner(o.DKIMDomain, o.DKIMSelector, key)
	// The headers of one-click unsubscription must be signed (RFC 8058, 3.1).
	s.SignHeaders("From", "To", "Subject", "Date", "Message-ID", "List-Unsubscribe", "List-Unsubscribe-Post", "MIME-Version", "Content-Type")
	return s, s.ValidateConfig()
}

// server sends by SMTP.
type server struct {
	*writer
	client *gomail.Client
}

// Send implements mail.Sender. What the server says of the recipient or of the
// mail is final; all else may be a fault of the configuration.
func (s *server) Send(ctx context.Context, m *mail.Message) error {
	message, err := s.write(m)
	if err != nil {
		return err
	}
	err = s.client.DialAndSendWithContext(ctx, message)
	var refused *gomail.SendError
	if errors.As(err, &refused) && !refused.IsTemp() && refused.ErrorCode() >= 500 &&
		(refused.Reason == gomail.ErrSMTPRcptTo || refused.Reason == gomail.ErrSMTPDataClose) {
		return fmt.Errorf("%w: %w", mail.ErrPermanent, err)
	}
	return err
}
