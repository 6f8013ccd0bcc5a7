package feed

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/jsonx/plain"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
)

// lifeStream is the catalog's stream of the entries' lives.
const lifeStream = "feed-lives"

// life is the fragment of an entry: what its own feed tells, newest first.
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

// lifeRoom is room for most lives, in bytes.
const lifeRoom = 2 << 10

// Fragments collects the life of an entry from its row.
func Fragments(s *snapshot.Scored) ([]artifact.Fragment, error) {
	e := s.Entry()
	l := life{Title: cmp.Or(oneLine(e.Name), e.Slug), Source: cmp.Or(web(e.HomepageURL), web(e.PrimarySourceURL)), Events: lifeOf(s)}
	body, ok := plain.Append(artifact.Buffer(lifeRoom), &l)
	if !ok {
		var err error
		if body, err = jsonx.Append(body[:0], &l); err != nil {
			return nil, fmt.Errorf("life of entry %s: %w", e.ID, err)
		}
	}
	return []artifact.Fragment{{Stream: lifeStream, Body: body, Pooled: true}}, nil
}

func lifeOf(s *snapshot.Scored) []event {
	e := s.Entry()
	list := make([]event, 0, 4)
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

// scores tells the days on which mqa_score moved.
func scores(s *snapshot.Scored) []event {
	var out []event
	since := s.Day.AddDate(0, 0, -scoreDays).Format(time.DateOnly)
	days := s.Judged()
	for i := 1; i < len(days); i++ {
		from, to := &days[i-1], &days[i]
		if to.Day < since || max(to.MQA-from.MQA, from.MQA-to.MQA) < scoreMove {
			continue
		}
		if day, err := time.Parse(time.DateOnly, to.Day); err == nil {
			text := "Quality score " + points(to.MQA) + ", was " + points(from.MQA)
			out = append(out, event{"score", day, text, "The quality-score page of the entry says why."})
		}
	}
	return out
}

// Lasts is the last UTC day on which all moves are told that are told now.
func Lasts(s *snapshot.Scored) time.Time {
	last, since := score.Forever, s.Day.AddDate(0, 0, -scoreDays)
	days := s.Judged()
	for i := 1; i < len(days); i++ {
		day, err := time.Parse(time.DateOnly, days[i].Day)
		if moved := days[i].MQA - days[i-1].MQA; err != nil || max(moved, -moved) < scoreMove || day.Before(since) {
			continue
		}
		last = score.Earlier(last, day.AddDate(0, 0, scoreDays))
	}
	return last
}

func points(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }

// readers read the lives of single entries.
var readers = sync.Pool{New: func() any { return &reader{} }}

// reader has room for what is read and made on the way to a feed.
type reader struct {
	fragment []byte
	html     document
	items    []item
}

// Related is the feed of the entry at the ordinal.
func Related(c *snapshot.Catalog, ordinal int) ([]artifact.File, error) {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	line := &c.Lines[ordinal]
	l, err := r.life(c, ordinal)
	if err != nil {
		return nil, fmt.Errorf("life of entry %s: %w", line.ID, err)
	}
	ch := channel{site: c.Site, route: Root + "entry/" + line.ID + ".atom", title: l.Title, about: entryRoute(line.Slug),
		text: "What happened to this entry of " + clean(c.Site.Name) + ".", asOf: time.Unix(line.Published, 0).UTC(), items: r.items[:0]}
	for i := range l.Events {
		e := &l.Events[i]
		r.html = r.html[:0]
		r.html.paragraphs(e.Detail, "")
		r.html.link("The source", l.Source)
		ch.items = append(ch.items, item{id: "urn:uuid:" + line.ID + "#" + e.Kind + "-" + e.At.Format("20060102T150405Z"),
			title: e.Text + ": " + l.Title, about: ch.about, source: l.Source, html: string(r.html), published: e.At, updated: e.At})
	}
	f, err := atomForm.file(&ch)
	r.items = ch.items
	return []artifact.File{f}, err
}

func (r *reader) life(c *snapshot.Catalog, ordinal int) (life, error) {
	var l life
	var err error
	if r.fragment, err = c.Streams[lifeStream].Fragment(ordinal, r.fragment); err != nil {
		return l, err
	}
	if plain.Read(string(r.fragment), &l) {
		return l, nil
	}
	l = life{}
	err = json.Unmarshal(r.fragment, &l)
	return l, err
}
