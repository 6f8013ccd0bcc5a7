package snapshot

import (
	"maps"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/series"
)

// Site says whose register this is; it is part of every snapshot.
type Site struct {
	// BaseURL is the public address without a trailing slash.
	BaseURL string `json:"base_url"`
	Name    string `json:"name"`
	// License is the SPDX id under which the catalog data is published.
	License string `json:"license"`
	// Contact is where readers and the operators of sources reach who runs the
	// register: an address on the web or of mail. "" is the site itself.
	Contact string `json:"contact,omitempty"`
	// Accent and AccentDark are the colours of links and buttons on light and on
	// dark pages, as "#rrggbb"; "" for those of the style sheet.
	Accent     string `json:"accent,omitempty"`
	AccentDark string `json:"accent_dark,omitempty"`
	// NoAccessService leaves dcat:accessService out of DCAT: some portals hide
	// a service that a distribution names.
	NoAccessService bool `json:"no_access_service,omitempty"`
	// OwnClock tells that its times are of another clock than the readers', as those
	// of a demo are: pages show them as they are, not as ages.
	OwnClock bool `json:"own_clock,omitempty"`
	// LogKeys are the public keys that sign the log of verdicts and the sums of files, one a
	// line, the newest last; "" where the register keeps no log.
	LogKeys string `json:"log_keys,omitempty"`
	// Names is a hash of the tables of names that the register brings itself, "" without one.
	Names string `json:"names,omitempty"`
}

// ContactURI is the contact as an address to follow: mail becomes a mailto
// address (RFC 6068).
func (s Site) ContactURI() string {
	switch {
	case s.Contact == "":
		return s.BaseURL
	case strings.Contains(s.Contact, "@") && !strings.Contains(s.Contact, ":"):
		return "mailto:" + s.Contact
	}
	return s.Contact
}

// Frame is what all rows of one snapshot are judged by: the instant, the
// reference tables and the names that occur more than once.
type Frame struct {
	Site Site
	// At decides what is visible; Day, the start of its UTC day, is what
	// time-dependent scores see.
	At, Day      time.Time
	Institutions map[string]*catalog.Institution
	Licences     map[string]*catalog.Licence
	Sources      map[string]*catalog.Source
	// MergedBodies lead from the ids and keys of institutions that were merged to
	// the id of what they turned out to be.
	MergedBodies map[string]string
	names        map[uint64]sightings
	// told are the further parts of the qualifiers of single entries, see TellApart.
	told map[string][]string
}

// NewFrame prepares the judgement of rows as of an instant.
func NewFrame(site Site, at time.Time, institutions []catalog.Institution, licences []catalog.Licence, sources []catalog.Source) *Frame {
	f := &Frame{Site: site, At: at.UTC(), Day: at.UTC().Truncate(24 * time.Hour), names: map[uint64]sightings{}, told: map[string][]string{},
		Institutions: make(map[string]*catalog.Institution, len(institutions)),
		Licences:     make(map[string]*catalog.Licence, len(licences)),
		Sources:      make(map[string]*catalog.Source, len(sources))}
	institutions = catalog.Inherit(institutions)
	for i := range institutions {
		f.Institutions[institutions[i].ID] = &institutions[i]
	}
	f.follow(institutions)
	for i := range licences {
		f.Licences[licences[i].ID] = &licences[i]
	}
	for i := range sources {
		f.Sources[sources[i].ID] = &sources[i]
	}
	return f
}

// SawName counts a folded name of a visible entry of a type, so that equal names
// get a qualifier. All names must be seen before the first row is scored.
func (f *Frame) SawName(kind catalog.EntryType, folded string) {
	h := hash64(folded)
	f.names[h] = f.names[h].add(kind)
}

// sightings are whether one or more visible entries have a name (the two lowest
// bits), and of which types they are (a bit each); there is one for each name of a
// register.
type sightings uint8

var kindBits = map[catalog.EntryType]sightings{catalog.TypeAPI: 4, catalog.TypeDataset: 8, catalog.TypeMCPServer: 16}

func (n sightings) add(kind catalog.EntryType) sightings {
	if n&1 != 0 {
		n |= 2
	}
	return n | 1 | kindBits[kind]
}

func (n sightings) several() bool { return n&2 != 0 }

// mixed tells that entries of several types have the name.
func (n sightings) mixed() bool { return bits.OnesCount8(uint8(n&^3)) > 1 }

// Sighting is a hash of what the others of a frame say of an entry, whose folded name has a
// hash: whether several visible entries have it, of several types, and what tells it from
// them. With it what an entry shows may change though its rows do not.
func (f *Frame) Sighting(name uint64, id string) uint64 {
	b := []byte{byte(f.names[name]) &^ 1}
	for _, t := range f.told[id] {
		b = append(append(b, 0), t...)
	}
	return hash64(string(b))
}

// NameHash is the hash by which a frame knows a folded name.
func NameHash(folded string) uint64 { return hash64(folded) }

// hash64 is FNV-1a; a rare collision only adds a qualifier that is not needed.
func hash64(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// Scored is one visible entry with everything the register says about it.
type Scored struct {
	// Site is whose register shows it.
	Site        Site
	Row         *catalog.Row
	Result      score.Result
	Institution *catalog.Institution
	Licence     *catalog.Licence
	Source      *catalog.Source
	// Qualifier tells equal names apart, "" when the name is unique.
	Qualifier string
	Day       time.Time
	// ChangedAt is the latest change among the data shown (decisions §2), SettledAt the
	// same without the checks that changed no verdict.
	ChangedAt, SettledAt time.Time
	// CheckedAt is the time of the last check, which may be later than what is shown.
	CheckedAt time.Time
}

// Entry is the entry with overrides laid over it.
func (s *Scored) Entry() *catalog.Entry { return &s.Row.Entry }

// follow lets the ids of institutions that were merged lead to those that they
// turned out to be.
func (f *Frame) follow(institutions []catalog.Institution) {
	heirs := catalog.Heirs(institutions)
	f.MergedBodies = map[string]string{}
	for i := range institutions {
		if heir := heirs[institutions[i].ID]; heir != nil {
			f.MergedBodies[institutions[i].ID] = heir.ID
			if key := institutions[i].Key; key != "" {
				f.MergedBodies[key] = heir.ID
			}
		}
	}
	maps.Copy(f.Institutions, heirs)
}

// Score judges a row of the frame.
func (f *Frame) Score(row *catalog.Row, foldedName string) *Scored {
	if inst := f.Institutions[row.Entry.InstitutionID]; inst != nil && inst.ID != row.Entry.InstitutionID {
		moved := *row
		moved.Entry.InstitutionID = inst.ID
		row = &moved
	}
	checked := time.Time{}
	if row.State != nil {
		checked = row.State.LastCheckedAt
	}
	row = Calm(row)
	e := &row.Entry
	s := &Scored{Site: f.Site, Row: row, CheckedAt: checked, Day: f.Day, Institution: f.Institutions[e.InstitutionID],
		Licence: f.Licences[e.LicenseID], Source: f.Sources[e.SourceID]}
	s.Result = score.Of(&score.Input{Row: row, Institution: s.Institution, Licence: s.Licence, Source: s.Source, Day: f.Day})
	if n := f.names[hash64(foldedName)]; n.several() {
		parts := append([]string{qualifier(e, s.Institution, n.mixed())}, f.told[e.ID]...)
		s.Qualifier = strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " · ")
	}
	s.SettledAt = settledAt(s)
	s.ChangedAt = changedAt(s)
	return s
}

// kindNames are the types in words.
var kindNames = map[catalog.EntryType]string{catalog.TypeAPI: "API", catalog.TypeDataset: "dataset", catalog.TypeMCPServer: "MCP server"}

// qualifier tells an entry from others of its name: by who is behind it, by the
// period that it is about, by its version, and by its type where the others have
// another one.
func qualifier(e *catalog.Entry, by *catalog.Institution, byKind bool) string {
	parts := []string{origin(e, by)}
	if p := series.Of(e).Years(); !p.IsZero() {
		parts = append(parts, p.String())
	}
	if e.Dataset != nil && e.Dataset.Version != "" {
		parts = append(parts, "version "+e.Dataset.Version)
	}
	if byKind {
		parts = append(parts, kindNames[e.Type])
	}
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	return strings.Join(parts, " · ")
}

// origin is the institution, else the publisher, the country or the host.
func origin(e *catalog.Entry, by *catalog.Institution) string {
	switch {
	case by != nil && by.Unnamed():
	case by != nil && by.NameEn != "":
		return by.NameEn
	case by != nil:
		return by.Name
	case e.PublisherName != "":
		return e.PublisherName
	case e.CountryCode != "":
		return e.CountryCode
	}
	return catalog.Host(e.PrimarySourceURL)
}
