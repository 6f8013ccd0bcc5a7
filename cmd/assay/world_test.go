//go:build unix

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/cmd/internal/deploytest"
)

// worldNames are the hosts that the guides name.
var worldNames = []string{"api.rivertown.example", "data.rivertown.example", "rivertown.example", "data.example.gov"}

// newWorld lets the hosts of the guides answer in a fresh machine, by names in
// /etc/hosts, at a public address, with a certificate that the machine trusts: so
// nothing has to be allowed that an operator would not allow.
func newWorld(t *testing.T) {
	t.Helper()
	certificate, authority := worldCertificate(t)
	hosts := "127.0.0.1 localhost\n" + deploytest.Public + " " + strings.Join(worldNames, " ") + "\n"
	for path, text := range map[string]string{"/etc/hosts": hosts, "/etc/resolv.conf": "", "/etc/ssl/certs/ca-certificates.crt": authority} {
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) { // a link to elsewhere, perhaps
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("tcp", deploytest.Public+":443")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(worldAnswer), TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}}, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.ServeTLS(l, "", "") }()
	t.Cleanup(func() {
		server.Close()
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("the world: %v", err)
		}
	})
}

func worldCertificate(t *testing.T) (certificate tls.Certificate, authority string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "world"}, DNSNames: worldNames, NotBefore: now.Add(-48 * time.Hour), NotAfter: now.Add(48 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// worldAnswer is what the town's services and the portal answer.
func worldAnswer(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Host == "data.example.gov" && strings.HasPrefix(r.URL.Path, "/api/3/action/package_search"):
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"success":true,"result":{"count":2,"results":[%s,%s]}}`, portalPackage("parks"), portalPackage("bridges"))
	case strings.HasSuffix(r.URL.Path, ".csv"):
		w.Header().Set("Content-Type", "text/csv")
		fmt.Fprint(w, "station,value\nNorth,12\nSouth,14\n")
	case r.Host == "api.rivertown.example":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"items":[{"id":1,"line":"12"}]}`)
	case strings.HasPrefix(r.URL.Path, "/dataset/"), strings.HasPrefix(r.URL.Path, "/docs/"):
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>About</title><p>About this service.")
	default:
		http.NotFound(w, r)
	}
}

func portalPackage(name string) string {
	return fmt.Sprintf(`{"id":"5f0c6d1e-0000-4000-8000-%012x","name":%q,"title":"All %s of the town","notes":"Each with its place.","license_id":"cc-by","organization":{"title":"Town of Rivertown"},
		"resources":[{"id":"r-%s","name":"Table","format":"CSV","url":"https://data.example.gov/files/%s.csv"}]}`, len(name), name, name, name, name)
}
