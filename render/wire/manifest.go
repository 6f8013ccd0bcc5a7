package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"slices"
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
	body, rows, err := jsonx.AppendRows(nil, v)
	if err != nil {
		return nil, err
	}
	return appendManifest(body, sha256.Sum256(body), rows, changed, live), nil
}

// SealBytes appends the manifest to an encoded object, in its room if that is
// large enough.
func SealBytes(body []byte, changed time.Time, live bool) ([]byte, error) {
	return appendManifest(body, sha256.Sum256(body), jsonx.Elements(body), changed, live), nil
}

// Sealed is a page with the hash of its bytes and the one that its manifest
// names.
type Sealed struct {
	Body        []byte
	Sum, Answer [sha256.Size]byte
}

// SealIn is Seal for a static page that is written into an empty slice.
func SealIn(room []byte, v any, changed time.Time) (Sealed, error) {
	body, rows, err := jsonx.AppendRows(room, v)
	if err != nil {
		return Sealed{}, err
	}
	return sealed(body, rows, changed), nil
}

// sealed appends the manifest of a static page. Page and answer begin with the
// same bytes, which are hashed once.
func sealed(body []byte, rows int, changed time.Time) (p Sealed) {
	common := len(body) - 1
	page := sha256.New()
	page.Write(body[:common])
	answer, err := page.(hash.Cloner).Clone()
	if err != nil {
		panic(err) // SHA-256 can be cloned
	}
	answer.Write(body[common:])
	answer.Sum(p.Answer[:0])
	p.Body = appendManifest(body, p.Answer, rows, changed, false)
	page.Write(p.Body[common:])
	page.Sum(p.Sum[:0])
	return p
}

// appendManifest puts the manifest before the brace that ends the body.
func appendManifest(body []byte, answer [sha256.Size]byte, rows int, changed time.Time, live bool) []byte {
	t := &staticManifest
	if live {
		t = &liveManifest
	}
	out := slices.Grow(body, t.size)[:len(body)-1]
	if len(out) > 1 {
		out = append(out, ',')
	}
	out = hex.AppendEncode(append(out, t.parts[0]...), answer[:])
	out = strconv.AppendInt(append(out, t.parts[1]...), int64(rows), 10)
	out = changed.UTC().AppendFormat(append(out, t.parts[2]...), time.RFC3339)
	return append(out, t.parts[3]...)
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
