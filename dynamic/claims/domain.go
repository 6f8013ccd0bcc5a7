package claims

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Admissible tells whether a proof on a domain can show who owns a thing whose official
// domains are given: it must be one of them, letter by letter, and nobody else may be given a
// name on it or below its operator's.
func Admissible(domain string, official []string) error {
	for _, c := range domain {
		if c > 0x7f {
			return fmt.Errorf("%s has characters other than ASCII: a look-alike proves nothing; write the official domain as the register has it", domain)
		}
	}
	if domain == "" || domain != strings.ToLower(domain) || strings.ContainsAny(domain, " /:@?#%\\\r\n\t") || strings.HasPrefix(domain, ".") || strings.HasSuffix(domain, ".") {
		return fmt.Errorf("%q is no bare host in lower case", domain)
	}
	suffix, icann := publicsuffix.PublicSuffix(domain)
	switch {
	case suffix == domain:
		return fmt.Errorf("%s is a public suffix: names below it belong to many", domain)
	case !icann && strings.Contains(suffix, "."):
		return fmt.Errorf("%s lies on shared hosting: everybody can have a name below %s", domain, suffix)
	case slices.Contains(official, domain):
		return nil
	}
	for _, o := range official {
		if strings.HasSuffix(domain, "."+o) {
			return fmt.Errorf("%s is a part of %s: parts are given away and forgotten; prove %s itself", domain, o, o)
		}
	}
	return fmt.Errorf("%s is none of the official domains: %s; a moderator can add one", domain, strings.Join(official, ", "))
}

// freeMailers give an address to everybody.
var freeMailers = []string{"gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "yahoo.com", "icloud.com", "gmx.de", "gmx.net", "web.de", "orange.fr", "free.fr",
	"laposte.net", "proton.me", "protonmail.com", "mail.ru", "yandex.ru", "aol.com", "t-online.de", "skynet.be", "telenet.be", "ziggo.nl", "kpnmail.nl"}

// lists are the names of addresses that many read, or nobody.
var lists = []string{"all", "everyone", "everybody", "staff", "team", "list", "lists", "mailinglist", "newsletter", "news", "announce", "announcements", "discuss", "users", "members", "public", "forum",
	"noreply", "no-reply", "donotreply", "bounce", "bounces", "mailer-daemon", "subscribe", "unsubscribe", "test"}

// AdmissibleMail tells whether who reads an address speaks for a domain.
func AdmissibleMail(address, domain string) error {
	local, host, _ := strings.Cut(strings.ToLower(address), "@")
	switch {
	case slices.Contains(freeMailers, host):
		return fmt.Errorf("%s gives an address to everybody", host)
	case host != domain:
		return fmt.Errorf("the address lies on %s and not on %s", host, domain)
	case strings.ContainsAny(local, "+=!%"):
		return fmt.Errorf("an address with a tag may lead anywhere: give it without")
	}
	for _, l := range lists {
		if local == l || strings.HasPrefix(local, l+"-") || strings.HasSuffix(local, "-"+l) || strings.HasSuffix(local, "-request") {
			return fmt.Errorf("%s is read by many, or by nobody: give an address that an office reads", address)
		}
	}
	return nil
}
