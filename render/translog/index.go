package translog

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
)

// Files of a log that only its writer and its service read.
const (
	IndexFile       = "index"
	CheckpointsFile = "checkpoints.ndjson"
)

// Topic is what a leaf is about, shortened: the first half of a SHA-256.
type Topic [16]byte

// TopicOf is the topic of an id, or of a kind of leaves that are about no entry.
func TopicOf(id string) Topic {
	sum := sha256.Sum256([]byte(id))
	return Topic(sum[:16])
}

// IndexRow is the size of a row of the index: a topic and the number of a leaf, big-endian.
const IndexRow = 24

// Index finds the leaves about something in the index of a log.
type Index []byte

// Of returns the numbers of the leaves about a topic, ascending.
func (x Index) Of(t Topic) (list []int64) {
	for rest := x; len(rest) >= IndexRow; rest = rest[IndexRow:] {
		if bytes.Equal(rest[:16], t[:]) {
			list = append(list, int64(binary.BigEndian.Uint64(rest[16:])))
		}
	}
	return list
}

// Topics is the set of what leaves are about.
func (x Index) Topics() map[Topic]bool {
	all := make(map[Topic]bool, len(x)/IndexRow)
	for rest := x; len(rest) >= IndexRow; rest = rest[IndexRow:] {
		all[Topic(rest[:16])] = true
	}
	return all
}

// Fill sets, of each topic that is a key, the numbers of the leaves about it, in one pass.
func (x Index) Fill(topics map[Topic][]int64) {
	for rest := x; len(rest) >= IndexRow; rest = rest[IndexRow:] {
		t := Topic(rest[:16])
		if list, ok := topics[t]; ok {
			topics[t] = append(list, int64(binary.BigEndian.Uint64(rest[16:])))
		}
	}
}

// Signed is a line of the list of checkpoints.
type Signed struct {
	Size int64  `json:"size"`
	Note string `json:"note"`
}

// Checkpoints is the list of the checkpoints of a log, by size.
type Checkpoints []Signed

// ReadCheckpoints reads the list.
func ReadCheckpoints(b []byte) (list Checkpoints, err error) {
	for line := range bytes.Lines(b) {
		var c Signed
		if err := json.Unmarshal(line, &c); err != nil {
			return nil, fmt.Errorf("line %d of %s: %w", len(list)+1, CheckpointsFile, err)
		}
		list = append(list, c)
	}
	return list, nil
}

// First is the first checkpoint that has a leaf, nil for none.
func (c Checkpoints) First(index int64) *Signed {
	i, _ := slices.BinarySearchFunc(c, index, func(s Signed, n int64) int {
		if s.Size > n {
			return 1
		}
		return -1
	})
	if i == len(c) {
		return nil
	}
	return &c[i]
}
