package source

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-register/assay/render/search"
)

var mailShape = regexp.MustCompile(`[A-Za-z0-9._%+'-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`)

// freeMail are hosts at which private people have their addresses.
var freeMail = []string{"gmail.com", "googlemail.com", "hotmail.com", "outlook.com", "live.com", "yahoo.com", "yahoo.fr",
	"icloud.com", "aol.com", "gmx.de", "gmx.net", "web.de", "orange.fr", "wanadoo.fr", "free.fr", "laposte.net",
	"proton.me", "protonmail.com", "btinternet.com"}

// functional are words that name a function, not a person, in the local part
// of an address.
var functional = []string{"admin", "api", "apis", "assistance", "bureau", "cel", "cell", "cellule", "catalog", "catalogue", "contact", "contacts",
	"customer", "customerservices", "comments", "coordination", "dashboards", "data", "databank", "dienst", "dati", "datos", "dataset", "demande", "demandes", "desk", "dev", "developer", "developers",
	"direction", "donnees", "dsi", "enquiries", "enquiry", "equipe", "feedback", "foi", "geo", "geodata", "geoservices", "gis",
	"hello", "help", "helpdesk", "info", "information", "kontakt", "mailbox", "metadata", "ogd", "office", "open", "opendata", "portal",
	"portail", "press", "queries", "register", "registre", "registro", "secretariat", "service", "services", "sig", "sos", "statistics", "statistiek", "statistiques", "stats", "support",
	"team", "tech", "web", "webmaster", "webteam"}

// Mails lists the e-mail addresses in a text.
func Mails(raw string) []string { return mailShape.FindAllString(raw, -1) }

// FunctionalMail tells whether an address belongs to a function rather than to
// a person. The form firstname.lastname is taken for a person's unless a part
// names a function or the organisation itself; so is any address at a host of
// private mailboxes. When in doubt it is a person's.
func FunctionalMail(mail string) bool {
	local, host, ok := strings.Cut(strings.ToLower(mail), "@")
	if !ok || local == "" || host == "" || slices.Contains(freeMail, host) {
		return false
	}
	parts := strings.FieldsFunc(local, func(r rune) bool { return r == '.' || r == '_' })
	if len(parts) < 2 {
		return true
	}
	labels := strings.FieldsFunc(host, func(r rune) bool { return r == '.' || r == '-' })
	for _, part := range parts {
		for word := range strings.SplitSeq(part, "-") {
			if slices.Contains(functional, word) || len(word) > 1 && slices.Contains(labels, word) {
				return true
			}
		}
		if strings.ContainsAny(part, "0123456789") || acronym(part) {
			return true
		}
	}
	return false
}

// acronym tells that a part of an address is no word: letters without a vowel,
// two at least, as no name is.
func acronym(part string) bool {
	return len(part) > 1 && !strings.ContainsAny(part, "aeiouy-")
}

// FunctionOf tells whether an address that stands beside a name belongs to a
// function. Who is named is often a person, so the address itself must say
// what it is for: a word for a function, or a part of the host's name.
func FunctionOf(name, mail string) bool {
	if !FunctionalMail(mail) {
		return false
	}
	if strings.TrimSpace(name) == "" || namesFunction(name) {
		return true
	}
	local, host, _ := strings.Cut(strings.ToLower(mail), "@")
	labels := strings.FieldsFunc(host, func(r rune) bool { return r == '.' || r == '-' })
	for _, word := range strings.FieldsFunc(local, func(r rune) bool { return strings.ContainsRune("._-0123456789", r) }) {
		if slices.Contains(functional, word) || len(word) > 2 && slices.Contains(labels, word) {
			return true
		}
		for _, f := range functional {
			if len(f) > 3 && strings.Contains(word, f) {
				return true
			}
		}
	}
	return false
}

// bodies are parts of words in the names of organisations: an address beside such a
// name is the organisation's, as the name is no person's.
var bodies = []string{"centre", "center", "centrum", "zentrum", "department", "departement", "departamento", "direccion", "institut", "minist", "agence", "agency",
	"agentschap", "behorde", "university", "universit", "laborator", "museum", "中心", "研究院", "研究所", "研究室", "大學", "大学", "政府"}

// namesFunction tells that a name is that of a function ("Support API SIRENE") or
// of an organisation.
func namesFunction(name string) bool {
	folded := search.Fold(name)
	if slices.ContainsFunc(bodies, func(part string) bool { return strings.Contains(folded, search.Fold(part)) }) {
		return true
	}
	for _, word := range strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if slices.Contains(functional, word) {
			return true
		}
	}
	return false
}
