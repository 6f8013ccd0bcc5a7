package mailer

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"io"
	"math/big"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-msgauth/dkim"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// post is a real mail server that keeps what it gets.
type post struct {
	mu   sync.Mutex
	got  []letter
	addr string
	// refuse answers every recipient with this error.
	refuse error
	// meanwhile is called while a mail is under way; nil for nothing.
	meanwhile func(to string)
	roots     *x509.CertPool
}

// letter is one mail as the server got it.
type letter struct {
	from, to, user string
	secure         bool
	raw            []byte
}

const (
	postUser     = "register"
	postPassword = "open sesame"
)

// newPost starts a server with STARTTLS and login.
func newPost(t *testing.T) *post {
	t.Helper()
	p := &post{roots: x509.NewCertPool()}
	s := smtp.NewServer(p)
	s.Domain, s.TLSConfig = "localhost", &tls.Config{Certificates: []tls.Certificate{p.certificate(t)}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.addr = l.Addr().String()
	done := make(chan struct{})
	go func() { defer close(done); s.Serve(l) }()
	t.Cleanup(func() { s.Close(); l.Close(); <-done })
	return p
}

func (p *post) certificate(t *testing.T) tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.ParseIP("127.0.0.1")}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	p.roots.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// options are those of a register that sends by the server.
func (p *post) options() Options {
	return Options{Server: p.addr, TLS: TLSStart, User: postUser, Password: postPassword, From: "Régister <register@register.example>", Roots: p.roots}
}

func (p *post) letters() []letter {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]letter(nil), p.got...)
}

// NewSession implements smtp.Backend.
func (p *post) NewSession(c *smtp.Conn) (smtp.Session, error) { return &visit{post: p, conn: c}, nil }

type visit struct {
	post *post
	conn *smtp.Conn
	now  letter
}

func (v *visit) AuthMechanisms() []string { return []string{sasl.Plain} }

func (v *visit) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != postUser || password != postPassword {
			return smtp.ErrAuthFailed
		}
		v.now.user = user
		return nil
	}), nil
}

func (v *visit) Mail(from string, _ *smtp.MailOptions) error {
	v.now.from = from
	_, v.now.secure = v.conn.TLSConnectionState()
	return nil
}

func (v *visit) Rcpt(to string, _ *smtp.RcptOptions) error {
	v.post.mu.Lock()
	defer v.post.mu.Unlock()
	v.now.to += to
	return v.post.refuse
}

func (v *visit) Data(r io.Reader) (err error) {
	if v.now.raw, err = io.ReadAll(r); err != nil {
		return err
	}
	v.post.mu.Lock()
	meanwhile := v.post.meanwhile
	v.post.mu.Unlock()
	if meanwhile != nil {
		meanwhile(v.now.to)
	}
	v.post.mu.Lock()
	defer v.post.mu.Unlock()
	v.post.got = append(v.post.got, v.now)
	return nil
}

func (v *visit) Reset()        { user := v.now.user; v.now = letter{user: user} }
func (v *visit) Logout() error { return nil }

// signing makes a DKIM key and returns its file and its DNS record.
func signing(t *testing.T) (file, record string) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "dkim.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, "v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(public)
}

// checkDKIM lets another library judge the signature.
func checkDKIM(t *testing.T, raw []byte, record string) {
	t.Helper()
	found, err := dkim.VerifyWithOptions(bytes.NewReader(raw), &dkim.VerifyOptions{LookupTXT: func(name string) ([]string, error) {
		if name != "s1._domainkey.register.example" {
			t.Errorf("the key is looked up at %s", name)
		}
		return []string{record}, nil
	}})
	if err != nil || len(found) != 1 || found[0].Err != nil {
		t.Fatalf("DKIM: %+v, %v\n%s", found[0], err, raw)
	}
	for _, want := range []string{"from", "subject", "list-unsubscribe", "list-unsubscribe-post"} {
		ok := false
		for _, name := range found[0].HeaderKeys {
			ok = ok || strings.EqualFold(name, want)
		}
		if !ok {
			t.Errorf("the header %s is not signed", want)
		}
	}
}

// opened is a mail as a reader sees it.
type opened struct {
	netmail.Header
	subject, text, html string
}

func open(t *testing.T, raw []byte) opened {
	t.Helper()
	m, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	o := opened{Header: m.Header}
	if o.subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil {
		t.Fatal(err)
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("content type %q, %v", kind, err)
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	for {
		part, err := parts.NextRawPart()
		if err == io.EOF {
			return o
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			o.html = string(body)
		} else {
			o.text = strings.ReplaceAll(string(body), "\r\n", "\n")
		}
	}
}
