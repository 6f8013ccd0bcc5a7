package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/recompute"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
)

// Verdict tells what a bundle shows.
type Verdict struct {
	EntryID, Name, Snapshot string
	// MQA and the others are the scores as they were recomputed.
	Scores recompute.Result
	// Leaves are how many leaves of the log were proven, Size of how many, Keys the keys of
	// the log, the newest last; 0 where the bundle has no log.
	Leaves int
	Size   int64
	Keys   []string
	// Bound tells that the head of the snapshot binds each document about the entry, and the rules.
	Bound bool
	// Open names what the bundle does not show.
	Open []string
}

// Verify holds a bundle to what can be proven of it offline: the answer hash of the page, its
// scores, and what the log says. The keys are those that the reader trusts; without any, those that the
// bundle itself names count, and that is told in Open.
func Verify(b []byte, keys ...note.Verifier) (*Verdict, error) {
	m, err := Read(b)
	if err != nil {
		return nil, err
	}
	v := &Verdict{EntryID: m.EntryID, Snapshot: m.Snapshot}
	page, err := m.snapshot()
	if err != nil {
		return nil, err
	}
	if v.Bound, err = m.holdDocuments(page); err != nil {
		return nil, err
	}
	if !v.Bound {
		v.Open = append(v.Open, "that the page is in the snapshot, which is of a release that did not bind it: take routes.ndjson, whose sum is signed, to see that")
	}
	var entry, quality, checks recompute.Object
	for name, to := range map[string]*recompute.Object{EntryFile: &entry, QualityFile: &quality, ChecksFile: &checks} {
		if err := sealed(m.Body(name), to); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if entry["id"] != m.EntryID || quality["entry_id"] != m.EntryID {
		return nil, fmt.Errorf("%w: its documents are of several entries", errBundle)
	}
	v.Name, _ = entry["name"].(string)
	if err := v.scores(m, entry, quality, checks); err != nil {
		return nil, err
	}
	if err := v.log(m, entry, keys); err != nil {
		return nil, err
	}
	if err := v.record(m); err != nil {
		return nil, err
	}
	return v, nil
}

// snapshot reads the head of the snapshot, of which the manifest must not say otherwise.
func (m *Manifest) snapshot() (*wire.SnapshotPage, error) {
	var page wire.SnapshotPage
	if err := json.Unmarshal(m.Body(SnapshotFile), &page); err != nil {
		return nil, fmt.Errorf("%s is missing or no JSON: %w", SnapshotFile, err)
	}
	if page.Snapshot != m.Snapshot {
		return nil, fmt.Errorf("%s names the snapshot %.100q, %s the snapshot %.100q", ManifestFile, m.Snapshot, SnapshotFile, page.Snapshot)
	}
	if strings.TrimSuffix(page.BaseURL, "/") != m.BaseURL {
		return nil, fmt.Errorf("%s is of the register %.200q, %s of %.200q", ManifestFile, m.BaseURL, SnapshotFile, page.BaseURL)
	}
	return &page, nil
}

// exact reads a file that was made for the bundle, or for the log: it has no more than is read of it, so that
// nothing in it goes unproven.
func exact(m *Manifest, name string, to any) error {
	body := m.Body(name)
	if body == nil {
		return fmt.Errorf("%s is missing", name)
	}
	if len(body) > translog.ProofMax {
		return fmt.Errorf("%s has more than %d bytes", name, translog.ProofMax)
	}
	if err := json.Unmarshal(body, to); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if again, err := jsonx.Marshal(to); err != nil || string(again)+"\n" != string(body) {
		return fmt.Errorf("%s has more than a proof says, or says it otherwise: it was changed", name)
	}
	return nil
}

// proof reads a proof of the log, which is about what it ought to be.
func (m *Manifest) proof(name, about string) (*translog.Proof, error) {
	var p translog.Proof
	if err := exact(m, name, &p); err != nil {
		return nil, err
	}
	if p.Entry != about {
		return nil, fmt.Errorf("%s is about %.100q, not %s", name, p.Entry, about)
	}
	return &p, nil
}

// sealed reads a document and holds it to the hash that its manifest names.
func sealed(body []byte, to *recompute.Object) error {
	if body == nil {
		return errors.New("is missing")
	}
	if err := json.Unmarshal(body, to); err != nil {
		return err
	}
	if !wire.HasItsHash(body) {
		return errors.New("the answer does not have the hash that its manifest names: it was changed")
	}
	return nil
}

// scores recomputes what the page and the scores say.
func (v *Verdict) scores(m *Manifest, entry, quality, checks recompute.Object) (err error) {
	var rules wire.Rules
	if err := json.Unmarshal(m.Body(RulesFile), &rules); err != nil {
		return fmt.Errorf("%s is missing or no JSON: %w", RulesFile, err)
	}
	v.Scores, err = recompute.Check(&rules, entry, quality, checks)
	return err
}

// log proves what the log says of the entry, and holds the page to it.
func (v *Verdict) log(m *Manifest, entry recompute.Object, keys []note.Verifier) error {
	if m.Body(ProofFile) == nil && m.Body(HeadFile) == nil && m.Body(KeysFile) == nil {
		if len(keys) > 0 {
			return fmt.Errorf("the bundle has no %s: the key that you name signed nothing of it", ProofFile)
		}
		v.Open = append(v.Open, "the register keeps no log of verdicts, so nothing shows that it says the same to others")
		return nil
	}
	chain, err := m.proof(KeysFile, translog.KindKey)
	if err != nil {
		return err
	}
	if v.Keys, err = translog.Chain(chain); err != nil {
		return fmt.Errorf("%s: %w", KeysFile, err)
	}
	if len(keys) == 0 {
		v.Open = append(v.Open, "whether the key is the register's: compare it with one that you know")
		// A key that was followed by another one signs nothing alone.
		if keys, err = translog.Verifiers(v.Keys[len(v.Keys)-1]); err != nil {
			return fmt.Errorf("%s: %w", KeysFile, err)
		}
	}
	through, err := v.head(m, keys)
	if err != nil {
		return err
	}
	return v.leaves(m, entry, through, keys)
}

// head proves that the log names the snapshot, and how far it goes.
func (v *Verdict) head(m *Manifest, keys []note.Verifier) (through int64, err error) {
	head, err := m.proof(HeadFile, translog.KindHead)
	if err != nil {
		return 0, err
	}
	sum := sha256.Sum256(m.Body(SnapshotFile))
	for i := range head.Leaves {
		l, _, err := head.Leaves[i].Check(keys...)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", HeadFile, err)
		}
		if l.Type == translog.KindHead && l.Subject == m.Snapshot && l.Evidence == hex.EncodeToString(sum[:]) {
			return l.Event, nil
		}
	}
	return 0, fmt.Errorf("%s does not name the snapshot %.100s with the bytes of %s: one of them was changed", HeadFile, m.Snapshot, SnapshotFile)
}

// leaves proves what the log says of the entry, of which the page must not say otherwise.
func (v *Verdict) leaves(m *Manifest, entry recompute.Object, through int64, keys []note.Verifier) error {
	p, err := m.proof(ProofFile, m.EntryID)
	if err != nil {
		return err
	}
	said := map[string][]any{}
	for i := range p.Leaves {
		l, c, err := p.Leaves[i].Check(keys...)
		if err != nil {
			return fmt.Errorf("%s: %w", ProofFile, err)
		}
		if l.Entry != m.EntryID {
			return fmt.Errorf("%s: leaf %d is about another entry", ProofFile, p.Leaves[i].Index)
		}
		if i > 0 && p.Leaves[i].Index <= p.Leaves[i-1].Index {
			return fmt.Errorf("%s: leaf %d follows leaf %d", ProofFile, p.Leaves[i].Index, p.Leaves[i-1].Index)
		}
		v.Leaves, v.Size = v.Leaves+1, max(v.Size, c.N)
		for field, d := range l.Verdict {
			if l.Event <= through {
				said[field] = nil // said otherwise since
			}
			said[field] = append(said[field], d.To)
		}
	}
	if v.Leaves == 0 {
		return fmt.Errorf("%s: the log says nothing about the entry", ProofFile)
	}
	v.Open = append(v.Open, "that the log has no other leaf about the entry: assay check goes through all of it")
	// A page that changed since its snapshot says what a later leaf says.
	same := func(v any) bool { return v == entry["verification_state"] }
	if states := said["verification_state"]; len(states) > 0 && !slices.ContainsFunc(states, same) {
		return fmt.Errorf("the page says %v, the log %v", entry["verification_state"], states)
	}
	close := func(said any) bool {
		n, ok := said.(json.Number)
		f, err := n.Float64()
		return !ok || err != nil || math.Abs(f-v.Scores.MQA) < 1
	}
	if scores := said["mqa_score"]; len(scores) > 0 && !slices.ContainsFunc(scores, close) {
		return fmt.Errorf("mqa_score is %v, the log says %v", entry["mqa_score"], scores)
	}
	return nil
}

// record holds the record to its hashes.
func (v *Verdict) record(m *Manifest) error {
	body := m.Body(RecordFile)
	if body == nil {
		v.Open = append(v.Open, "what the source published: no record is kept")
		return nil
	}
	var records wire.PublishedRecords
	if err := json.NewDecoder(bytes.NewReader(body)).Decode(&records); err != nil {
		return fmt.Errorf("%s: %w", RecordFile, err)
	}
	for i := range records.Records {
		r := &records.Records[i]
		if r.Record == nil || r.ShownSHA256 == nil {
			continue
		}
		if sum := sha256.Sum256([]byte(*r.Record)); hex.EncodeToString(sum[:]) != *r.ShownSHA256 {
			return fmt.Errorf("%s: the record does not have its hash: it was changed", RecordFile)
		}
	}
	return nil
}
