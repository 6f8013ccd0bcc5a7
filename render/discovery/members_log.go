package discovery

// logMembers are those of proofs of the log of verdicts.
var logMembers = map[string]string{
	"Inclusion.checkpoint":          "The signed note with the size and root of the tree in which the leaf is proven (C2SP tlog-checkpoint).",
	"Inclusion.index":               "Number of the leaf, counted from 0.",
	"Inclusion.leaf":                "The leaf, to the byte: its hash is that of RFC 6962 over these bytes.",
	"Inclusion.path":                "The hashes beside the way from the leaf to the root, base64, lowest first (RFC 6962, section 2.1.1).",
	"PublishedRecord.bytes":         "Size of the record as it came.",
	"PublishedRecord.media_type":    "Media type of the record.",
	"PublishedRecord.observed_at":   "When a harvest first saw it.",
	"PublishedRecord.reason":        "Why the record is not shown, null if it is.",
	"PublishedRecord.record":        "The record, a text; null where it is not shown.",
	"PublishedRecord.sha256":        "SHA-256 of the bytes as they came.",
	"PublishedRecord.shown_sha256":  "SHA-256 of the bytes that are shown, null where none are.",
	"PublishedRecord.source_id":     "The source that published it.",
	"PublishedRecord.superseded_at": "When another record took its place, null for the present one.",
	"PublishedRecord.withheld":      "How many values are withheld by the rule.",
	"PublishedRecords.records":      "The records, the present ones first.",
	"PublishedRecords.rule":         "What is withheld of them.",
	"Rule.members":                  "Names of JSON members, XML elements, columns and keys of YAML whose value is withheld; compared in lower case, letters and digits only, without what stands before a colon.",
	"Rule.text":                     "What is withheld in any text, a regular expression (RE2).",
	"Rule.version":                  "Version of the rule.",
	"Rule.withheld":                 "What stands in place of a withheld value.",
	"Proof.entry":                   "Id of the entry that the leaves are about.",
	"Proof.leaves":                  "The leaves, oldest first, each with what proves it.",
}
