package feed

import (
	"github.com/gorilla/feeds"

	"github.com/assay-register/assay/render/jsonx"
)

// jsonDoc is feeds.JSONFeed with items that are written when empty too, as
// JSON Feed 1.1 requires.
type jsonDoc struct {
	feeds.JSONFeed
	Items []jsonItem `json:"items"`
}

// jsonItem is feeds.JSONItem with the language that version 1.1 added.
type jsonItem struct {
	feeds.JSONItem
	Language string `json:"language,omitempty"`
}

// jsonFeed writes JSON Feed 1.1 (jsonfeed.org/version/1.1).
func jsonFeed(b []byte, c *channel) ([]byte, error) {
	doc := jsonDoc{Items: make([]jsonItem, 0, len(c.items)), JSONFeed: feeds.JSONFeed{Version: "https://jsonfeed.org/version/1.1",
		Title: c.title, HomePageUrl: c.site.BaseURL + c.about, FeedUrl: c.self(), Description: c.text, Language: "en",
		Authors: []*feeds.JSONAuthor{{Name: clean(c.site.Name), Url: c.site.BaseURL}}}}
	for i := range c.items {
		it := &c.items[i]
		doc.Items = append(doc.Items, jsonItem{Language: it.lang, JSONItem: feeds.JSONItem{Id: it.id,
			Url: c.site.BaseURL + it.about, ExternalUrl: it.source, Title: it.title, ContentHTML: it.html, Summary: it.summary,
			PublishedDate: &it.published, ModifiedDate: &it.updated, Tags: it.tags}})
	}
	return jsonx.Append(b, &doc)
}
