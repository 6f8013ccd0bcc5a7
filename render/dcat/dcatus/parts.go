package dcatus

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/dcat"
	"github.com/assay-register/assay/render/snapshot"
)

type agent struct {
	Type string `json:"@type"`
	Name string `json:"name"`
}

type kind struct {
	Type  string `json:"@type"`
	Name  string `json:"fn"`
	Email string `json:"hasEmail,omitempty"`
	URL   string `json:"hasURL,omitempty"`
}

type page struct {
	Type  string `json:"@type"`
	ID    string `json:"@id"`
	Title string `json:"title"`
}

type standard struct {
	Type  string `json:"@type"`
	ID    string `json:"@id,omitempty"`
	Title string `json:"title,omitempty"`
}

func address(site snapshot.Site, route string) string {
	return strings.TrimSuffix(site.BaseURL, "/") + route
}

func iri(s *snapshot.Scored) string { return address(s.Site, "/id/"+s.Entry().ID) }

// web lets only addresses pass that a link may have.
func web(raw string) string {
	if raw == "" || catalog.CheckURL("url", raw) != nil {
		return ""
	}
	return uri(raw)
}

// fileWeb is web for the address of a file, which may also be one of FTP.
func fileWeb(raw string) string {
	if raw == "" || catalog.CheckFileURL("url", raw) != nil {
		return ""
	}
	return uri(raw)
}

// uri percent-encodes what an address of today may have and a URI may not (RFC 3986, section 2): the
// schemas ask for URIs.
func uri(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// dated is a date of a publisher: a day when the source gave no time of day.
func dated(t time.Time) string {
	if !t.IsZero() && t.Truncate(24*time.Hour).Equal(t) {
		return t.UTC().Format(time.DateOnly)
	}
	return instant(t)
}

// publisher is who publishes an entry, as the source names it.
func publisher(s *snapshot.Scored, kind string) *agent {
	name := s.Entry().PublisherName
	if name == "" && s.Institution != nil {
		name = s.Institution.Name
	}
	return &agent{Type: kind, Name: cmp.Or(name, catalog.Host(s.Entry().PrimarySourceURL), "Publisher not stated")}
}

// mailbox is what the schemas of both versions take for an address of mail.
var mailbox = regexp.MustCompile(`^mailto:[\w~!$&'()*+,;=:.-]+@[\w.-]+\.[\w.-]+$`)

func mailto(address string) string {
	if m := "mailto:" + strings.TrimPrefix(address, "mailto:"); mailbox.MatchString(m) {
		return m
	}
	return ""
}

// contact is the publisher's own.
func contact(s *snapshot.Scored, kindOf string) kind {
	k := kind{Type: kindOf}
	if c := s.Entry().Contact; c != nil {
		k.Name, k.Email, k.URL = c.Name, mailto(c.Email), web(c.URL)
	}
	k.Name = cmp.Or(k.Name, publisher(s, "").Name)
	return k
}

// reached is the publisher's contact, or that of the register where it states no mailbox.
func reached(s *snapshot.Scored) []kind {
	k := contact(s, "Kind")
	if k.Email == "" {
		if mail := mailto(strings.TrimPrefix(s.Site.ContactURI(), "mailto:")); mail != "" {
			k.Name, k.Email = s.Site.Name, mail
		}
	}
	return []kind{k}
}

// licence is the address of a licence: that in the table, else what the publisher wrote if it
// is one.
func licence(s *snapshot.Scored, id, raw string) string {
	if l := s.Licence; l != nil && l.ID == id && web(l.URL) != "" {
		return l.URL
	}
	if u := dcat.LicenceAddress(id); u != "" {
		return u
	}
	if u, err := url.Parse(raw); err == nil && u.IsAbs() && u.Host != "" {
		return web(raw)
	}
	return ""
}

// themes are the labels of EU data themes.
func themes(codes []string) []string {
	var out []string
	for _, c := range codes {
		if label := dcat.ThemeLabel(c); label != "" {
			out = append(out, label)
		}
	}
	return out
}

// durations are the lengths of time between updates, by codes of the EU table of frequencies.
// Version 1.1 has them as repeating intervals (ISO 8601), version 3.0 too.
var durations = map[string]string{"1MIN": "PT1M", "5MIN": "PT5M", "10MIN": "PT10M", "15MIN": "PT15M", "30MIN": "PT30M", "HOURLY": "PT1H", "BIHOURLY": "PT2H", "TRIHOURLY": "PT3H",
	"DAILY_2": "PT12H", "DAILY": "P1D", "WEEKLY_3": "P0.33W", "WEEKLY_2": "P3.5D", "WEEKLY": "P1W", "BIWEEKLY": "P2W", "MONTHLY_3": "P0.33M", "MONTHLY_2": "P0.5M", "MONTHLY": "P1M",
	"BIMONTHLY": "P2M", "QUARTERLY": "P3M", "ANNUAL_3": "P4M", "ANNUAL_2": "P6M", "BIANNUAL": "P6M", "ANNUAL": "P1Y", "BIENNIAL": "P2Y", "TRIENNIAL": "P3Y", "QUADRENNIAL": "P4Y", "QUINQUENNIAL": "P5Y",
	"DECENNIAL": "P10Y", "BIDECENNIAL": "P20Y", "TRIDECENNIAL": "P30Y", "UPDATE_CONT": "PT1S", "CONT": "PT1S"}

// words are those of version 3.0 for frequencies without a length (ISO 19115).
var words = map[string]string{"IRREG": "irregular", "AS_NEEDED": "asNeeded", "NOT_PLANNED": "notPlanned", "CONT": "continuous", "UPDATE_CONT": "continual"}

// media is what a distribution with a file of unknown type is: the schema of 1.1 demands one.
const octets = "application/octet-stream"

var mediaForm = regexp.MustCompile(`^[-\w]+/[-\w]+(\.[-\w]+)*(\+[-\w]+)?$`)

func mediaType(d *catalog.Distribution) string {
	if m := dcat.MediaType(d.Format, d.MediaType); mediaForm.MatchString(m) {
		return m
	}
	m, _, _ := strings.Cut(d.MediaType, ";")
	if m = strings.ToLower(strings.TrimSpace(m)); mediaForm.MatchString(m) {
		return m
	}
	return ""
}

// tags are the keywords of an entry, each once.
func tags(e *catalog.Entry) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range e.Tags {
		if !seen[t] && t != "" {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

func description(e *catalog.Entry) string {
	return cmp.Or(e.Description, e.DescriptionEn, e.Name, e.Slug)
}
