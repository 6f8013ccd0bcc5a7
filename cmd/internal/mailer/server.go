package mailer

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"github.com/assay-register/assay/dynamic/mail"
)

// Bounds of an exchange with the server.
const (
	dialTimeout    = 15 * time.Second
	commandTimeout = time.Minute
)

// server sends by SMTP, each mail by a connection of its own.
type server struct {
	*writer
	options *Options
	config  *tls.Config
}

// Send implements mail.Sender. What the server says for good of the recipient
// or of the mail is final; all else may be a fault of the configuration.
func (s *server) Send(ctx context.Context, m *mail.Message) error {
	raw, err := s.write(m)
	if err != nil {
		return err
	}
	client, err := s.connect(ctx)
	if err != nil {
		return fmt.Errorf("mail server %s: %w", s.options.Server, err)
	}
	defer client.Close()
	stop := context.AfterFunc(ctx, func() { client.Close() })
	defer stop()
	if err := client.Mail(s.from.Address, nil); err != nil {
		return fmt.Errorf("mail server %s: the sender: %w", s.options.Server, err)
	}
	if err := client.Rcpt(m.To, nil); err != nil {
		return final(err)
	}
	data, err := client.Data()
	if err != nil {
		return final(err)
	}
	if _, err := bytes.NewReader(raw).WriteTo(data); err != nil {
		return err
	}
	if err := data.Close(); err != nil {
		return final(err)
	}
	client.Quit() //nolint:errcheck // the mail was accepted
	return nil
}

// final marks an answer that another try does not change (RFC 5321, 4.2.1).
func final(err error) error {
	var answer *smtp.SMTPError
	if errors.As(err, &answer) && answer.Code >= 500 && answer.Code < 600 {
		return fmt.Errorf("%w: %w", mail.ErrPermanent, err)
	}
	return err
}

// connect greets the server, protects the connection and logs in.
func (s *server) connect(ctx context.Context) (*smtp.Client, error) {
	dialer := &net.Dialer{Timeout: dialTimeout}
	conn, err := dialer.DialContext(ctx, "tcp", s.options.Server)
	if err != nil {
		return nil, err
	}
	if s.options.TLS == TLSFull {
		conn = tls.Client(conn, s.config)
	}
	var client *smtp.Client
	if s.options.TLS == TLSStart {
		if client, err = smtp.NewClientStartTLS(conn, s.config); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	} else {
		client = smtp.NewClient(conn)
	}
	client.CommandTimeout, client.SubmissionTimeout = commandTimeout, commandTimeout
	if err := s.login(client); err != nil {
		return nil, errors.Join(err, client.Close())
	}
	return client, nil
}

func (s *server) login(client *smtp.Client) error {
	if s.options.TLS != TLSStart { // else it was said before TLS began
		if err := client.Hello(helo(s.from.Address)); err != nil {
			return err
		}
	}
	if s.options.User == "" {
		return nil
	}
	if client.SupportsAuth(sasl.Plain) {
		return client.Auth(sasl.NewPlainClient("", s.options.User, s.options.Password))
	}
	return client.Auth(sasl.NewLoginClient(s.options.User, s.options.Password))
}
