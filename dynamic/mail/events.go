package mail

import (
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// words are the labels of the event kinds and whether they are good news.
var words = map[catalog.EventKind]struct{ label, tone string }{
	catalog.EventCreated:            {"Added to the register", "good"},
	catalog.EventUpdated:            {"Content changed", "plain"},
	catalog.EventVerified:           {"Answers the checks again", "good"},
	catalog.EventFailing:            {"Fails the checks", "bad"},
	catalog.EventStale:              {"No successful check for three days", "bad"},
	catalog.EventDeprecated:         {"Deprecated", "bad"},
	catalog.EventReactivated:        {"No longer deprecated", "good"},
	catalog.EventRemoved:            {"Removed from the register", "bad"},
	catalog.EventMerged:             {"Merged into another entry", "plain"},
	catalog.EventUnmerged:           {"No longer part of another entry", "plain"},
	catalog.EventReopened:           {"Under review again", "bad"},
	catalog.EventScoreChanged:       {"Score changed", "plain"},
	catalog.EventSchemaChanged:      {"Schema changed", "plain"},
	catalog.EventSubmissionApproved: {"Submission approved", "good"},
	catalog.EventSubmissionRejected: {"Submission rejected", "bad"},
	catalog.EventSubmissionReceived: {"Submission received", "plain"},
	catalog.EventSubmissionReopened: {"Submission under review again", "plain"},
	catalog.EventCandidateDecided:   {"A candidate was decided", "plain"},
	catalog.EventClaimVerified:      {"Claimed by its owner", "good"},
	catalog.EventClaimEnded:         {"No longer claimed", "plain"},
}

// Fields named in the detail of an event, and how long it may be.
const (
	fieldsShown = 6
	detailMax   = 200
	nameMax     = 200
)

// NewEvent says what happened in words.
func NewEvent(e *wire.FeedEvent, at time.Time) Event {
	w, ok := words[e.Type]
	if !ok {
		w.label, w.tone = string(e.Type), "plain"
	}
	return Event{Label: w.label, Tone: w.tone, At: stamp(at), Detail: detail(e)}
}

func detail(e *wire.FeedEvent) string {
	var names []string
	for _, c := range e.Changes {
		names = append(names, strings.ReplaceAll(c.Field, "_", " "))
	}
	if len(names) == 0 {
		return ""
	}
	more := ""
	if len(names) > fieldsShown {
		names, more = names[:fieldsShown], " and more"
	}
	return Line("Changed: "+strings.Join(names, ", ")+more, detailMax)
}

// kinds are the entry types in words.
var kinds = map[catalog.EntryType]string{catalog.TypeAPI: "API", catalog.TypeDataset: "Dataset", catalog.TypeMCPServer: "MCP server"}

// NewEntry begins the part of a digest about an entry. One that left has no
// link.
func NewEntry(base string, e *catalog.Entry) Entry {
	name := e.Name
	if e.NameEn != "" {
		name = e.NameEn
	}
	out := Entry{Name: Line(name, nameMax), Kind: kinds[e.Type]}
	if e.Status == catalog.StatusActive || e.Status == catalog.StatusDeprecated {
		out.Link = base + "/entry/" + e.Slug
	}
	return out
}
