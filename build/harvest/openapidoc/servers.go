package openapidoc

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// repositories are hosts at which documents lie but APIs do not run: an
// address that is relative to such a document means nothing.
var repositories = []string{"raw.githubusercontent.com", "github.com", "gist.githubusercontent.com", "gitlab.com",
	"bitbucket.org", "api.apis.guru", "codeberg.org"}

// servers sets the base URL: the first server that the public internet can
// reach. Each refused one leaves its reason.
func servers(b *source.Builder, d *doc, allowPrivate bool) {
	all, key := d.servers()
	rules := source.URLRules{Base: d.base(), AllowPrivate: allowPrivate}
	var refused []string
	for i, raw := range all {
		fixed, note, err := resolve(rules, raw)
		if err != nil {
			refused = append(refused, err.Error())
			continue
		}
		if better := secure(rules, fixed, all[i+1:]); better != "" {
			fixed = better
		}
		b.Draft.Entry.API.BaseURL = fixed
		if note == "" && fixed != raw {
			b.Remark("api.base_url", key, "variables at their defaults, secure before plain", "")
		} else {
			b.Remark("api.base_url", key, note, "")
		}
		return
	}
	if len(refused) > 0 {
		b.Refuse("api.base_url", key, strings.Join(refused, "; "))
	}
}

// secure returns the https form of an http address if it is listed too.
func secure(rules source.URLRules, plain string, others []string) string {
	for _, raw := range others {
		fixed, _, err := resolve(rules, raw)
		if err == nil && strings.HasPrefix(plain, "http:") && strings.HasPrefix(fixed, "https:") &&
			catalog.NormalURL(fixed) == catalog.NormalURL(plain) {
			return fixed
		}
	}
	return ""
}

// resolve makes an absolute URL of a server. One without a scheme is a host or
// a path, whichever can be.
func resolve(rules source.URLRules, raw string) (fixed, note string, err error) {
	if strings.ContainsAny(raw, "{}") {
		return "", "", &catalog.FieldError{Field: "api.base_url", Value: raw, Remedy: "give the variables of the server a default"}
	}
	fixed, note, err = rules.Repair("api.base_url", raw)
	if err != nil && rules.Base != "" && !strings.Contains(raw, "://") && !strings.ContainsAny(raw, ":@ ") {
		if f, n, again := rules.Repair("api.base_url", "./"+strings.TrimPrefix(raw, "/")); again == nil {
			return f, n, nil
		}
	}
	return fixed, note, err
}

// base is the address against which relative servers are resolved, or "".
func (d *doc) base() string {
	if slices.Contains(repositories, catalog.Host(d.address)) {
		return ""
	}
	return d.address
}

// servers lists the addresses of the API as the document writes them, with the
// variables filled in, and the key they stand under.
func (d *doc) servers() ([]string, string) {
	if d.swagger {
		return d.swaggerServers(), "schemes, host, basePath"
	}
	var all []string
	for _, s := range list(d.root, "servers") {
		if raw := strings.TrimSpace(text(s, "url")); raw != "" {
			all = append(all, fillVariables(raw, object(s, "variables")))
		}
	}
	if len(all) == 0 && d.base() != "" {
		return []string{"/"}, "servers (absent: the root of the document's host, OpenAPI 4.1)"
	}
	return all, "servers[].url"
}

// swaggerServers puts the parts of a Swagger 2 address together. Without a
// host it is the document's (Swagger 2, "host").
func (d *doc) swaggerServers() []string {
	host, path := strings.TrimSpace(text(d.root, "host")), strings.TrimSpace(text(d.root, "basePath"))
	if path = strings.TrimSuffix(path, "/"); path != "" && !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	if host == "" {
		if path == "" && d.base() == "" {
			return nil
		}
		return []string{cmp.Or(path, "/")}
	}
	if strings.Contains(host, "://") {
		return []string{host + path}
	}
	return []string{d.scheme(host) + "://" + host + path}
}

// scheme is https if the document lists it, else what it lists first. Without
// a list it is that of the document itself.
func (d *doc) scheme(host string) string {
	var all []string
	for _, s := range list(d.root, "schemes") {
		all = append(all, strings.ToLower(text(s)))
	}
	u, err := url.Parse(d.base())
	switch {
	case slices.Contains(all, "https"):
		return "https"
	case len(all) > 0:
		return all[0]
	case err == nil && u.Host == host:
		return u.Scheme
	}
	return "https"
}

var variable = regexp.MustCompile(`\{([^{}]+)\}`)

// fillVariables replaces the variables of a server by their defaults.
func fillVariables(raw string, variables map[string]any) string {
	return variable.ReplaceAllStringFunc(raw, func(v string) string {
		return cmp.Or(text(variables, v[1:len(v)-1], "default"), v)
	})
}

// primary sets the address that stands for the API: its base, else that of the
// document, else its documentation. A document without any is rejected.
func primary(b *source.Builder, d *doc) *source.Rejection {
	e := &b.Draft.Entry
	for _, a := range []struct{ url, from string }{
		{e.API.BaseURL, "servers"}, {e.API.OpenAPIURL, "the document's address"}, {e.DocsURL, "externalDocs.url"},
	} {
		if a.url != "" {
			e.PrimarySourceURL = a.url
			b.Compute("primary_source_url", a.from, "the first of base URL, document, documentation", "")
			return nil
		}
	}
	bad := &source.Rejection{Place: d.place, Code: source.CodeMissingURL, Reason: e.Name + " names no server",
		Remedy: "give the document a server on the public internet"}
	for _, r := range b.Draft.Rows {
		if r.Field == "api.base_url" {
			bad.Code, bad.Reason = source.CodeBadURL, e.Name+" names no server that can be used: "+r.Note
		}
	}
	return bad
}
