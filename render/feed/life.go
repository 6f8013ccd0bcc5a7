package feed

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
)

// lifeStream is the catalog's stream of the entries' lives.
const lifeStream = "feed-lives"

// life is the piece of an entry: what its own feed tells, newest first.
type life struct {
	Title  string  `json:"title"`
	Source string  `json:"source,omitempty"`
	Events []event `json:"events"`
}

// event is one change in the life of an entry.
type event struct {
	Kind string    `json:"kind"`
	At   time.Time `json:"at"`
	Text string    `json:"text"`
	// Detail explains the event in words of the register or the publisher.
	Detail string `json:"detail,omitempty"`
}

// Pieces collects the life of an entry from its row.
func Pieces(s *snapshot.Scored) ([]artifact.Piece, error) {
	e := s.Entry()
	l := life{Title: cmp.Or(oneLine(e.Name), e.Slug), Source: cmp.Or(web(e.HomepageURL), web(e.PrimarySourceURL)), Events: lifeOf(s)}
	body, err := jsonx.Marshal(&l)
	if err != nil {
		return nil, fmt.Errorf("life of entry %s: %w", e.ID, err)
	}
	return []artifact.Piece{{Stream: lifeStream, Body: body}}, nil
}

func lifeOf(s *snapshot.Scored) []event {
	e := s.Entry()
	var list []event
	add := func(kind string, at time.Time, text, detail string) {
		if !at.IsZero() {
			list = append(list, event{kind, at.UTC().Truncate(time.Second), text, oneLine(detail)})
		}
	}
	add("created", e.PublishedAt, "Added to the register", cmp.Or(e.DescriptionEn, e.Description))
	if e.ContentChangedAt.After(e.PublishedAt) {
		add("changed", e.ContentChangedAt, "Content changed", "What the source says of itself has changed.")
	}
	if e.Status == catalog.StatusDeprecated {
		add("deprecated", e.DeprecatedAt, "Deprecated", e.StatusReason)
	}
	list = append(list, verdicts(s)...)
	list = append(list, scores(s)...)
	slices.SortStableFunc(list, func(a, b event) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Kind, b.Kind)) })
	return list[:min(len(list), latestMax)]
}

// scoreMove is by how many points a score moves before it is told, scoreDays
// for how long it is.
const (
	scoreMove = 1
	scoreDays = 30
)

// scores tells the days on which mqa_score moved. The present day is left out,
// as its checks are not all made.
func scores(s *snapshot.Scored) []event {
	var out []event
	since := s.Day.AddDate(0, 0, -scoreDays).Format(time.DateOnly)
	for i := 1; i < len(s.Row.Scores); i++ {
		from, to := &s.Row.Scores[i-1], &s.Row.Scores[i]
		day, err := time.Parse(time.DateOnly, to.Day)
		if err != nil || to.Day < since || max(to.MQA-from.MQA, from.MQA-to.MQA) < scoreMove {
			continue
		}
		out = append(out, event{"score", day, fmt.Sprintf("Quality score %.1f, was %.1f", to.MQA, from.MQA), "The quality-score page of the entry says why."})
	}
	return out
}

// Linked is the feed of the entry at the ordinal.
func Linked(c *snapshot.Catalog, ordinal int) ([]artifact.File, error) {
	line := &c.Lines[ordinal]
	r := c.Streams[lifeStream].Pieces(ordinal, ordinal+1)
	b := make([]byte, r.Size())
	var l life
	if _, err := r.ReadAt(b, 0); err != nil {
		return nil, fmt.Errorf("life of entry %s: %w", line.ID, err)
	}
	if err := json.Unmarshal(b, &l); err != nil {
		return nil, fmt.Errorf("life of entry %s: %w", line.ID, err)
	}
	ch := channel{site: c.Site, route: Root + "entry/" + line.ID + ".atom", title: l.Title, about: entryRoute(line.Slug),
		text: "What happened to this entry of " + clean(c.Site.Name) + ".", asOf: time.Unix(line.Published, 0).UTC()}
	for _, e := range l.Events {
		var p page
		p.text(e.Detail, "")
		p.link("The source", l.Source)
		ch.items = append(ch.items, item{id: "urn:uuid:" + line.ID + "#" + e.Kind + "-" + e.At.Format("20060102T150405Z"),
			title: e.Text + ": " + l.Title, about: ch.about, source: l.Source, html: p.b.String(), published: e.At, updated: e.At})
	}
	f, err := atomForm.file(&ch)
	return []artifact.File{f}, err
}
