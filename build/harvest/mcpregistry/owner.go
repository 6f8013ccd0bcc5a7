package mcpregistry

import (
	"slices"
	"strings"
	"sync"

	"github.com/assay-register/assay/build/reference"
)

// bodies knows the domains and the GitHub organisations of public bodies.
type bodies struct {
	domains *reference.Domains
	orgs    map[string]bool
}

// publicBodies reads them from the tables that ship with the product.
var publicBodies = sync.OnceValues(func() (*bodies, error) {
	list, err := reference.Institutions()
	if err != nil {
		return nil, err
	}
	b := &bodies{domains: reference.NewDomains(list, nil), orgs: map[string]bool{}}
	for _, i := range list {
		for _, org := range i.GithubOrgs {
			b.orgs[strings.ToLower(org)] = true
		}
	}
	return b, nil
})

// namespace is the part of a server's name before the slash. A registry lets
// only those publish under it who control it: a GitHub account
// (io.github.name) or a domain, written backwards.
func namespace(name string) string {
	space, _, _ := strings.Cut(strings.ToLower(name), "/")
	return space
}

// domain is the domain of a namespace, or "" for that of a GitHub account.
func domain(space string) string {
	if strings.HasPrefix(space, "io.github.") || !strings.Contains(space, ".") {
		return ""
	}
	labels := strings.Split(space, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".")
}

// own tells whether a namespace belongs to a public body.
func (b *bodies) own(space string) bool {
	if org, ok := strings.CutPrefix(space, "io.github."); ok {
		return b.orgs[org]
	}
	return b.runs(domain(space))
}

// runs tells whether a host lies under the official domain of a public body.
func (b *bodies) runs(host string) bool {
	_, _, ok := b.domains.Owner(host)
	return ok
}
