// Package mailer hands the mail of the register to a mail server, or writes it
// to a directory where there is none.
package mailer

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"os"
	"strconv"

	"github.com/emersion/go-msgauth/dkim"
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
	// User and Password log in, by PLAIN or LOGIN.
	User, Password string
	// From is the sender, an address with or without a name.
	From string
	// Dir takes the mail as .eml files when there is no server.
	Dir string
	// DKIMDomain, DKIMSelector and DKIMKey, a PEM file, sign the mail (RFC 6376);
	// all are given or none.
	DKIMDomain, DKIMSelector, DKIMKey string
	// Roots are trusted in place of those of the system; for tests.
	Roots *x509.CertPool
}

// New checks the options and makes a sender.
func New(o Options) (mail.Sender, error) {
	from, err := netmail.ParseAddress(o.From)
	if err != nil {
		return nil, fmt.Errorf("--mail-from %q: use an address such as \"Register <register@example.org>\"", o.From)
	}
	w := &writer{from: from}
	if w.sign, err = o.signer(); err != nil {
		return nil, err
	}
	if o.Server == "" {
		if o.Dir == "" {
			return nil, errors.New("--mail-dir: name the directory for mail that no --smtp server sends")
		}
		return &directory{writer: w, dir: o.Dir}, nil
	}
	return o.server(w)
}

func (o *Options) server(w *writer) (*server, error) {
	host, port, err := net.SplitHostPort(o.Server)
	if _, portErr := strconv.ParseUint(port, 10, 16); err != nil || portErr != nil || host == "" {
		return nil, fmt.Errorf("--smtp %q: use host:port", o.Server)
	}
	if o.TLS != TLSStart && o.TLS != TLSFull && o.TLS != TLSNone {
		return nil, fmt.Errorf("--smtp-tls %q: use starttls, tls or none", o.TLS)
	}
	if o.User != "" && o.TLS == TLSNone {
		return nil, errors.New("--smtp-tls none: a password is not sent in the clear; use starttls or tls, or leave out --smtp-user")
	}
	config := &tls.Config{ServerName: host}
	if o.Roots != nil {
		config.RootCAs = o.Roots
	}
	return &server{writer: w, options: o, config: config}, nil
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

// signedHeaders are what the signature covers; those of one-click
// unsubscription must be among them (RFC 8058, section 3.1).
var signedHeaders = []string{"From", "To", "Subject", "Date", "Message-ID", "List-Id", "List-Unsubscribe", "List-Unsubscribe-Post",
	"Auto-Submitted", "MIME-Version", "Content-Type"}

func (o *Options) signer() (*dkim.SignOptions, error) {
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
	return &dkim.SignOptions{Domain: o.DKIMDomain, Selector: o.DKIMSelector, Signer: key, HeaderKeys: signedHeaders,
		HeaderCanonicalization: dkim.CanonicalizationRelaxed, BodyCanonicalization: dkim.CanonicalizationRelaxed}, nil
}
