package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// SlugMax is the longest slug, in bytes (decisions §4).
const SlugMax = 80

// reservedSlugs cannot name an entry: OKF reserves index and log, the rest are
// words of routes that stand where a slug stands.
var reservedSlugs = map[string]bool{
	"index": true, "log": true, "search": true, "trending": true,
	"leaderboard": true, "compare": true, "facets": true, "pages": true,
	"suggestions": true, "matrix": true, "evidence": true, "preview": true,
	"provenance": true, "relations": true, "related": true,
	"alternatives": true, "checks": true, "quality-score": true,
	"quality-history": true, "summary": true, "bundle": true,
}

// ReservedSlug tells whether a slug is a route word and so cannot be given.
func ReservedSlug(s string) bool { return reservedSlugs[s] }

// CheckSlug tells why s cannot be the slug of an entry, or nil.
func CheckSlug(s string) error {
	switch {
	case s == "" || len(s) > SlugMax:
		return &FieldError{"slug", s, "use 1 to 80 characters"}
	case !slugShape(s):
		return &FieldError{"slug", s, "use lower-case letters a-z, digits and single hyphens between them"}
	case !strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyz"):
		return &FieldError{"slug", s, "a slug needs at least one letter"}
	case ReservedSlug(s):
		return &FieldError{"slug", s, "this word is part of the register's routes; choose another"}
	case IsID(s):
		return &FieldError{"slug", s, "a slug must not look like an id"}
	}
	return nil
}

func slugShape(s string) bool {
	hyphen := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '-' {
			if hyphen {
				return false
			}
			hyphen = true
			continue
		}
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
		hyphen = false
	}
	return !hyphen
}

// ChooseSlug gives an entry its slug from the transliterated name. A name
// that leaves nothing usable becomes the type and a hash; a slug that is taken
// gets a short stable hash of the identity key, longer if that is taken too,
// never a counter (decisions §4).
func ChooseSlug(transliterated string, t EntryType, identityKey string, taken func(string) bool) string {
	base := transliterated
	if CheckSlug(base) == nil && !taken(base) {
		return base
	}
	sum := sha256.Sum256([]byte(identityKey))
	hash := hex.EncodeToString(sum[:])
	if !slugShape(base) || !strings.ContainsAny(base, "abcdefghijklmnopqrstuvwxyz") {
		base = strings.ToLower(strings.ReplaceAll(string(t), "_", "-"))
	}
	for n := 6; n <= 32; n += 2 {
		s := cutSlug(base, SlugMax-n-1) + "-" + hash[:n]
		if CheckSlug(s) == nil && !taken(s) {
			return s
		}
	}
	return cutSlug(base, SlugMax-49) + "-" + hash[:48]
}

func cutSlug(s string, n int) string {
	if len(s) > n {
		s = s[:n]
	}
	return strings.TrimRight(s, "-")
}
