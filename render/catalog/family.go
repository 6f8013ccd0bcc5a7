package catalog

import (
	"net/url"
	"regexp"
	"strings"
)

// The versions and the syntaxes of one API are one entry (decisions §4), so
// what tells them apart is left out of the match key.
var (
	// versionSegment is a last path segment such as v1, v2.0 or 2.0. A bare
	// number is no version: services number their layers so.
	versionSegment = regexp.MustCompile(`^([vV][0-9]{1,3}(\.[0-9]{1,3}){0,2}|[0-9]{1,3}\.[0-9]{1,3})$`)
	// descriptionFile is the file name of a description of an API.
	descriptionFile = regexp.MustCompile(`(?i)^(openapi|swagger|api-docs|spec|api)([.-]?[0-9.]+)?\.(json|ya?ml)$`)
	// syntax is the end of a description in one of its syntaxes.
	syntax = regexp.MustCompile(`(?i)\.(json|ya?ml)$`)
	// versionWords is a version at the end of a folded name.
	versionWords = regexp.MustCompile(`[ ,:(\[-]+(version |v\.? ?)[0-9]{1,3}(\.[0-9]{1,3}){0,2}[)\]]?$`)
)

// familyURL is the address that all versions and syntaxes of one API share: no
// description file or syntax and no version at the end of the path. An address
// with a query says what is served by it and is left as it is.
func familyURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.RawQuery != "" {
		return raw
	}
	parts := strings.Split(strings.TrimRight(u.Path, "/"), "/")
	cut := func(drop bool) {
		if drop && len(parts) > 1 {
			parts = parts[:len(parts)-1]
		}
	}
	cut(descriptionFile.MatchString(parts[len(parts)-1]))
	parts[len(parts)-1] = syntax.ReplaceAllString(parts[len(parts)-1], "")
	cut(versionSegment.MatchString(parts[len(parts)-1]))
	u.Path, u.RawPath = strings.Join(parts, "/"), ""
	return u.String()
}

// familyName is a folded name without the version at its end.
func familyName(folded string) string {
	if short := strings.TrimRight(versionWords.ReplaceAllString(folded, ""), " ([-,:"); short != "" {
		return short
	}
	return folded
}
