package wire

import (
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// TestAnswersToReports: readers see no personal data in answers; moderators see what was answered.
func TestAnswersToReports(t *testing.T) {
	r := &catalog.Report{Answers: []catalog.ReportAnswer{{Text: "Write to ann.bell@example.org", ClaimID: "c"}}}
	if got := NewPublicReport(r).Answers[0].Text; strings.Contains(got, "ann.bell") {
		t.Errorf("readers see %q", got)
	}
	if got := NewQueueReport(r, EntryLink{}).Answers[0].Text; got != r.Answers[0].Text {
		t.Errorf("moderators see %q", got)
	}
}
