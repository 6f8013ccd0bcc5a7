package ogc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// link is a link of an OGC API document (OGC API Common, 7.9).
type link struct {
	Href string `json:"href"`
	Rel  string `json:"rel"`
	Type string `json:"type"`
}

// landing is a landing page; collections the list of what the API offers. One
// document can be both.
type landing struct {
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Links       []link          `json:"links"`
	Collections []collection    `json:"collections"`
	ConformsTo  json.RawMessage `json:"conformsTo"`
}

type collection struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Title string `json:"title"`
	Links []link `json:"links"`
}

// parseJSON reads a landing page or a list of collections.
func parseJSON(data []byte) (*landing, error) {
	var l landing
	if err := json.Unmarshal(data, &l); err != nil {
		var s *json.SyntaxError
		line := 1
		if errors.As(err, &s) {
			line += bytes.Count(data[:min(s.Offset, int64(len(data)))], []byte{'\n'})
		}
		return nil, &xmlError{line: line, err: fmt.Errorf("the JSON is broken: %w", err)}
	}
	if l.Collections == nil && l.link("data") == nil && l.link("conformance") == nil && l.link("service-desc") == nil {
		return nil, fmt.Errorf("%w: neither a landing page nor collections", errNoOGC)
	}
	return &l, nil
}

// link returns the first link with a relation, in JSON if there is a choice.
func (l *landing) link(rel string) *link { return find(l.Links, rel) }

func find(links []link, rel string) *link {
	var found *link
	for i := range links {
		l := &links[i]
		if l.Href == "" || l.Rel != rel && !strings.HasSuffix(l.Rel, "/rel/ogc/1.0/"+rel) {
			continue
		}
		if found == nil || !strings.Contains(found.Type, "json") && strings.Contains(l.Type, "json") {
			found = l
		}
	}
	return found
}

// isLanding tells whether the document speaks for the service.
func (l *landing) isLanding() bool {
	return l.Title != "" && (l.link("conformance") != nil || l.link("service-desc") != nil || l.link("data") != nil || l.ConformsTo != nil)
}

// service turns a landing page into what is known about its service.
func (l *landing) service() *service {
	s := &service{protocol: "API", title: l.Title, abstract: l.Description}
	for _, u := range []struct {
		dst *string
		rel string
	}{{&s.docs, "service-doc"}, {&s.description, "service-desc"}, {&s.licence, "license"}, {&s.request, "self"}} {
		if found := l.link(u.rel); found != nil {
			*u.dst = found.Href
		}
	}
	s.add(l.Collections)
	return s
}

// add files collections as members.
func (s *service) add(list []collection) {
	for _, c := range list {
		if c.ID == "" {
			c.ID = c.Name
		}
		if c.ID == "" {
			continue
		}
		if s.layers++; len(s.members) >= catalog.ListMax {
			continue
		}
		m := catalog.Member{Name: c.ID, Title: c.Title}
		for _, rel := range []string{"self", "collection"} {
			if self := find(c.Links, rel); self != nil && m.URL == "" {
				m.URL = self.Href
			}
		}
		for _, l := range c.Links {
			if l.Rel == "items" && l.Type != "" && len(m.Formats) < listMax {
				m.Formats = append(m.Formats, l.Type)
			}
		}
		s.members = append(s.members, m)
	}
}
