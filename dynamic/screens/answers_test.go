package screens

import (
	"reflect"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates/desk"
)

// TestDeskReadsWhatIsAnswered holds the members that the pages of the desk read to those that the
// operations have.
func TestDeskReadsWhatIsAnswered(t *testing.T) {
	for _, pair := range []struct{ page, answer any }{
		{desk.Queue{}, wire.QueuePage{}}, {desk.Decisions{}, wire.DecisionsList{}}, {desk.Trust{}, wire.TrustRulesPage{}}, {desk.Submissions{}, wire.AdminSubmissionsPage{}},
		{desk.Duplicates{}, wire.DuplicatesPage{}}, {desk.Jobs{}, wire.JobsPage{}}, {desk.Audit{}, wire.AuditPage{}}, {desk.Tokens{}, wire.TokensPage{}}, {desk.Stats{}, wire.AdminStats{}},
		{desk.Result{}, wire.BulkResult{}}, {desk.Entry{}, wire.AdminEntry{}}, {desk.Provenance{}, wire.Provenance{}}, {desk.Sources{}, wire.AdminSourcesPage{}},
		{desk.Institutions{}, wire.AdminInstitutionsPage{}}, {desk.Taken{}, wire.DecisionsPage{}}, {desk.Webhooks{}, wire.WebhooksPage{}}, {desk.Deliveries{}, wire.DeliveriesPage{}},
		{desk.Statements{}, wire.StatementsPage{}},
	} {
		lacks(t, reflect.TypeOf(pair.page), reflect.TypeOf(pair.answer))
	}
}

// lacks reports the members of a type that another has not, and of the types of those that it has.
func lacks(t *testing.T, page, answer reflect.Type) {
	t.Helper()
	there := membersOf(answer)
	for name, own := range membersOf(page) {
		other, ok := there[name]
		if !ok {
			t.Errorf("%s has no member %s, which %s reads", answer, name, page)
			continue
		}
		if own, other = inner(own), inner(other); own.Kind() == reflect.Struct && other.Kind() == reflect.Struct {
			lacks(t, own, other)
		}
	}
}

func inner(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8 {
		t = t.Elem()
	}
	return t
}

// membersOf are the JSON members of a struct with their types.
func membersOf(t reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			for k, v := range membersOf(inner(f.Type)) {
				out[k] = v
			}
		case name != "" && name != "-":
			out[name] = f.Type
		}
	}
	return out
}
