package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/wire"
)

// walk makes a checker that has met a whole catalogue of 12 entries and three
// pages of it in Turtle.
func walk() *checker {
	const base = "https://register.example/assay"
	c := &checker{first: wire.SnapshotPage{BaseURL: base}, paged: map[string]*catalogPage{"/api/v1/catalog/dcat.ttl": {records: 12}}}
	at := func(n int) string { return fmt.Sprintf("/s/x/api/v1/catalog/dcat/%d.ttl", n) }
	for n := 1; n <= 3; n++ {
		p := &catalogPage{paged: true, self: base + at(n), first: base + at(1), last: base + at(3), total: 12, records: 5}
		if n < 3 {
			p.next = base + at(n+1)
		} else {
			p.records = 2
		}
		c.paged[at(n)] = p
	}
	return c
}

// TestPaging breaks a good chain of pages.
func TestPaging(t *testing.T) {
	page := func(c *checker, n int) *catalogPage {
		return c.paged[fmt.Sprintf("/s/x/api/v1/catalog/dcat/%d.ttl", n)]
	}
	for _, c := range []struct {
		name, what string
		spoil      func(c *checker)
	}{
		{"good", "", func(*checker) {}},
		{"a circle", "was met before", func(c *checker) { page(c, 3).next = page(c, 1).self }},
		{"a page that is skipped", "cannot be reached", func(c *checker) { page(c, 1).next = page(c, 3).self }},
		{"an early end", "is not the last one", func(c *checker) { page(c, 2).next = "" }},
		{"an entry less", "hold 11 entries and say 12", func(c *checker) { page(c, 2).records = 4 }},
		{"another total", "says 13 entries", func(c *checker) { page(c, 2).total = 13 }},
		{"another name", "calls itself x", func(c *checker) { page(c, 2).self = "x" }},
		{"the whole is less", "holds 11 entries, its pages say 12", func(c *checker) { c.paged["/api/v1/catalog/dcat.ttl"].records = 11 }},
		{"the whole is missing", "holds 0 entries", func(c *checker) { delete(c.paged, "/api/v1/catalog/dcat.ttl") }},
		{"to the whole", "is no page of this form", func(c *checker) { page(c, 1).next = c.first.BaseURL + "/api/v1/catalog/dcat.ttl" }},
	} {
		k := walk()
		c.spoil(k)
		k.checkPaging()
		text := fmt.Sprint(k.report.Faults)
		if (c.what == "") != (k.report.FaultCount == 0) || !strings.Contains(text, c.what) {
			t.Errorf("%s: %s, want %q", c.name, text, c.what)
		}
	}
}
