package wire

import (
	"bytes"
	"time"

	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
)

// SearchDepth is how many of the hits of a search can be paged through.
const SearchDepth = 10_000

// Ways in which hits fit a query.
const (
	// MatchAll hits have every word of the query.
	MatchAll = "all"
	// MatchSome hits have most of its words; few entries or none have all.
	MatchSome = "some"
)

// SearchHead are the members of a SearchPage before items.
type SearchHead struct {
	Query      string  `json:"query"`
	Total      int     `json:"total"`
	Page       int     `json:"page"`
	Limit      int     `json:"limit"`
	TotalPages int     `json:"total_pages"`
	TookMS     float64 `json:"took_ms"`
}

// SearchTail are the members of a SearchPage after items.
type SearchTail struct {
	// Facets count the values of all results, the most frequent first, at most 50 of each.
	Facets     snapshot.Facets `json:"facets"`
	DidYouMean *string         `json:"did_you_mean"`
	// Match is MatchAll or MatchSome.
	Match string `json:"match"`
	// LessRelevant is how many results that fit much less well were left out; they are
	// counted nowhere else.
	LessRelevant int `json:"less_relevant"`
	// Changes is how many entries that changed after the snapshot were
	// searched as they are now.
	Changes  int    `json:"changes"`
	Snapshot string `json:"snapshot"`
	Links    Links  `json:"links"`
}

// SearchPage is the documented shape of a page of search results without its
// manifest; EncodeSearch writes it from rendered items.
type SearchPage struct {
	SearchHead
	Items []SearchItem `json:"items"`
	SearchTail
}

// SearchItem is one result: an item of the list and why it is here.
type SearchItem struct {
	// Score tells how well the entry fits, from 0 to 3.25; it compares results
	// of one query only.
	Score      float64     `json:"score"`
	Highlights []Highlight `json:"highlights"`
	Entry      Item        `json:"entry"`
}

// Highlight is a piece of one of the entry's texts.
type Highlight struct {
	Field string `json:"field"`
	// HTML is the text, escaped, with what was found in mark elements.
	HTML string `json:"html"`
}

// SearchHit is one result whose entry is a rendered list item.
type SearchHit struct {
	Score      float64
	Highlights []Highlight
	Item       []byte
}

// EncodeSearch writes a page of search results with its manifest.
func EncodeSearch(head SearchHead, hits []SearchHit, tail SearchTail, changed time.Time) ([]byte, error) {
	body, err := jsonx.Marshal(&head)
	if err != nil {
		return nil, err
	}
	var items bytes.Buffer
	items.WriteString(`{"items":[`)
	for i := range hits {
		h, err := jsonx.Marshal(struct {
			Score      float64     `json:"score"`
			Highlights []Highlight `json:"highlights"`
		}{hits[i].Score, hits[i].Highlights})
		if err != nil {
			return nil, err
		}
		if i > 0 {
			items.WriteByte(',')
		}
		items.Write(h[:len(h)-1])
		items.WriteString(`,"entry":`)
		items.Write(hits[i].Item)
		items.WriteByte('}')
	}
	items.WriteString(`]}`)
	end, err := jsonx.Marshal(&tail)
	if err != nil {
		return nil, err
	}
	return SealBytes(jsonx.Join(jsonx.Join(body, items.Bytes()), end), changed, true)
}

// Suggestions is the answer of entries/search/suggestions.
type Suggestions struct {
	Query       string       `json:"query"`
	Suggestions []Suggestion `json:"suggestions"`
	Snapshot    string       `json:"snapshot"`
}

// Suggestion is one way to complete what was typed.
type Suggestion struct {
	Text string `json:"text"`
	// Kind is title, institution, tag, theme or place.
	Kind string `json:"kind"`
	// Filter is the condition that a theme or place is, name=value, "" for other kinds.
	Filter string `json:"filter,omitempty"`
	// Entries is how many entries have it.
	Entries int `json:"entries"`
}
