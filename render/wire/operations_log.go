package wire

import (
	"reflect"

	"github.com/assay-register/assay/render/translog"
)

// TagLog are the operations of the log of verdicts.
const TagLog = "log"

// LogProofParams are those of a proof of the log.
func LogProofParams() []Param {
	return []Param{{Name: "entry", In: "query", Kind: KindString, Required: true, Description: "Entry id or slug.", Example: exampleSlug}}
}

// logOperations prove what the register said, and that it did not take it back (decisions-2 §H).
func logOperations() []Operation {
	ops := []Operation{
		{ID: "getLogProof", Path: "/api/v1/log/proof", Summary: "Prove what the log says of an entry",
			Description: "Each leaf of the log of verdicts that is about the entry, to the byte, with the hashes that lead from it to the root of the present checkpoint, " +
				"which is signed: all that a client needs to verify it offline. 404 where the register keeps no log.",
			Params: LogProofParams(), Response: reflect.TypeFor[translog.Proof](), Media: MediaJSON, Cache: CacheShort, Problems: []int{404, 422}},
		{ID: "getLogEntry", Path: translog.Prefix + translog.EntryDir + "/{id}.json", Summary: "The same below the first checkpoints",
			Description: "Each leaf about the entry below the first checkpoint that has it, so that its proof never changes; the tiles prove later checkpoints.",
			Params:      []Param{{Name: "id", In: "path", Kind: KindString, Format: "uuid", Description: "Entry id.", Example: exampleID}},
			Response:    reflect.TypeFor[translog.Proof](), Media: MediaJSON, Cache: CacheRevalidate, Problems: []int{404}},
		{ID: "getLogCheckpoint", Path: translog.Prefix + translog.CheckpointFile, Summary: "The signed size and root of the log",
			Description: "A checkpoint (C2SP tlog-checkpoint) in a signed note. The tiles lie beside it (C2SP tlog-tiles): `/log/tile/…`.",
			Media:       MediaText, Cache: CacheRevalidate, Problems: []int{404}},
	}
	for i := range ops {
		ops[i].Tag = TagLog
	}
	return ops
}
