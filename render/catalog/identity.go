package catalog

import (
	"crypto/sha1"
	"encoding/hex"
	"net/url"
	"strings"
)

// namespace is the UUIDv5 namespace of the register: the UUIDv5 of the URL
// namespace (RFC 9562, 6.6) and "https://assay.example/ns". It never changes.
var namespace = uuid5([16]byte{0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1,
	0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8}, "https://assay.example/ns")

func uuid5(space [16]byte, name string) [16]byte {
	h := sha1.New()
	h.Write(space[:])
	h.Write([]byte(name))
	var u [16]byte
	copy(u[:], h.Sum(nil))
	u[6] = u[6]&0x0f | 0x50
	u[8] = u[8]&0x3f | 0x80
	return u
}

func formatUUID(u [16]byte) string {
	var b [36]byte
	hex.Encode(b[0:8], u[0:4])
	b[8] = '-'
	hex.Encode(b[9:13], u[4:6])
	b[13] = '-'
	hex.Encode(b[14:18], u[6:8])
	b[18] = '-'
	hex.Encode(b[19:23], u[8:10])
	b[23] = '-'
	hex.Encode(b[24:36], u[10:16])
	return string(b[:])
}

// NewID is the UUIDv5 of a kind and a key, so that the same thing gets the
// same id in any store (RFC 9562, 5.5; decisions §4).
func NewID(kind, key string) string {
	return formatUUID(uuid5(namespace, kind+"|"+key))
}

// EntryID is the id of an entry first known by upstreamRef if it has one, else
// by identityKey. Try 1 is the plain hash; if that id is taken by another
// entry, try 2 hashes the key with "#2" appended, and so on (decisions §4).
func EntryID(upstreamRef, identityKey string, try int) string {
	key := identityKey
	if upstreamRef != "" {
		key = upstreamRef
	}
	for range try - 1 {
		key += "#2"
	}
	return NewID("entry", key)
}

// IsID tells whether s has the shape of an id: a lower-case UUID.
func IsID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case (c < '0' || c > '9') && (c < 'a' || c > 'f'):
			return false
		}
	}
	return true
}

// IdentityKey has the shape `<type>|<primary_source_url>|<lowercased name>`
// (specification, "Entry (further fields)").
func IdentityKey(t EntryType, primaryURL, name string) string {
	return string(t) + "|" + primaryURL + "|" + strings.ToLower(name)
}

// MatchKey is what a later harvest looks an entry up by: the type, the
// normalised primary URL and the folded name (decisions §4). The versions and
// syntaxes of one API have one key. The caller folds the name, as folding needs
// Unicode tables that this package does not have.
func MatchKey(t EntryType, primaryURL, foldedName string) string {
	if t == TypeAPI {
		primaryURL, foldedName = familyURL(primaryURL), familyName(foldedName)
	}
	return string(t) + "|" + NormalURL(primaryURL) + "|" + foldedName
}

// NormalURL writes a URL in the one form in which two spellings of the same
// address compare equal: host in lower case without "www.", no default port,
// no trailing slash, scheme left out. The path keeps its case. A fragment stays
// only where it routes. What does not parse is returned trimmed.
func NormalURL(raw string) string {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Host == "" {
		return strings.TrimSpace(raw)
	}
	host := strings.TrimPrefix(strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), "www.")
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	out := host + strings.TrimRight(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		out += "?" + u.RawQuery
	}
	if routes(u.Fragment) {
		out += "#" + u.EscapedFragment()
	}
	return out
}

// Host is the lower-case host of a URL without port, or "" when there is none.
func Host(raw string) string {
	raw = strings.TrimSpace(raw)
	host := plainHost(raw)
	if host == "" {
		u, err := url.Parse(raw)
		if err != nil {
			return ""
		}
		host = u.Hostname()
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}
