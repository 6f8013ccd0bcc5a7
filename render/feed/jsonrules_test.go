package feed

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/assay-register/assay/render/artifact"
)

// judgeJSON holds a feed to JSON Feed 1.1, "Top-level" and "Items".
func judgeJSON(f artifact.File) error {
	var c check
	var doc map[string]any
	dec := json.NewDecoder(bytes.NewReader(f.Body))
	if err := dec.Decode(&doc); err != nil {
		return err
	}
	known := "version title home_page_url feed_url description user_comment next_url icon favicon authors language expired hubs items"
	for k := range doc {
		c.must(strings.Contains(" "+known+" ", " "+k+" "), "%s is no member of a feed", k)
	}
	text := func(m map[string]any, key string) string {
		s, ok := m[key].(string)
		c.must(ok && s != "", "%s is missing or no text", key)
		return s
	}
	c.must(text(doc, "version") == "https://jsonfeed.org/version/1.1", "version %v", doc["version"])
	c.must(text(doc, "feed_url") == site.BaseURL+f.Route, "feed_url %v", doc["feed_url"])
	text(doc, "title")
	c.absolute(text(doc, "home_page_url"))
	items, ok := doc["items"].([]any)
	c.must(ok, "items is missing or no array")
	known = "id url external_url title content_html content_text summary image banner_image date_published date_modified authors tags language attachments"
	for _, x := range items {
		it, _ := x.(map[string]any)
		for k := range it {
			c.must(strings.Contains(" "+known+" ", " "+k+" "), "%s is no member of an item", k)
		}
		text(it, "id")
		text(it, "content_html")
		c.absolute(text(it, "url"))
		c.instant(time.RFC3339, text(it, "date_published"))
		c.instant(time.RFC3339, text(it, "date_modified"))
		tags, _ := it["tags"].([]any)
		for _, t := range tags {
			s, ok := t.(string)
			c.must(ok && s != "", "tag %v", t)
		}
	}
	c.must(!bytes.Contains(f.Body, []byte(`\u003c`)), "HTML is escaped in JSON")
	return c.err()
}
