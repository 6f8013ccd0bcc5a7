package setup

import "net/url"

// Redact is the address of a store without its password, for messages.
func Redact(db string) string {
	u, err := url.Parse(db)
	if err != nil || u.User == nil {
		return db
	}
	return u.Redacted()
}
