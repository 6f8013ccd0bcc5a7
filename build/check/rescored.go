package check

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io/fs"
	"strings"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/recompute"
	"github.com/assay-register/assay/render/wire"
)

const entriesRoute = "/api/v1/entries/"

// scored are the documents of one entry that its scores are made of again; they lie behind one
// another in routes.ndjson.
type scored struct {
	id                     string
	entry, quality, checks recompute.Object
}

// readRules takes the rules by which the site says that it scores, nil where it has none.
func (c *checker) readRules(ctx context.Context) error {
	if _, there := c.sum(wire.RouteRules); !there {
		return nil
	}
	body, err := readPage(ctx, c.pages, wire.RouteRules, artifact.JSON, readMax)
	if err == nil {
		c.rules = new(wire.Rules)
		err = json.Unmarshal(body, c.rules)
	}
	if err != nil {
		c.rules = nil
		c.report.fault(wire.RouteRules, "cannot be read: %v", err)
	}
	return ctx.Err()
}

// noteScored takes a document of an entry, and makes its scores again when it has all of them.
func (c *checker) noteScored(l *wire.RouteLine, body []byte) {
	if c.rules == nil || c.newer || l.SameAs != "" || !strings.HasPrefix(l.Route, entriesRoute) {
		return
	}
	id, part, _ := strings.Cut(l.Route[len(entriesRoute):], "/")
	s := &c.scored
	var to *recompute.Object
	switch {
	case part == "" && IsEntry(l):
		c.checkUnscored()
		*s, to = scored{id: id}, &s.entry
	case part == "quality-score" && s.id == id:
		to = &s.quality
	case part == "checks" && s.id == id:
		to = &s.checks
	default:
		return
	}
	if json.Unmarshal(body, to) != nil || s.entry == nil || s.quality == nil || s.checks == nil {
		return
	}
	if _, err := recompute.Check(c.rules, s.entry, s.quality, s.checks); err != nil {
		c.report.fault(entriesRoute+id, "its scores are not what its documents make: %v", err)
	}
	c.report.Rescored++
	*s = scored{}
}

// checkUnscored names an entry whose scores were not made again before the next one came. A
// service may know it, or its checks, later than its snapshot.
func (c *checker) checkUnscored() {
	if _, remote := c.pages.(output.Remote); c.scored.id != "" && !remote {
		c.report.fault(entriesRoute+c.scored.id, "its scores cannot be made again: /quality-score and /checks do not follow it in routes.ndjson")
	}
	c.scored = scored{}
}

// verdict are the members of an entry that lists repeat.
type verdict struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	State   string   `json:"verification_state"`
	MQA     *float64 `json:"mqa_score"`
	Trust   *float64 `json:"trust_score"`
	Ranking *float64 `json:"ranking_score"`
}

// repeats tells whether what a document says of entries must agree with what others say. A service may
// know an entry later than its lists.
func (c *checker) repeats(l *wire.RouteLine) bool {
	_, remote := c.pages.(output.Remote)
	return !remote && !c.newer && c.known == nil && l.SameAs == ""
}

// noteListed holds what a list says of each entry to what the others said.
func (c *checker) noteListed(l *wire.RouteLine, body []byte) {
	if !c.repeats(l) {
		return
	}
	var list struct {
		Items []verdict `json:"items"`
	}
	if json.Unmarshal(body, &list) != nil {
		return
	}
	for i := range list.Items {
		if v := &list.Items[i]; v.ID != "" && v.MQA != nil && v.Trust != nil && v.State != "" {
			c.noteVerdict(l.Route, v)
		}
	}
}

func (c *checker) noteVerdict(route string, v *verdict) {
	sum := fnv.New64a()
	fmt.Fprintf(sum, "%q %q %v %v", v.Name, v.State, value(v.MQA), value(v.Trust))
	said, known := c.shown[v.ID]
	early, listed := c.early[v.ID]
	switch now := sum.Sum64(); {
	case known && said.verdict == 0:
		said.verdict = now
		c.shown[v.ID] = said
	case !known && !listed:
		c.early[v.ID] = now
		c.remember(len(v.ID) + 8)
	}
	if now := sum.Sum64(); known && c.shown[v.ID].verdict != now || listed && early != now {
		c.report.fault(route, "says of entry %s another name, state or score than its page or another list", v.ID)
	}
}

func value(f *float64) float64 {
	if f == nil {
		return -1
	}
	return *f
}

// checkSame names the documents that a copy of the same snapshot has with other bytes: one
// snapshot says one thing to all who read it.
func (c *checker) checkSame(ctx context.Context, before output.Pages) error {
	body, err := readPage(ctx, before, "/snapshot.json", artifact.JSON, snapshotMax)
	if err != nil {
		return fmt.Errorf("/snapshot.json of the other site: %w", err)
	}
	var other wire.SnapshotPage
	if err := json.Unmarshal(body, &other); err != nil {
		return fmt.Errorf("/snapshot.json of the other site: %w", err)
	}
	if other.Snapshot != c.first.Snapshot {
		return nil
	}
	return output.EachRoute(ctx, before, func(l *wire.RouteLine) error {
		sum, there := c.sum(l.Route)
		if !there {
			c.report.fault(l.Route, "is missing, though the other site has it in the same snapshot: %v", fs.ErrNotExist)
		} else if fmt.Sprintf("%x", sum) != l.SHA256 {
			c.report.fault(l.Route, "has other bytes than the other site shows in the same snapshot %s: one of them was changed", other.Snapshot)
		}
		return nil
	})
}
