package wire

import (
	"crypto/sha256"
	"encoding/hex"
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
	m := Manifest{
		AnswerSHA256: hex.EncodeToString(sum[:]), AnswerSHA256Rule: HashRule, StampedKeys: stampedKeys,
		RowCount: jsonx.Elements(body), RowCountBasis: rowCountBasis, Live: live, LiveBasis: liveStatic,
		CreatedAt: changed.UTC().Format(time.RFC3339), CreatedAtBasis: createdBasis, DurableCitation: citationPointer,
	}
	if live {
		m.LiveBasis = liveDynamic
	}
	tail, err := jsonx.Marshal(struct {
		Manifest Manifest `json:"manifest"`
	}{m})
	if err != nil {
		return nil, err
	}
	return jsonx.Join(body, tail), nil
}
