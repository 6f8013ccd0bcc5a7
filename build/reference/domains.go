package reference

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Domains knows which institution owns a host and which suffix it has.
type Domains struct {
	owners   map[string]string // institution key by domain, empty if disputed
	suffixes map[string]string // country code by suffix
	shared   map[string]bool   // suffixes under which many bodies have names
}

// NewDomains indexes the official domains and the suffixes. A domain that two
// institutions claim is owned by none, and so is a suffix that many share, such
// as gov.uk, whoever claims it.
func NewDomains(institutions []Institution, suffixes []Suffix) *Domains {
	d := &Domains{owners: map[string]string{}, suffixes: map[string]string{}, shared: map[string]bool{}}
	for _, s := range suffixes {
		if suffix, ok := canonicalHost(s.Suffix); ok {
			d.suffixes[suffix] = s.CountryCode
			d.shared[suffix] = suffixKinds[s.Kind]
		}
	}
	for _, in := range institutions {
		for _, domain := range in.OfficialDomains {
			d.claim(domain, in.Key)
		}
	}
	return d
}

func (d *Domains) claim(domain, key string) {
	domain, ok := canonicalHost(domain)
	if !ok || d.shared[domain] || !strings.Contains(domain, ".") {
		return
	}
	if other, taken := d.owners[domain]; taken && other != key {
		key = ""
	}
	d.owners[domain] = key
}

// Owner returns the institution that owns a host, and the official domain by
// which it does: the host itself or the nearest domain above it. The host comes
// without port; case, a final dot and Unicode do not matter.
func (d *Domains) Owner(host string) (institutionKey, matched string, ok bool) {
	matched, institutionKey, ok = lookUp(d.owners, host)
	if !ok || institutionKey == "" {
		return "", "", false
	}
	return institutionKey, matched, true
}

// Covers returns the longest of an institution's official domains that a host
// equals or lies below. A longer domain of another institution wins over it,
// and a shared suffix covers nothing.
func (d *Domains) Covers(key string, official []string, host string) (domain string, ok bool) {
	own := make(map[string]string, len(official))
	for _, o := range official {
		if o, valid := canonicalHost(o); valid && !d.shared[o] && strings.Contains(o, ".") {
			own[o] = key
		}
	}
	domain, _, ok = lookUp(own, host)
	if !ok {
		return "", false
	}
	owner, longest, known := d.Owner(host)
	if known && owner != key && len(longest) > len(domain) {
		return "", false
	}
	return domain, true
}

// Suffix returns the longest government suffix of a host and its country. That
// is a hint: a suffix says who may register a name, not who runs the site.
func (d *Domains) Suffix(host string) (suffix, country string, ok bool) {
	return lookUp(d.suffixes, host)
}

// lookUp finds the entry for a host, else for the domains above it, nearest
// first. It only ever cuts whole labels, so evilgov.uk is not below gov.uk.
func lookUp(entries map[string]string, host string) (domain, value string, ok bool) {
	domain, ok = canonicalHost(host)
	for ok {
		if value, found := entries[domain]; found {
			return domain, value, true
		}
		_, domain, ok = strings.Cut(domain, ".")
	}
	return "", "", false
}

// lookupProfile maps Unicode hosts to ASCII. It is lenient about underscores,
// which real hosts have; canonicalHost checks the characters itself.
var lookupProfile = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false))

// canonicalHost returns the comparable form of a host, and false for whatever
// is no host, such as one with a port or a path: those could hide the real end
// of a name.
func canonicalHost(host string) (string, bool) {
	ascii := strings.ToLower(host)
	if !isASCII(host) { // only then: IDNA objects to valid names such as r3---a.gov.uk
		mapped, err := lookupProfile.ToASCII(host)
		if err != nil || !utf8.ValidString(host) {
			return "", false
		}
		ascii = mapped
	}
	ascii = strings.TrimSuffix(ascii, ".")
	if len(ascii) > 253 {
		return "", false
	}
	for label := range strings.SplitSeq(ascii, ".") {
		if !isLabel(label) {
			return "", false
		}
	}
	return ascii, true
}

func isLabel(label string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyz0123456789-_"
	return label != "" && len(label) <= 63 && strings.Trim(label, allowed) == ""
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
