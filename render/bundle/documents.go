package bundle

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// TreeRule says what the tree of wire.DocumentTree is made of.
const TreeRule = "root of a Merkle tree (RFC 6962 section 2.1, SHA-256) with a leaf for each entry, in the order of routes.ndjson: a line for each of " +
	"its documents /api/v1/entries/ID, ID/checks, ID/provenance, ID/quality-score that there is: the route, a space, the document's lower-case hex SHA-256, a line feed"

// TreeFile is the part of a snapshot file with the hashes of the leaves, 32 bytes each.
const TreeFile = "documents.tree"

// entryRoutes is what the routes of entries begin with, uuidLength how long their ids are.
const (
	entryRoutes = "/api/v1/entries/"
	uuidLength  = 36
)

// bound are the documents of a leaf by what follows the entry's own route, in their order.
var bound = [...]string{"", "/checks", "/provenance", "/quality-score"}

// Tree sums up the documents of entries as they come in the order of routes.ndjson. It keeps
// a hash for each level only.
type Tree struct {
	// Each, if there is one, gets the hash of each leaf.
	Each func(tlog.Hash)
	// Rules is the SHA-256 of the rules as data, nil until they came.
	Rules []byte

	id     string
	sums   [len(bound)]string
	count  int64
	levels []tlog.Hash
}

// Add takes a document with its SHA-256; one that is bound otherwise is passed over.
func (t *Tree) Add(route string, sum []byte) {
	if route == wire.RouteRules {
		t.Rules = slices.Clone(sum)
	}
	rest, ok := strings.CutPrefix(route, entryRoutes)
	if !ok || len(rest) < uuidLength {
		return
	}
	n := slices.Index(bound[:], rest[uuidLength:])
	if n < 0 || strings.Contains(rest[:uuidLength], "/") {
		return
	}
	if id := rest[:uuidLength]; id != t.id {
		t.leaf()
		t.id = id
	}
	t.sums[n] = hex.EncodeToString(sum)
}

// leaf ends the leaf of the entry whose documents came last.
func (t *Tree) leaf() {
	if t.id == "" {
		return
	}
	h := tlog.RecordHash(leafText(linesOf(t.id, t.sums)))
	t.id, t.sums = "", [len(bound)]string{}
	if t.Each != nil {
		t.Each(h)
	}
	for n := t.count; n&1 == 1; n >>= 1 {
		last := len(t.levels) - 1
		h, t.levels = tlog.NodeHash(t.levels[last], h), t.levels[:last]
	}
	t.levels, t.count = append(t.levels, h), t.count+1
}

// Sum ends the tree; nil for one without a leaf.
func (t *Tree) Sum() *wire.DocumentTree {
	t.leaf()
	if t.count == 0 {
		return nil
	}
	root := fold(t.levels)
	return &wire.DocumentTree{Leaves: t.count, Root: hex.EncodeToString(root[:]), Rule: TreeRule}
}

// fold is the root of whole trees that stand side by side.
func fold(levels []tlog.Hash) tlog.Hash {
	root := levels[len(levels)-1]
	for i := len(levels) - 2; i >= 0; i-- {
		root = tlog.NodeHash(levels[i], root)
	}
	return root
}

// Documents proves the documents of an entry below the root that the snapshot names.
type Documents struct {
	Documents []Sum `json:"documents"`
	// Index is the number of the entry's leaf, Path are the hashes beside the way to the root, base64,
	// lowest first.
	Index int64    `json:"index"`
	Path  []string `json:"path"`
}

// Sum is a document with its SHA-256 in hex.
type Sum struct {
	Route  string `json:"route"`
	SHA256 string `json:"sha256"`
}

func linesOf(id string, sums [len(bound)]string) (lines []Sum) {
	for i, sum := range sums {
		if sum != "" {
			lines = append(lines, Sum{entryRoutes + id + bound[i], sum})
		}
	}
	return lines
}

func leafText(lines []Sum) []byte {
	var b []byte
	for _, l := range lines {
		b = append(append(append(append(b, l.Route...), ' '), l.SHA256...), '\n')
	}
	return b
}

// documents adds the proof of the entry's documents, where the snapshot binds them.
func (m *Manifest) documents(read func(route string) ([]byte, error)) error {
	hashes, err := read(snapshot.PartRoute(TreeFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a snapshot of a release before
	}
	if err != nil {
		return err
	}
	var sums [len(bound)]string
	for i := range m.Files {
		f := &m.Files[i]
		if n := slices.Index(bound[:], strings.TrimPrefix(f.Route, entryRoutes+m.EntryID)); n >= 0 {
			sum := sha256.Sum256(f.Body)
			sums[n] = hex.EncodeToString(sum[:])
		}
	}
	d := Documents{Documents: linesOf(m.EntryID, sums), Path: []string{}}
	own, leaves := tlog.RecordHash(leafText(d.Documents)), make([]tlog.Hash, 0, len(hashes)/tlog.HashSize)
	for ; len(hashes) >= tlog.HashSize; hashes = hashes[tlog.HashSize:] {
		leaves = append(leaves, tlog.Hash(hashes[:tlog.HashSize]))
	}
	n := slices.Index(leaves, own)
	if n < 0 {
		return fmt.Errorf("the snapshot does not bind the documents of entry %s: build it anew (assay build --full)", m.EntryID)
	}
	d.Index = int64(n)
	for _, h := range path(leaves, n) {
		d.Path = append(d.Path, base64.StdEncoding.EncodeToString(h[:]))
	}
	return m.add(DocumentsFile, d)
}

// path is the audit path of a leaf, lowest first (RFC 6962, section 2.1.1).
func path(leaves []tlog.Hash, n int) []tlog.Hash {
	if len(leaves) == 1 {
		return nil
	}
	half := 1
	for half*2 < len(leaves) {
		half *= 2
	}
	if n < half {
		return append(path(leaves[:half], n), rootOf(leaves[half:]))
	}
	return append(path(leaves[half:], n-half), rootOf(leaves[:half]))
}

func rootOf(leaves []tlog.Hash) tlog.Hash {
	level := slices.Clone(leaves)
	for len(level) > 1 {
		next := level[:0]
		for i := 0; i < len(level); i += 2 {
			if i+1 == len(level) {
				next = append(next, level[i])
			} else {
				next = append(next, tlog.NodeHash(level[i], level[i+1]))
			}
		}
		level = next
	}
	return level[0]
}

// holdDocuments holds the documents of a bundle to the snapshot that it names, which binds them.
// False says that the snapshot is of a release that did not bind them.
func (m *Manifest) holdDocuments(page *wire.SnapshotPage) (bool, error) {
	if page.EntryDocuments == nil {
		return false, nil
	}
	var d Documents
	if err := exact(m, DocumentsFile, &d); err != nil {
		return false, err
	}
	root, err := hex.DecodeString(page.EntryDocuments.Root)
	if err != nil || len(root) != tlog.HashSize {
		return false, fmt.Errorf("%s names no root of the documents", SnapshotFile)
	}
	proof, err := decodePath(d.Path)
	if err == nil {
		err = tlog.CheckRecord(proof, page.EntryDocuments.Leaves, tlog.Hash(root), d.Index, tlog.RecordHash(leafText(d.Documents)))
	}
	if err != nil {
		return false, fmt.Errorf("%s does not lead to the root of the documents that %s names: one of them was changed", DocumentsFile, SnapshotFile)
	}
	for i := range m.Files {
		f := &m.Files[i]
		want := page.RulesSHA256
		if strings.HasPrefix(f.Route, entryRoutes) {
			at := slices.IndexFunc(d.Documents, func(s Sum) bool { return s.Route == f.Route })
			if at < 0 {
				if slices.Contains(bound[:], strings.TrimPrefix(f.Route, entryRoutes+m.EntryID)) {
					return false, fmt.Errorf("%s is not among the documents of %s that the snapshot binds", f.Name, m.EntryID)
				}
				continue // the record is not of the snapshot
			}
			want = d.Documents[at].SHA256
		} else if f.Route != wire.RouteRules {
			continue
		}
		if f.SHA256 != want {
			return false, fmt.Errorf("%s has other bytes than the snapshot binds: it was changed", f.Name)
		}
	}
	return true, nil
}

func decodePath(texts []string) (tlog.RecordProof, error) {
	proof := make(tlog.RecordProof, len(texts))
	for i, s := range texts {
		b, err := base64.StdEncoding.Strict().DecodeString(s)
		if err != nil || len(b) != tlog.HashSize {
			return nil, fmt.Errorf("hash %d of the path is none", i)
		}
		proof[i] = tlog.Hash(b)
	}
	return proof, nil
}
