package catalog

import (
	"encoding/json"
	"strings"
	"time"
)

// ContractForm names the form in which versions of contracts are kept among the
// evidence of an entry.
const ContractForm = "assay.contract/1"

// ContractVersion is what a client of a source depends on since some time, and how
// it differs from the version before.
type ContractVersion struct {
	// Version counts from one.
	Version int `json:"version"`
	// Kind is openapi, data, ogc, mcp, sdmx or odata.
	Kind string `json:"kind"`
	// Source is the address that was read.
	Source string `json:"source"`
	// Severity is breaking or compatible, empty of the first version.
	Severity string           `json:"severity,omitempty"`
	Changes  []ContractChange `json:"changes,omitempty"`
	// SHA256 is the hash of the evidence that holds the whole contract.
	SHA256 string `json:"sha256,omitempty"`
	// At is when it was seen first.
	At time.Time `json:"at,omitzero"`
}

// ContractChange is one difference between two versions.
type ContractChange struct {
	// Severity is breaking or compatible.
	Severity string `json:"severity"`
	// Kind is the rule by which it was judged: "tool.removed".
	Kind string `json:"kind"`
	// Field is the part that changed.
	Field string `json:"field,omitempty"`
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"`
	// Text says it in a sentence, where the rule does not.
	Text string `json:"text,omitempty"`
}

// ContractVersionOf is the version of a contract that evidence holds, without the
// contract itself; false for other evidence.
func ContractVersionOf(e *Evidence) (ContractVersion, bool) {
	var v ContractVersion
	if !strings.HasPrefix(string(e.Body[:min(len(e.Body), 64)]), `{"manifest":"`+ContractForm+`"`) || json.Unmarshal(e.Body, &v) != nil || v.Version < 1 {
		return v, false
	}
	v.SHA256, v.At = e.SHA256, e.CreatedAt
	return v, true
}
