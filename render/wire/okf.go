package wire

import "github.com/assay-register/assay/render/catalog"

// OKFSummary is the answer of okf/summary (specification, "Catalog and OKF
// exports": version, counts, endpoint links). It names no snapshot: it is a
// function of the sources, as the bundle is.
type OKFSummary struct {
	OKFVersion string `json:"okf_version"`
	Producer   string `json:"producer"`
	License    string `json:"license"`
	// AsOf is the last change of the content.
	AsOf         string       `json:"as_of"`
	Concepts     int          `json:"concepts"`
	Sections     []OKFSection `json:"sections"`
	Countries    int          `json:"countries"`
	Institutions int          `json:"institutions"`
	Pages        int          `json:"index_pages"`
	Bundle       OKFBundle    `json:"bundle"`
	Formats      []FormatLink `json:"formats"`
}

// OKFSection is one directory of the bundle.
type OKFSection struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	Concepts int    `json:"concepts"`
	Index    string `json:"index"`
}

// OKFBundle is the archive of the whole tree.
type OKFBundle struct {
	Href      string `json:"href"`
	MediaType string `json:"media_type"`
	Bytes     int64  `json:"bytes"`
	SHA256    string `json:"sha256"`
	Files     int    `json:"files"`
}

// OKFRoute is the page of the concept of an entry (decisions §2).
func OKFRoute(t catalog.EntryType, slug string) string {
	return "/api/v1/okf/" + OKFSectionOf(t) + "/" + slug + ".md"
}

// OKFSectionOf is the directory of an entry type in the bundle.
func OKFSectionOf(t catalog.EntryType) string {
	switch t {
	case catalog.TypeAPI:
		return "apis"
	case catalog.TypeDataset:
		return "datasets"
	case catalog.TypeMCPServer:
		return "mcp-servers"
	}
	return "others"
}
