package main

import (
	"net/http"
	netmail "net/mail"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/assay-register/assay/cmd/internal/mailer"
	"github.com/assay-register/assay/cmd/internal/outbound"
	"github.com/assay-register/assay/dynamic/mail"
	"github.com/assay-register/assay/render/catalog"
)

// notifyFlags say how the service tells others of events.
type notifyFlags struct {
	mail mailer.Options
	key  string
	// operator is told of disabled webhooks.
	operator string
	// gather is how long mail waits for more events; the service's own if zero.
	gather time.Duration
}

func (o *notifyFlags) register(f *pflag.FlagSet) {
	f.StringVar(&o.mail.Server, "smtp", "", "mail server, host:port; without it mail is written to --mail-dir")
	f.StringVar(&o.mail.TLS, "smtp-tls", mailer.TLSStart, "protection of the connection to the mail server: starttls, tls or none")
	f.StringVar(&o.mail.User, "smtp-user", "", "user name at the mail server")
	f.StringVar(&o.mail.Password, "smtp-password", "", "password at the mail server; better in ASSAY_SMTP_PASSWORD")
	f.StringVar(&o.mail.From, "mail-from", "", `sender of mail, such as "Register <register@example.org>"; noreply at the host of --base-url if empty`)
	f.StringVar(&o.mail.Dir, "mail-dir", "mail", "directory for mail when there is no mail server")
	f.StringVar(&o.mail.DKIMDomain, "dkim-domain", "", "domain that signs mail (DKIM)")
	f.StringVar(&o.mail.DKIMSelector, "dkim-selector", "", "selector of the key that signs mail")
	f.StringVar(&o.mail.DKIMKey, "dkim-key", "", "PEM file of the key that signs mail, RSA or Ed25519")
	f.StringVar(&o.operator, "operator-mail", "", "address that is told by mail when a webhook is disabled; --contact if empty and that is an address")
	f.StringVar(&o.key, "mail-key", "", "secret that the links in mail are made with; kept in the store if empty; better in ASSAY_MAIL_KEY")
}

// sender makes what sends the mail of the register.
func (o *notifyFlags) sender(name, baseURL string) (mail.Sender, error) {
	m := o.mail
	if m.From == "" {
		host := "localhost"
		if u, err := url.Parse(baseURL); err == nil && u.Hostname() != "" {
			host = u.Hostname()
		}
		m.From = (&netmail.Address{Name: name, Address: "noreply@" + host}).String()
	}
	return mailer.New(m)
}

// told is the address of --operator-mail, else that of the contact if it is one;
// "" for none.
func (o *notifyFlags) told(contact string) (string, error) {
	if o.operator != "" {
		if err := catalog.CheckMail("--operator-mail", o.operator); err != nil {
			return "", err
		}
		return o.operator, nil
	}
	contact = strings.TrimPrefix(contact, "mailto:")
	if catalog.CheckMail("contact", contact) != nil {
		return "", nil //nolint:nilerr // a contact may be a web address
	}
	return contact, nil
}

// endpointIdle is how many connections to endpoints are kept for the next
// delivery.
const endpointIdle = 64

// endpoints makes the client that delivers to webhooks. Private addresses are
// open to it only where the register may harvest them.
func (a *app) endpoints() *http.Client {
	return outbound.Client(outbound.Options{AllowPrivate: a.allowPrivate, Only: a.only, MaxIdle: endpointIdle, Version: release, Contact: a.contact()})
}
