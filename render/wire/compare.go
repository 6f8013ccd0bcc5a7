package wire

import (
	"bytes"
	"time"

	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
)

// Bounds of a comparison (decisions §6).
const (
	CompareMin = 2
	CompareMax = 10
)

// AskedOutcome says where a name that a reader asked for leads.
type AskedOutcome string

// Outcomes of a name. A moved one is a former slug, a merged one a duplicate
// that became part of the entry.
const (
	AskedFound   AskedOutcome = "found"
	AskedMoved   AskedOutcome = "moved"
	AskedMerged  AskedOutcome = "merged"
	AskedRemoved AskedOutcome = "removed"
	AskedUnknown AskedOutcome = "unknown"
)

// AskedOutcomes lists the closed vocabulary.
func AskedOutcomes() []AskedOutcome {
	return []AskedOutcome{AskedFound, AskedMoved, AskedMerged, AskedRemoved, AskedUnknown}
}

// Asked is one name of a comparison and the entry that it leads to. Successor
// is the entry that took a removed one's place.
type Asked struct {
	Name      string       `json:"name"`
	Outcome   AskedOutcome `json:"outcome"`
	EntryID   *string      `json:"entry_id"`
	Successor *string      `json:"successor"`
}

// CompareHead are the members that both forms of a comparison share. NotFound
// are the names that lead to no visible entry.
type CompareHead struct {
	Asked    []Asked  `json:"asked"`
	NotFound []string `json:"not_found"`
	Snapshot string   `json:"snapshot"`
}

// Comparison is the documented shape of compare without its manifest;
// EncodeComparison writes it from rendered items.
type Comparison struct {
	Items []Item `json:"items"`
	CompareHead
}

// EncodeComparison writes the list items of the entries, each once, in the
// order asked for.
func EncodeComparison(c *snapshot.Catalog, lines []*snapshot.Line, head CompareHead, changed time.Time) ([]byte, error) {
	var items bytes.Buffer
	items.WriteString(`{"items":[`)
	for i, l := range lines {
		if i > 0 {
			items.WriteByte(',')
		}
		b, err := c.ReadItem(l)
		if err != nil {
			return nil, err
		}
		items.Write(b)
	}
	items.WriteString(`]}`)
	tail, err := jsonx.Marshal(&head)
	if err != nil {
		return nil, err
	}
	return SealBytes(jsonx.Join(items.Bytes(), tail), changed, true)
}
