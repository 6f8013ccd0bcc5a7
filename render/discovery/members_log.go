package discovery

// logMembers are those of proofs of the log of verdicts.
var logMembers = map[string]string{
	"Inclusion.checkpoint": "The signed note with the size and root of the tree in which the leaf is proven (C2SP tlog-checkpoint).",
	"Inclusion.index":      "Number of the leaf, counted from 0.",
	"Inclusion.leaf":       "The leaf, to the byte: its hash is that of RFC 6962 over these bytes.",
	"Inclusion.path":       "The hashes beside the way from the leaf to the root, base64, lowest first (RFC 6962, section 2.1.1).",
	"Proof.entry":          "Id of the entry that the leaves are about.",
	"Proof.leaves":         "The leaves, oldest first, each with what proves it.",
}
