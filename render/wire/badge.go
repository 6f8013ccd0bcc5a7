package wire

// BadgeEndpoint is a badge as a value that shields.io draws in its own style
// (shields.io, "Endpoint Badge"; it rejects any other member).
type BadgeEndpoint struct {
	SchemaVersion int    `json:"schemaVersion"`
	Label         string `json:"label"`
	Message       string `json:"message"`
	Color         string `json:"color"`
	LabelColor    string `json:"labelColor"`
	IsError       bool   `json:"isError,omitempty"`
	// CacheSeconds is how long shields.io may keep the answer.
	CacheSeconds int `json:"cacheSeconds"`
}
