//go:build unix

package month

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// outages compares what the register tells of outages with what the oracle says.
type outages struct{}

func (outages) begin(*rehearsal)     {}
func (outages) act(*rehearsal, int)  {}
func (outages) look(*rehearsal, int) {}

func (outages) end(m *rehearsal) {
	list, err := m.c.outages()
	if err != nil {
		m.t.Fatal(err)
	}
	keys, err := m.see.keys(m.t.Context())
	if err != nil {
		m.t.Fatal(err)
	}
	var got []*Outage
	for i := range list {
		got = append(got, list[i].outage(keys))
	}
	count := map[string]int{}
	for _, x := range got {
		count[x.String()]++
		m.report.Count("outages of cause "+x.Cause, 1)
		m.ledger.Note(x.From/stepsPerDay+1, "outage %s", x)
	}
	for _, x := range m.o.Outages {
		count[x.String()]--
	}
	for text, n := range count {
		if n != 0 {
			m.report.Differ(-1, "an outage, %d too many: %s", n, text)
		}
	}
	m.outageFeed(list)
}

// notice is what a feed of outages tells: that one began, or that it ended.
type notice struct {
	id string
	at time.Time
}

// noticesOf are those of a list of outages, the newest first. Of one second they come in any order.
func noticesOf(list []incident) []notice {
	var out []notice
	for i := range list {
		x := &list[i]
		if out = append(out, notice{x.ID, x.OpenedAt.Truncate(time.Second)}); x.EndedAt != nil {
			out = append(out, notice{x.ID, x.EndedAt.Truncate(time.Second)})
		}
	}
	slices.SortFunc(out, func(a, b notice) int { return b.at.Compare(a.at) })
	return out
}

// outageFeed holds the feed to the list: an item for the beginning of each, and one for its end.
func (m *rehearsal) outageFeed(list []incident) {
	resp, err := m.c.http.Get(m.r.base + "/api/v1/feeds/outages.rss")
	if err != nil {
		m.t.Fatal(err)
	}
	defer resp.Body.Close()
	var feed struct {
		Items []struct {
			GUID string `xml:"guid"`
			Date string `xml:"pubDate"`
		} `xml:"channel>item"`
	}
	text, err := io.ReadAll(resp.Body)
	if err == nil {
		err = xml.Unmarshal(text, &feed)
	}
	want := noticesOf(list)
	if err != nil || len(feed.Items) != min(len(want), latestInFeed) {
		m.report.Differ(-1, "the feed of outages has %d items, the list makes %d: status %d, %v", len(feed.Items), len(want), resp.StatusCode, err)
		return
	}
	for i, it := range feed.Items {
		id := strings.TrimPrefix(it.GUID, "urn:uuid:")
		id, _, _ = strings.Cut(id, "#")
		if at, err := time.Parse(time.RFC1123Z, it.Date); err != nil || !at.Equal(want[i].at) || !slices.ContainsFunc(want, func(n notice) bool { return n.id == id && n.at.Equal(at) }) {
			m.report.Differ(-1, "the feed of outages has %s of %s where the list has one of %s: %v", it.GUID, it.Date, want[i].at, err)
		}
	}
}

// latestInFeed is how many outages a feed has (change-feed.md).
const latestInFeed = 50

// incident is an outage as the interface tells it.
type incident struct {
	ID         string
	EntryID    *string `json:"entry_id"`
	Host       string
	Cause      string
	Began      time.Time  `json:"began_at"`
	OpenedAt   time.Time  `json:"opened_at"`
	EndedAt    *time.Time `json:"ended_at"`
	Planned    bool
	Unresolved bool
}

// outages follows the list of outages to its end.
func (c *client) outages() (list []incident, err error) {
	for path := "/api/v1/incidents?limit=50"; path != ""; {
		var page struct {
			Items []incident
			Next  *string
		}
		if code, err := c.ask("GET", path, nil, &page); err != nil || code != http.StatusOK {
			return nil, fmt.Errorf("%s: status %d, %w", path, code, err)
		}
		list, path = append(list, page.Items...), ""
		if page.Next != nil {
			path = *page.Next
		}
	}
	return list, nil
}

// outage is an incident in steps.
func (i *incident) outage(keys map[string]string) *Outage {
	x := &Outage{Subj: i.Host, Cause: i.Cause, From: stepOf(i.Began), Until: -1, Planned: i.Planned, Unresolved: i.Unresolved}
	if i.EntryID != nil {
		x.Subj = keys[*i.EntryID]
	}
	if i.EndedAt != nil {
		x.Until = stepOf(*i.EndedAt)
	}
	return x
}

// stepOf is the step of an instant.
func stepOf(at time.Time) int { return int(at.Sub(start) / Cadence) }
