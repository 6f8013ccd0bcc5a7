package build

import (
	"encoding/binary"
	"encoding/json"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// claim is what an entry was judged by besides its own rows.
type claim struct {
	Institution, Licence, Source string
	// Refs is a hash of the rows of these three, Name one of the folded name, Seen what
	// others of the frame say of the entry.
	Refs, Name, Seen uint64
	// Day is the UTC day on which it was judged, Until the last one on which it would be judged the
	// same, in days since 1970; Stored is the last one of which the store has the scores.
	Day, Until, Stored int
	Scores             catalog.ScoreDay
	// Shown is a hash of those of its rows that pages show. The rest is of all of its checks, as of
	// the day: when the last one was, and what is counted of them (worked).
	Shown   uint64
	Checked int64
	Days    uint64
	Trace   verify.Retraced
}

// dayNumber counts the UTC days since 1970.
func dayNumber(day time.Time) int { return int(day.Unix() / (24 * 60 * 60)) }

// on are the scores of the entry, judged as it was, of another day.
func (c *claim) on(day time.Time) catalog.ScoreDay {
	d := c.Scores
	d.Day = day.Format(time.DateOnly)
	return d
}

// references remembers the hashes of the rows of the tables that entries are judged by.
type references struct{ institutions, licences, sources map[string]uint64 }

func newReferences(f *snapshot.Frame) (references, error) {
	var r references
	var err error
	if r.institutions, err = hashRows(f.Institutions); err != nil {
		return r, err
	}
	if r.licences, err = hashRows(f.Licences); err != nil {
		return r, err
	}
	r.sources, err = hashRows(f.Sources)
	return r, err
}

func hashRows[T any](rows map[string]*T) (map[string]uint64, error) {
	sums := make(map[string]uint64, len(rows))
	for id, row := range rows {
		b, err := json.Marshal(row)
		if err != nil {
			return nil, err
		}
		sums[id] = xxhash.Sum64(b)
	}
	return sums, nil
}

func (r *references) sum(c *claim) uint64 {
	var b []byte
	for _, n := range []uint64{r.institutions[c.Institution], r.licences[c.Licence], r.sources[c.Source]} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return xxhash.Sum64(b)
}

// claimOf is that of an entry, with the curators' edits laid over it.
func (r *references) claimOf(e *catalog.Entry, folded string, frame *snapshot.Frame) claim {
	day := dayNumber(frame.Day)
	c := claim{Institution: e.InstitutionID, Licence: e.LicenseID, Source: e.SourceID, Name: snapshot.NameHash(folded), Day: day, Until: day, Stored: day}
	c.Refs, c.Seen = r.sum(&c), frame.Sighting(c.Name, e.ID)
	return c
}

// never is a claim that no build finds to hold.
var never = claim{}

// hold tells whether an entry is judged by the same as when its claim was made.
func (r *references) hold(c *claim, id string, frame *snapshot.Frame) bool {
	day := dayNumber(frame.Day)
	return c.Day <= day && day <= c.Until && c.Refs == r.sum(c) && c.Seen == frame.Sighting(c.Name, id)
}
