package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
)

// theme is the style sheet that lays a register's own colours over those of
// the site; its route is "" for a register that has none.
func theme(s snapshot.Site) artifact.File {
	if s.Accent == "" && s.AccentDark == "" {
		return artifact.File{}
	}
	body := ""
	if s.Accent != "" {
		body += "@media not (prefers-color-scheme: dark) {\n" + rule(s.Accent) + "}\n"
	}
	if s.AccentDark != "" {
		body += "@media (prefers-color-scheme: dark) {\n" + rule(s.AccentDark) + "}\n"
	}
	sum := sha256.Sum256([]byte(body))
	route := assetRoot + "theme." + hex.EncodeToString(sum[:5]) + ".css"
	return artifact.File{Route: route, Type: artifact.TypeOf(route), Class: Class, Cache: artifact.Hashed, Body: []byte(body)}
}

// rule sets the colour of links and buttons, and what goes with it.
func rule(accent string) string {
	return fmt.Sprintf(":root { --accent: %s; --on-accent: %s; --accent-bg: color-mix(in srgb, %s 12%%, var(--card)); }\n",
		accent, snapshot.InkOn(accent), accent)
}
