package mail

import (
	"time"

	"github.com/assay-register/assay/render/catalog"
	view "github.com/assay-register/assay/render/pages"
)

// Disabled is what the mail about a disabled webhook says.
// It is written in the language of the addresses without a prefix, the operator's.
type Disabled struct {
	Words
	Register, BaseURL string
	// Name is what the webhook was described as, URL its endpoint.
	Name, URL string
	// Reason is why and At when it was disabled.
	Reason, At string
	// Link opens the webhook at the desk, where it can be enabled again.
	Link string
}

// NewDisabled says in words that a webhook was disabled. What strangers wrote
// stays on one line.
func NewDisabled(register, base string, w *catalog.Webhook) *Disabled {
	return &Disabled{Words: view.Words(""), Register: register, BaseURL: base, Name: Line(w.Description, nameMax), URL: Line(w.URL, catalog.WebhookURLMax), Reason: Line(w.DisabledReason, reasonMax),
		At: stamp(w.DisabledAt), Link: base + "/admin/webhooks/" + w.ID}
}

// reasonMax bounds a reason, which may hold what an endpoint said.
const reasonMax = 500

func stamp(at time.Time) string { return at.UTC().Format("2 January 2006, 15:04 UTC") }

// Title is that of the HTML form.
func (d *Disabled) Title() string { return "Webhook disabled" }

// Message writes the mail to an address.
func (d *Disabled) Message(to, id string) (*Message, error) {
	subject := "Webhook disabled: " + host(d.URL)
	if d.Name != "" {
		subject = "Webhook disabled: " + d.Name
	}
	return write("disabled", d, &Message{To: to, ID: id + "@" + host(d.BaseURL), Subject: subject, List: listID(d.Register, d.BaseURL)})
}
