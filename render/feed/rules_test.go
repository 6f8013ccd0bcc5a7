package feed

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	ical "github.com/arran4/golang-ical"

	"github.com/assay-register/assay/render/artifact"
)

// judge reads a feed back and holds it to the rules of its form.
func judge(tb testing.TB, f artifact.File) {
	tb.Helper()
	var err error
	switch f.Type {
	case Atom:
		err = judgeAtom(f)
	case RSS:
		err = judgeRSS(f)
	case JSON:
		err = judgeJSON(f)
	case artifact.Calendar:
		err = judgeCalendar(f)
	default:
		err = fmt.Errorf("media type %s", f.Type)
	}
	if err != nil {
		tb.Errorf("%s: %v", f.Route, err)
	}
}

// check collects broken rules.
type check []string

func (c *check) must(ok bool, format string, args ...any) {
	if !ok {
		*c = append(*c, fmt.Sprintf(format, args...))
	}
}

func (c *check) absolute(address string) {
	u, err := url.Parse(address)
	c.must(err == nil && u.IsAbs(), "%q is no absolute address", address)
}

func (c *check) instant(layout, s string) time.Time {
	t, err := time.Parse(layout, s)
	c.must(err == nil, "%q is no instant", s)
	c.must(!t.After(noon), "%s lies after the snapshot", s)
	return t
}

func (c check) err() error {
	if len(c) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(c, "; "))
}

// judgeCalendar holds a calendar to RFC 5545: 3.1 for its lines, 3.6 for what it has to have.
func judgeCalendar(f artifact.File) error {
	cal, err := ical.ParseCalendar(bytes.NewReader(f.Body))
	if err != nil {
		return err
	}
	var c check
	for line := range strings.SplitSeq(strings.TrimSuffix(string(f.Body), "\r\n"), "\r\n") {
		c.must(len(line) <= 75 && utf8.ValidString(line) && !strings.ContainsAny(line, "\r\n"), "a line of %d octets: %q", len(line), line)
	}
	c.must(len(cal.Components) > 0, "no component")
	for _, e := range cal.Events() {
		from, err1 := e.GetStartAt()
		to, err2 := e.GetEndAt()
		_, err3 := e.GetDtStampTime()
		c.must(e.Id() != "" && errors.Join(err1, err2, err3) == nil && to.After(from), "event %s: %v %v %v", e.Id(), err1, err2, err3)
	}
	return c.err()
}

// judgeAtom holds a feed to RFC 4287, 4.1.1 and 4.1.2.
func judgeAtom(f artifact.File) error {
	var doc struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		Title   string   `xml:"title"`
		ID      string   `xml:"id"`
		Updated string   `xml:"updated"`
		Author  struct {
			Name string `xml:"name"`
		} `xml:"author"`
		Links   []xmlLink `xml:"link"`
		Entries []struct {
			Title     string    `xml:"title"`
			ID        string    `xml:"id"`
			Updated   string    `xml:"updated"`
			Published string    `xml:"published"`
			Links     []xmlLink `xml:"link"`
			Content   struct {
				Type string `xml:"type,attr"`
				Text string `xml:",chardata"`
			} `xml:"content"`
			Categories []struct {
				Term string `xml:"term,attr"`
			} `xml:"category"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(f.Body, &doc); err != nil {
		return err
	}
	var c check
	updated := c.instant(time.RFC3339, doc.Updated)
	c.must(doc.Title != "" && doc.Author.Name != "", "no title or author")
	c.must(rel(doc.Links, "self") == site.BaseURL+f.Route, "self link %q", rel(doc.Links, "self"))
	c.absolute(doc.ID)
	ids, latest := map[string]bool{}, time.Time{}
	for _, e := range doc.Entries {
		c.must(!ids[e.ID], "the id %s stands twice", e.ID)
		ids[e.ID] = true
		c.absolute(e.ID)
		c.absolute(rel(e.Links, "alternate"))
		c.must(e.Title != "" && e.Content.Type == "html", "entry %s has no title or HTML", e.ID)
		c.must(!strings.Contains(e.Content.Text, "<script"), "entry %s has live markup", e.ID)
		at := c.instant(time.RFC3339, e.Updated)
		c.must(!at.Before(c.instant(time.RFC3339, e.Published)), "entry %s was updated before it was published", e.ID)
		if at.After(latest) {
			latest = at
		}
		for _, t := range e.Categories {
			c.must(t.Term != "", "an empty category")
		}
	}
	c.must(len(ids) == 0 || latest.Equal(updated), "updated is %s, the latest entry %s", updated, latest)
	return c.err()
}

type xmlLink struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
	Type string `xml:"type,attr"`
}

func rel(links []xmlLink, name string) string {
	for _, l := range links {
		if l.Rel == name {
			return l.Href
		}
	}
	return ""
}

// judgeRSS holds a feed to RSS 2.0 and the best practices of its board.
func judgeRSS(f artifact.File) error {
	var doc struct {
		XMLName xml.Name `xml:"rss"`
		Version string   `xml:"version,attr"`
		Channel struct {
			Title       string    `xml:"title"`
			Description string    `xml:"description"`
			Language    string    `xml:"language"`
			Built       string    `xml:"lastBuildDate"`
			Self        []xmlLink `xml:"http://www.w3.org/2005/Atom link"`
			Items       []struct {
				Title       string `xml:"title"`
				Link        string `xml:"link"`
				Description string `xml:"description"`
				PubDate     string `xml:"pubDate"`
				GUID        struct {
					Permanent string `xml:"isPermaLink,attr"`
					ID        string `xml:",chardata"`
				} `xml:"guid"`
			} `xml:"item"`
		} `xml:"channel"`
	}
	if err := xml.Unmarshal(f.Body, &doc); err != nil {
		return err
	}
	var c check
	ch := &doc.Channel
	c.must(doc.Version == "2.0" && ch.Title != "" && ch.Description != "" && ch.Language == "en", "version, title, description or language is wrong")
	c.must(rel(ch.Self, "self") == site.BaseURL+f.Route, "self link %q", rel(ch.Self, "self"))
	c.instant(rssDate, ch.Built)
	for _, it := range ch.Items {
		c.absolute(it.Link)
		c.instant(rssDate, it.PubDate)
		c.must(it.GUID.Permanent == "false" && strings.HasPrefix(it.GUID.ID, "urn:uuid:"), "guid %+v", it.GUID)
		c.must(it.Title != "" && !strings.Contains(it.Description, "<script"), "item %s has no title or live markup", it.GUID.ID)
	}
	return c.err()
}
