package catalog

import "strings"

// BlockingKeys are the keys by which an entry is compared with those of other
// catalogues: its type and address, and its type and folded name, each as the
// match key has it. One that says nothing is left out.
func BlockingKeys(e *Entry) []string {
	kind, last := string(e.Type)+"|", strings.LastIndexByte(e.MatchKey, '|')
	if last < len(kind) || !strings.HasPrefix(e.MatchKey, kind) {
		return nil
	}
	var keys []string
	if last > len(kind) {
		keys = append(keys, "at|"+e.MatchKey[:last])
	}
	if name := e.MatchKey[last+1:]; name != "" {
		keys = append(keys, "called|"+kind+name)
	}
	return keys
}

// Proposed is the key by which the entries are found that may be duplicates.
const Proposed = "relation|" + string(RelationDuplicate)

// The actions of moderators, in the log of what people changed, by which two entries
// are known to be two: the subject is one of them, the details name the other, as "of"
// (with "same": false) or, where a merger was taken back, as "from".
const (
	ActionDecideDuplicate = "decideDuplicate"
	ActionUnmerge         = "unmergeEntry"
)

// MayBe are the ids of the entries of which an entry may be a duplicate.
func (e *Entry) MayBe() (ids []string) {
	for _, r := range e.Relations {
		if r.Kind == RelationDuplicate {
			ids = append(ids, r.EntryID)
		}
	}
	return ids
}

// Propose notes that the entry may be the same as another one. It tells whether
// that is new.
func (e *Entry) Propose(other *Entry) bool {
	for _, id := range e.MayBe() {
		if id == other.ID {
			return false
		}
	}
	e.Relations = append(e.Relations[:len(e.Relations):len(e.Relations)], Relation{Kind: RelationDuplicate, EntryID: other.ID, Ref: other.UpstreamRef, Title: other.Name})
	return true
}

// Distinguish takes back that the entry may be the same as another one. It
// tells whether that was proposed.
func (e *Entry) Distinguish(id string) bool {
	var kept []Relation
	for _, r := range e.Relations {
		if r.Kind != RelationDuplicate || r.EntryID != id {
			kept = append(kept, r)
		}
	}
	found := len(kept) < len(e.Relations)
	e.Relations = kept
	return found
}
