package main

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	recordPattern = regexp.MustCompile(`(?s)<([^<>]+#record)> a dcat:CatalogRecord.*?dct:modified "([^"]+)"`)
	nextPattern   = regexp.MustCompile(`hydra:next <[^>]+/api/v1/catalog/([^>]+)>`)
)

// changesOfTheDemo walks the pages of what changed, as a harvester does, of a
// register of at least so many entries.
func changesOfTheDemo(t *testing.T, base string, least int) {
	const since = "2026-11-01T00:00:00Z"
	_, whole := fetch(t, base+"/api/v1/catalog/dcat.ttl")
	var all, changed []string
	for _, m := range recordPattern.FindAllStringSubmatch(string(whole), -1) {
		all = append(all, m[1])
		if m[2] >= since {
			changed = append(changed, m[1])
		}
	}
	if got := recordsOf(t, base, "dcat.ttl?page=1"); !slices.Equal(got, all) || len(all) < least {
		t.Errorf("without a time the pages hold %d records, the whole catalogue %d", len(got), len(all))
	}
	got := recordsOf(t, base, "dcat.ttl?modified_since="+since)
	for _, r := range changed {
		if !slices.Contains(got, r) {
			t.Errorf("%s was modified since and is missing", r)
		}
	}
	if len(changed) == 0 || len(got) >= len(all) {
		t.Errorf("%d records changed, %d are handed out, the register has %d", len(changed), len(got), len(all))
	}
	resp, body := fetch(t, base+"/api/v1/catalog/dcat.jsonld?modified_since="+since)
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "application/ld+json" || strings.Count(string(body), `#record","@type":["dcat:CatalogRecord"]`) != len(got) {
		t.Errorf("JSON-LD: status %d, %d records, want %d", resp.StatusCode, strings.Count(string(body), "dcat:CatalogRecord"), len(got))
	}
	if resp, body := fetch(t, base+"/api/v1/catalog/dcat.ttl?modified_since=soon"); resp.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("status %d: %s", resp.StatusCode, body)
	}
}

// recordsOf are the records on all pages of a walk.
func recordsOf(t *testing.T, base, first string) (records []string) {
	t.Helper()
	for next := first; next != ""; {
		resp, body := fetch(t, base+"/api/v1/catalog/"+next)
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d: %s", next, resp.StatusCode, body)
		}
		for _, m := range recordPattern.FindAllStringSubmatch(string(body), -1) {
			records = append(records, m[1])
		}
		next = ""
		if m := nextPattern.FindStringSubmatch(string(body)); m != nil {
			next = m[1]
			if _, err := url.Parse(next); err != nil || !strings.Contains(resp.Header.Get("Link"), next+`>; rel="next"`) {
				t.Errorf("Link %s does not lead to %s", resp.Header.Get("Link"), next)
			}
		}
	}
	return records
}
