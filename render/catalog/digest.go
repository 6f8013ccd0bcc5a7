package catalog

import "slices"

// ClaimsPerDigest bounds the claims that one digest follows.
const ClaimsPerDigest = 50

// Digest makes of a watch the digest of an owner: mail about what was claimed, at most one on a
// UTC day for each address, however many claims it has.
type Digest struct {
	// Claims are the ids of the claims, Institutions and Sources what they are about.
	Claims       []string `json:"claims"`
	Institutions []string `json:"institutions,omitempty"`
	Sources      []string `json:"sources,omitempty"`
	// Job is the mail that Told was worked out for: a second try says the same.
	Job  string   `json:"job,omitempty"`
	Told *Mending `json:"told,omitempty"`
	// Due tells that the mail of Job has something to say beside events.
	Due bool `json:"due,omitempty"`
}

// Mending is what an owner's entries lack, and what readers wait for, as one mail tells it.
type Mending struct {
	// Total counts the things to mend in Entries entries; Was is the number that the mail before
	// told, -1 in the first.
	Total   int `json:"total"`
	Entries int `json:"entries"`
	Was     int `json:"was"`
	// Sum stands for all of them: it is another one when one of them is.
	Sum string `json:"sum"`
	// Best are the first of them.
	Best []Mend `json:"best,omitempty"`
	// Reports counts the reports of readers that nobody decided on.
	Reports int `json:"reports,omitempty"`
}

// Mend is one thing to mend: the rule, what the entry is called, and the points of quality that
// mending it brings.
type Mend struct {
	Rule   string  `json:"rule"`
	Slug   string  `json:"slug"`
	Name   string  `json:"name"`
	Points float64 `json:"points"`
}

// DigestKinds are the events that an owner's digest tells of: what happens to an entry, not that
// its publisher changed it.
func DigestKinds() []EventKind {
	return []EventKind{EventCreated, EventVerified, EventFailing, EventStale, EventDeprecated, EventReactivated, EventRemoved, EventMerged, EventUnmerged, EventReopened, EventSchemaChanged}
}

// Take adds a claim that is proved.
func (d *Digest) Take(c *Claim) {
	if slices.Contains(d.Claims, c.ID) || len(d.Claims) >= ClaimsPerDigest {
		return
	}
	d.Claims = append(d.Claims, c.ID)
	list := &d.Institutions
	if c.Source {
		list = &d.Sources
	}
	if !slices.Contains(*list, c.SubjectID) {
		*list = append(*list, c.SubjectID)
	}
}

// Keep leaves only the claims of a list, and tells whether one is left.
func (d *Digest) Keep(claims []Claim) bool {
	d.Claims, d.Institutions, d.Sources = nil, nil, nil
	for i := range claims {
		d.Take(&claims[i])
	}
	return len(d.Claims) > 0
}

// Has tells that an entry is one of what was claimed.
func (d *Digest) Has(e *Entry) bool {
	return slices.Contains(d.Institutions, e.InstitutionID) || e.SourceID != "" && slices.Contains(d.Sources, e.SourceID)
}
