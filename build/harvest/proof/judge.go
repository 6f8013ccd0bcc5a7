package proof

import (
	"context"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
)

// reciprocal finds a link of a page to the source: to one of its addresses, to
// something above it or below it. The root of a host is only a link to the
// source when the host is the institution's and not the page's own.
func reciprocal(s Subject, p *page) string {
	for _, l := range p.links {
		for _, served := range s.Served {
			if leadsTo(l.url, served, p.url, s.Official) {
				return "links to " + l.url
			}
		}
	}
	return ""
}

func leadsTo(target, served, from string, official func(string) bool) bool {
	a, b := catalog.NormalURL(target), catalog.NormalURL(served)
	if a == b {
		return catalog.NormalURL(from) != a
	}
	host := catalog.Host(served)
	if a == strings.TrimPrefix(host, "www.") {
		return official(host) && host != catalog.Host(from)
	}
	return strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/") && strings.Contains(a, "/")
}

// policyRels are the relations that name a policy (RFC 6903, RFC 4946).
var policyRels = []string{"terms-of-service", "privacy-policy", "license", "copyright"}

// policyWords name terms of use, licences and privacy policies in addresses
// and link texts, folded.
var policyWords = fold("terms", "conditions of use", "privacy", "licence", "license", "legal notice", "legal-notice", "copyright",
	"mentions legales", "mentions-legales", "conditions d'utilisation", "confidentialite", "donnees personnelles",
	"impressum", "datenschutz", "nutzungsbedingungen", "lizenz",
	"aviso legal", "aviso-legal", "condiciones de uso", "privacidad", "licencia", "termos", "licença",
	"note legali", "note-legali", "termini", "condizioni", "licenza",
	"voorwaarden", "privacyverklaring", "proclaimer", "vilkår", "villkor", "personvern", "integritet", "persondata",
	"käyttöehdot", "tietosuoja", "kasutustingimused", "privaatsus", "podmínky", "podmienky", "ochrana osobn", "regulamin", "prywatności",
	"uvjeti", "pogoji", "zasebnost", "feltételek", "adatvédel", "termeni", "confidențialitate", "naudojimo", "noteikumi",
	"όροι", "απόρρητ", "προστασία δεδομένων", "άδεια χρήσης", "условия", "поверителност", "конфиденц", "умови", "услови", "приватност",
	"kullanım koşulları", "gizlilik", "利用規約", "プライバシー", "이용약관", "개인정보")

func fold(words ...string) []string {
	for i, w := range words {
		words[i] = search.Fold(w)
	}
	return words
}

// policy finds a link to terms of use, a licence or a privacy policy under an
// official domain, and makes sure that there is such a page.
func (w *Web) policy(ctx context.Context, s Subject, p *page) (string, error) {
	var failed error
	tries := 0
	for _, l := range p.links {
		if !s.Official(catalog.Host(l.url)) || !namesPolicy(&l) || tries >= w.limits.PerSource {
			continue
		}
		tries++
		switch target := w.read(ctx, l.url); {
		case target.err == nil && s.Official(catalog.Host(target.url)):
			return "leads to " + target.url, nil
		case target.err != nil && !absent(target.err):
			failed = target.err
		}
	}
	return "", failed
}

func namesPolicy(l *link) bool {
	for rel := range strings.FieldsSeq(l.rel) {
		if slices.Contains(policyRels, rel) {
			return true
		}
	}
	_, path, _ := strings.Cut(l.url, "://")
	_, path, _ = strings.Cut(path, "/")
	text := search.Fold(path + " " + l.text)
	return slices.ContainsFunc(policyWords, func(w string) bool { return strings.Contains(text, w) })
}
