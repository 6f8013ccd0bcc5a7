package wire

import (
	"reflect"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// Citation says where the exact answer about an entry is kept for good.
type Citation struct {
	ID           string         `json:"id"`
	EntryID      string         `json:"entry_id"`
	Href         string         `json:"href"`
	URL          string         `json:"url"`
	SHA256       string         `json:"sha256"`
	AnswerSHA256 *string        `json:"answer_sha256"`
	Snapshot     *string        `json:"snapshot"`
	Route        *string        `json:"route"`
	MediaType    string         `json:"media_type"`
	Bytes        int            `json:"bytes"`
	CreatedAt    *string        `json:"created_at"`
	Forms        []CitationForm `json:"forms"`
}

// CitationForm is one way to read a citation.
type CitationForm struct {
	MediaType string `json:"media_type"`
	Href      string `json:"href"`
}

// Media types of a citation besides the answer itself. BibTeX has no
// registered type; this one is in common use.
const (
	MediaBibTeX = "application/x-bibtex"
	MediaCSL    = "application/vnd.citationstyles.csl+json"
	MediaHTML   = "text/html"
)

// EvidencePath is the path of a citation under the host of the register.
func EvidencePath(site snapshot.Site, id string) string { return Path(site, "/api/v1/evidence/"+id) }

// NewCitation describes a stored citation.
func NewCitation(site snapshot.Site, e *catalog.Evidence) Citation {
	href := EvidencePath(site, e.ID)
	return Citation{
		ID: e.ID, EntryID: e.EntryID, Href: href, URL: site.BaseURL + "/api/v1/evidence/" + e.ID, SHA256: e.SHA256,
		AnswerSHA256: null(e.AnswerSHA256), Snapshot: null(e.Snapshot), Route: null(e.Route), MediaType: e.Media, Bytes: len(e.Body),
		CreatedAt: stamp(e.CreatedAt),
		Forms: []CitationForm{
			{e.Media, href + "?format=json"}, {MediaHTML, href + "?format=html"},
			{MediaBibTeX, href + "?format=bibtex"}, {MediaCSL, href + "?format=csl"},
		},
	}
}

// HashReport is the answer of verify: what has a hash. Searched are the
// snapshots whose pages were looked through; the kept citations always are.
type HashReport struct {
	SHA256   string      `json:"sha256"`
	Matches  []HashMatch `json:"matches"`
	Searched []string    `json:"searched"`
}

// HashMatch is one answer that has a hash. Of is body for the hash of the
// bytes, answer for the one that the manifest names.
type HashMatch struct {
	Of         string  `json:"of"`
	Snapshot   *string `json:"snapshot"`
	Route      *string `json:"route"`
	EvidenceID *string `json:"evidence_id"`
	Href       *string `json:"href"`
	CreatedAt  *string `json:"created_at"`
}

// Hashes of an answer.
const (
	HashOfBody   = "body"
	HashOfAnswer = "answer"
)

// NewHashMatch says where an answer is: in a published snapshot, or in a
// citation, whose address is given.
func NewHashMatch(of, snapshot, route, evidenceID, href string, createdAt *string) HashMatch {
	return HashMatch{of, null(snapshot), null(route), null(evidenceID), null(href), createdAt}
}

// TagEvidence are the citations and the ways to check an answer.
const TagEvidence = "evidence"

// EvidenceParams choose the form of a citation.
func EvidenceParams() []Param {
	return []Param{{Name: "id", In: "path", Kind: KindString, Format: "uuid", Description: "Citation id.", Example: exampleID},
		{Name: "format", In: "query", Kind: KindString, Enum: []string{"json", "html", "bibtex", "csl"},
			Description: "`json` replays the answer; when missing, the form that the `Accept` header prefers, else the answer."}}
}

// evidenceOperations keep and check answers.
func evidenceOperations() []Operation {
	return []Operation{
		{ID: "citeEntry", Path: "/api/v1/entries/{idOrSlug}/evidence", Tag: TagEvidence, Summary: "Keep the present answer about an entry",
			Description: "Stores the exact bytes of the entry's present page, once for each hash, and says where they can be cited and replayed from then on. " +
				"`HEAD` stores nothing. Counts as a write in the limits.",
			Params:   []Param{{Name: "idOrSlug", In: "path", Kind: KindString, Description: "Entry id or slug.", Example: exampleSlug}},
			Response: reflect.TypeFor[Citation](), Media: MediaJSON, Problems: problemsEntry, Redirects: true, Cache: CacheNever},
		{ID: "getEvidence", Path: "/api/v1/evidence/{id}", Tag: TagEvidence, Summary: "Replay a cited answer",
			Description: "The cited answer byte for byte, as it was published; or a page for people, a BibTeX record or a CSL-JSON item about it.",
			Params:      EvidenceParams(), Media: MediaJSON, Problems: []int{400, 404, 422}, Cache: CacheHashed},
		{ID: "verifyHash", Path: "/api/v1/verify/{sha256}", Tag: TagEvidence, Summary: "What has this hash",
			Description: "The pages of the published snapshots, and the kept citations, whose bytes or whose `answer_sha256` have the hash. " +
				"A live answer is found when it was cited, or when a page says the same.",
			Params: []Param{{Name: "sha256", In: "path", Kind: KindString, Pattern: "^[0-9a-f]{64}$", Means: "a SHA-256 of 64 hexadecimal digits in lower case", Description: "SHA-256 in lower-case hex.",
				Example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}},
			Response: reflect.TypeFor[HashReport](), Media: MediaJSON, Problems: []int{404, 422}, Cache: CacheShort},
	}
}
