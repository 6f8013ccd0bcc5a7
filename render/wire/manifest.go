package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/jsonx"
)

// Manifest lets anyone check an answer (specification, "Response manifest").
// All its members are stamped, so the hash covers the body without it.
type Manifest struct {
	AnswerSHA256     string   `json:"answer_sha256"`
	AnswerSHA256Rule string   `json:"answer_sha256_rule"`
	StampedKeys      []string `json:"stamped_keys"`
	RowCount         int      `json:"row_count"`
	RowCountBasis    string   `json:"row_count_basis"`
	Live             bool     `json:"live"`
	LiveBasis        string   `json:"live_basis"`
	CreatedAt        string   `json:"created_at"`
	CreatedAtBasis   string   `json:"created_at_basis"`
	DurableCitation  string   `json:"durable_citation"`
}

var stampedKeys = []string{"answer_sha256", "answer_sha256_rule", "stamped_keys", "row_count", "row_count_basis",
	"live", "live_basis", "created_at", "created_at_basis", "durable_citation"}

// Texts of the manifest.
const (
	HashRule = "Lower-case hex SHA-256 of the compact UTF-8 JSON of this body, members in their order, after deleting " +
		"from manifest the keys named in stamped_keys, and deleting manifest itself if it is then empty."
	rowCountBasis   = "objects that are elements of any JSON array in the body, manifest excluded"
	liveStatic      = "a static page, replayed from storage"
	liveDynamic     = "assembled for this request from the snapshot that Assay-Snapshot names"
	createdBasis    = "the latest change among the data shown, so that unchanged data keeps its bytes"
	citationPointer = "not stored; GET /api/v1/entries/{id-or-slug}/evidence stores a durable citation"
)

// Seal encodes a body and appends its manifest as the last member.
func Seal(v any, changed time.Time, live bool) ([]byte, error) {
	body, err := jsonx.Marshal(v)
	if err != nil {
		return nil, err
	}
	return SealBytes(body, changed, live)
}

// SealBytes appends the manifest to an encoded object.
func SealBytes(body []byte, changed time.Time, live bool) ([]byte, error) {
	sum := sha256.Sum256(body)
	t := &staticManifest
	if live {
		t = &liveManifest
	}
	out := make([]byte, 0, len(body)+t.size)
	if len(body) > 2 {
		out = append(append(out, body[:len(body)-1]...), ',')
	} else {
		out = append(out, '{')
	}
	out = hex.AppendEncode(append(out, t.parts[0]...), sum[:])
	out = strconv.AppendInt(append(out, t.parts[1]...), int64(jsonx.Elements(body)), 10)
	out = changed.UTC().AppendFormat(append(out, t.parts[2]...), time.RFC3339)
	return append(out, t.parts[3]...), nil
}

// manifestTemplate is an encoded manifest, without its first brace, cut where
// hash, row count and time go: every page ends in one, and only these differ.
type manifestTemplate struct {
	parts [4]string
	size  int
}

var staticManifest, liveManifest = newTemplate(false, liveStatic), newTemplate(true, liveDynamic)

func newTemplate(live bool, basis string) manifestTemplate {
	const hash, rows, created = "@hash", 987654321, "@created"
	b, err := jsonx.Marshal(struct {
		Manifest Manifest `json:"manifest"`
	}{Manifest{
		AnswerSHA256: hash, AnswerSHA256Rule: HashRule, StampedKeys: stampedKeys, RowCount: rows, RowCountBasis: rowCountBasis,
		Live: live, LiveBasis: basis, CreatedAt: created, CreatedAtBasis: createdBasis, DurableCitation: citationPointer,
	}})
	if err != nil {
		panic(err) // the manifest holds text and numbers only
	}
	var t manifestTemplate
	rest := string(b[1:])
	for i, mark := range []string{hash, strconv.Itoa(rows), created} {
		t.parts[i], rest, _ = strings.Cut(rest, mark)
	}
	t.parts[3], t.size = rest, len(b)+sha256.Size*2+len(time.RFC3339)
	return t
}
