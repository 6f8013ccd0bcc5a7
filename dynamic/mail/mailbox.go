package mail

import (
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// sameDomain are domains of one provider that lead to the same mailboxes.
var sameDomain = map[string]string{"googlemail.com": "gmail.com", "protonmail.com": "proton.me", "pm.me": "proton.me", "protonmail.ch": "proton.me"}

// dotless are the providers that read a local part without its dots.
var dotless = map[string]bool{"gmail.com": true, "proton.me": true}

// public are domains under which strangers to each other have their mailboxes.
var public = set("gmail.com", "proton.me", "outlook.com", "hotmail.com", "live.com", "msn.com", "hotmail.fr", "hotmail.de", "hotmail.it", "outlook.fr", "outlook.de",
	"yahoo.com", "yahoo.fr", "yahoo.de", "yahoo.it", "yahoo.es", "yahoo.co.uk", "ymail.com", "aol.com", "icloud.com", "me.com", "mac.com",
	"gmx.de", "gmx.net", "gmx.at", "gmx.ch", "gmx.com", "web.de", "t-online.de", "freenet.de", "posteo.de", "mailbox.org", "tutanota.com", "tuta.com", "fastmail.com",
	"orange.fr", "wanadoo.fr", "free.fr", "laposte.net", "sfr.fr", "telenet.be", "skynet.be", "proximus.be", "ziggo.nl", "kpnmail.nl",
	"libero.it", "virgilio.it", "tiscali.it", "wp.pl", "o2.pl", "onet.pl", "interia.pl", "seznam.cz", "centrum.cz", "abv.bg", "otenet.gr", "sapo.pt",
	"mail.ru", "yandex.ru", "yandex.com", "ukr.net", "bluewin.ch", "btinternet.com", "qq.com", "163.com", "126.com", "zoho.com", "mail.com")

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// Mailbox is the one spelling of the mailbox that an address leads to, and its
// domain: case, the composition of letters, the spelling of an international
// domain, what follows a plus sign, and dots where the provider ignores them
// make no difference. It serves to count; mail goes to the address as given.
func Mailbox(address string) (mailbox, domain string) {
	at := strings.LastIndexByte(address, '@')
	local, host := address[:max(at, 0)], address[at+1:]
	domain = hostOf(host)
	local = strings.ToLower(norm.NFKC.String(local))
	if plus := strings.IndexByte(local, '+'); plus > 0 {
		local = local[:plus]
	}
	if dotless[domain] {
		if bare := strings.ReplaceAll(local, ".", ""); bare != "" {
			local = bare
		}
	}
	return local + "@" + domain, domain
}

// hostOf is the one spelling of a domain: ASCII in lower case, by UTS #46.
func hostOf(host string) string {
	host = strings.Trim(norm.NFKC.String(host), ".")
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	host = strings.Trim(strings.ToLower(host), ".")
	if same := sameDomain[host]; same != "" {
		return same
	}
	return host
}

// PublicProvider tells that strangers to each other have mailboxes under a
// domain, as Mailbox spells it.
func PublicProvider(domain string) bool { return public[domain] }
