package snapshot

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Format is the version of the rendered shapes; it is part of the snapshot id,
// so that a new release makes a new snapshot of the same data.
const Format = 1

// Reasons of a tombstone.
const (
	ReasonRemoved = "removed"
	ReasonMerged  = "merged"
	// ReasonReopened: its approval was taken back; it may come back.
	ReasonReopened = "reopened"
)

// Tombstone stands for an entry that was public once.
type Tombstone struct {
	ID          string   `json:"id"`
	Slug        string   `json:"slug"`
	FormerSlugs []string `json:"former_slugs,omitempty"`
	// Reason is ReasonRemoved, ReasonMerged or ReasonReopened.
	Reason string `json:"reason"`
	// Successor is the entry that took its place, or "".
	Successor string `json:"successor,omitempty"`
	// At is when it left, in UTC.
	At time.Time `json:"at"`
}

// Catalog is a finished snapshot.
type Catalog struct {
	// ID names the snapshot: the UTC day of AsOf and a hash of everything it shows.
	ID   string
	Site Site
	// Day is the start of that day.
	Day time.Time
	// AsOf is the latest change that the snapshot shows.
	AsOf time.Time
	// Through is the number of the last event of the store, but for those of
	// builds, that the snapshot shows, 0 if it is not known. It lies beside the
	// snapshot.
	Through int64
	// Lines are the visible entries in id order.
	Lines []Line
	// Order are the ordinals of the listed entries, best ranking first.
	Order []int32
	Gone  []Tombstone
	// Redirects maps former slugs of visible entries to their present slug.
	Redirects    map[string]string
	Institutions map[string]*catalog.Institution
	// MergedBodies are as in Frame.
	MergedBodies map[string]string
	Licences     map[string]*catalog.Licence
	Items        io.ReaderAt
	// Harvested is the harvest log; it lies beside the snapshot.
	Harvested []Harvested
	// Outages are when sources did not answer; they lie beside the snapshot.
	Outages *Outages
	// Observed is how the register's own work went; it lies beside the
	// snapshot, too.
	Observed Observed
	// Streams hold the fragments that formats made of the entries, by name.
	Streams map[string]*Stream

	once sync.Once
	// named is the place of each line in the order of names, made once.
	naming sync.Once
	named  []int32
	// alike are the ranks of the names, made once.
	ranking  sync.Once
	alike    []int32
	related  *postings
	grouping sync.Once
	groups   []Series
	// member has for each ordinal the place in groups of its series, counted from 1; 0 is none.
	member []int32
	sorted sync.Map
}

// Draft collects lines until the snapshot is finished.
type Draft struct {
	frame     *Frame
	lines     []Line
	gone      []Tombstone
	redirects map[string]string
	interner  *interner
	sum       [sha256.Size]byte
	mixed     []byte
	asOf      time.Time
}

// NewDraft begins a snapshot of the frame.
func NewDraft(f *Frame) *Draft {
	d := &Draft{frame: f, redirects: map[string]string{}, interner: newInterner()}
	seed := fmt.Appendf(nil, "%d|%s|%s|%s|%t", Format, f.Site.BaseURL, f.Site.Name, f.Site.License, f.Site.NoAccessService)
	if own := f.Site.Contact + f.Site.Accent + f.Site.AccentDark; own != "" {
		seed = fmt.Appendf(seed, "|%s|%s|%s", f.Site.Contact, f.Site.Accent, f.Site.AccentDark)
	}
	if f.Site.OwnClock {
		seed = append(seed, "|own clock"...)
	}
	d.sum = sha256.Sum256(seed)
	return d
}

// Grow makes room for n entries, so that adding them copies nothing.
func (d *Draft) Grow(n int) { d.lines = slices.Grow(d.lines, n) }

// Add appends the next entry in id order. Its Digest must cover the bytes of
// every page that shows the entry alone. The draft keeps the texts of a line
// with a digest itself.
func (d *Draft) Add(l Line, formerSlugs []string) error {
	if n := len(d.lines); n > 0 && d.lines[n-1].ID >= l.ID {
		return fmt.Errorf("snapshot line %s comes after %s: %w", l.ID, d.lines[n-1].ID, catalog.ErrInvalid)
	}
	d.mix(l.ID, " ", l.Digest, " ", l.Gained.String())
	if l.Changed > 0 {
		d.see(time.Unix(l.Changed, 0))
	}
	if l.Digest != "" { // a line that was read from a snapshot has none and stays where it is
		d.interner.keep(&l)
	}
	for _, s := range formerSlugs {
		d.redirects[s] = l.Slug
		d.mix(s, " to ", l.Slug)
	}
	d.lines = append(d.lines, l)
	return nil
}

// Bury records an entry that left the public catalog.
func (d *Draft) Bury(t Tombstone) {
	t.At = t.At.UTC().Truncate(time.Second)
	d.mix(fmt.Sprintf("gone %s %s %s %s %s %d", t.ID, t.Slug, t.FormerSlugs, t.Reason, t.Successor, t.At.Unix()))
	d.see(t.At)
	d.gone = append(d.gone, t)
}

// mix lets the name of the snapshot depend on a text, given in parts.
func (d *Draft) mix(parts ...string) {
	d.mixed = append(d.mixed[:0], d.sum[:]...)
	for _, p := range parts {
		d.mixed = append(d.mixed, p...)
	}
	d.sum = sha256.Sum256(d.mixed)
}

func (d *Draft) see(t time.Time) {
	if t.After(d.asOf) {
		d.asOf = t
	}
}

// Finish orders the lines and names the snapshot. items holds the rendered
// list items at the lines' spans.
func (d *Draft) Finish(items io.ReaderAt) *Catalog {
	if d.asOf.IsZero() {
		d.asOf = d.frame.Day // an empty register
	}
	d.asOf = d.asOf.UTC()
	c := &Catalog{Site: d.frame.Site, Day: d.asOf.Truncate(24 * time.Hour), AsOf: d.asOf, Lines: d.lines, Gone: d.gone,
		Redirects: d.redirects, Institutions: d.frame.Institutions, MergedBodies: d.frame.MergedBodies, Licences: d.frame.Licences, Items: items,
		Streams: map[string]*Stream{}, Outages: &Outages{}}
	c.ID = c.Day.Format("20060102") + "-" + hex.EncodeToString(d.sum[:])[:12]
	c.order()
	return c
}

func (c *Catalog) order() {
	c.Order = make([]int32, 0, len(c.Lines))
	for i := range c.Lines {
		if c.Lines[i].Listed() {
			c.Order = append(c.Order, int32(i))
		}
	}
	slices.SortFunc(c.Order, func(a, b int32) int {
		if r := cmp.Compare(c.Lines[b].Ranking, c.Lines[a].Ranking); r != 0 {
			return r
		}
		return cmp.Compare(a, b)
	})
}

// every are the ordinals of all lines.
func (c *Catalog) every() []int32 {
	list := make([]int32, len(c.Lines))
	for i := range list {
		list[i] = int32(i)
	}
	return list
}

// IsID tells whether s has the shape of a snapshot id.
func IsID(s string) bool {
	if len(s) != 21 || s[8] != '-' {
		return false
	}
	for i, c := range []byte(s) {
		switch {
		case i < 8 && (c < '0' || c > '9'):
			return false
		case i > 8 && (c < '0' || c > '9') && (c < 'a' || c > 'f'):
			return false
		}
	}
	return true
}

// ByID returns the ordinal of an entry id, or -1.
func (c *Catalog) ByID(id string) int {
	i := sort.Search(len(c.Lines), func(i int) bool { return c.Lines[i].ID >= id })
	if i < len(c.Lines) && c.Lines[i].ID == id {
		return i
	}
	return -1
}

// ReadItem returns the rendered list item of a line.
func (c *Catalog) ReadItem(l *Line) ([]byte, error) {
	b := make([]byte, l.Item.Length)
	if _, err := c.Items.ReadAt(b, l.Item.Offset); err != nil {
		return nil, fmt.Errorf("item of entry %s: %w", l.ID, err)
	}
	return b, nil
}
