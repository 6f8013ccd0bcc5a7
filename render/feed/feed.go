package feed

import (
	"fmt"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// Class groups the feeds in snapshot.json.
const Class artifact.Class = "feed"

// Media types of the feeds.
const (
	RSS  = "application/rss+xml; charset=utf-8"
	Atom = "application/atom+xml; charset=utf-8"
	JSON = "application/feed+json; charset=utf-8"
)

// Root is the route below which the feeds lie.
const Root = "/api/v1/feeds/"

// latestMax is how many items a feed has.
const latestMax = 50

// channel is one feed before it takes a form.
type channel struct {
	site               snapshot.Site
	route, title, text string
	// about is the route of what the feed is about.
	about string
	items []item
	// asOf dates a feed without items.
	asOf time.Time
}

// item is one thing that a feed tells.
type item struct {
	id, title, lang string
	// about is a route of the register, source an address of the publisher.
	about, source      string
	html, summary      string
	tags               []string
	published, updated time.Time
}

// updated is the latest change among what the feed shows; no clock is asked.
func (c *channel) updated() time.Time {
	var latest time.Time
	for i := range c.items {
		if c.items[i].updated.After(latest) {
			latest = c.items[i].updated
		}
	}
	if latest.IsZero() {
		return c.asOf
	}
	return latest
}

// id is a name that no move of the register changes.
func (c *channel) id() string { return "urn:uuid:" + catalog.NewID("feed", c.route) }

func (c *channel) self() string { return c.site.BaseURL + c.route }

// at is the channel under another route.
func (c channel) at(route string) *channel {
	c.route = route
	return &c
}

// form is one way to write a feed; encode appends it.
type form struct {
	name, media string
	encode      func(b []byte, c *channel) ([]byte, error)
}

var (
	rssForm  = form{"rss", RSS, rss}
	atomForm = form{"atom", Atom, atom}
	jsonForm = form{"json", JSON, jsonFeed}
)

// file renders a channel.
func (f form) file(c *channel) (artifact.File, error) {
	body, err := f.encode(artifact.Buffer(c.room()), c)
	if err != nil {
		return artifact.File{}, fmt.Errorf("feed %s: %w", c.route, err)
	}
	return artifact.File{Route: c.route, Type: f.media, Class: Class, Body: body, Pooled: true}, nil
}

// itemRoom is room for what a feed says of most items, in bytes, besides their
// HTML.
const itemRoom = 1 << 10

// room is enough for most feeds. In XML, HTML is longer.
func (c *channel) room() int {
	n := itemRoom
	for i := range c.items {
		n += itemRoom + len(c.items[i].html)*3/2
	}
	return n
}
