package wire

import (
	"github.com/assay-register/assay/render/catalog"
)

// WatchRequest is the request of createWatch: an entry, or a filter.
type WatchRequest struct {
	Email     string              `json:"email"`
	Entry     string              `json:"entry,omitempty"`
	Filter    *WebhookFilter      `json:"filter,omitempty"`
	Events    []catalog.EventKind `json:"events,omitempty"`
	Frequency catalog.Frequency   `json:"frequency,omitempty"`
	// Lang is an interface language.
	Lang string `json:"lang,omitempty"`
}

// WatchReceipt is the answer of createWatch, the same for every address.
type WatchReceipt struct {
	Status string `json:"status"`
	Detail string `json:"detail"`
}

// WatchConfirmation is the answer of verifyWatch: what is to be sent so that a
// watch is confirmed. Asking for it changes nothing.
type WatchConfirmation struct {
	State catalog.WatchState `json:"state"`
	// Method and Href are the request that confirms.
	Method    string `json:"method"`
	Href      string `json:"href"`
	ExpiresAt string `json:"expires_at"`
	Detail    string `json:"detail"`
}

// WatchChange is the request of updateWatch; a member that is left out stays.
type WatchChange struct {
	Filter    *WebhookFilter       `json:"filter,omitempty"`
	Events    *[]catalog.EventKind `json:"events,omitempty"`
	Frequency *catalog.Frequency   `json:"frequency,omitempty"`
}

// Watch is a watch as its holder sees it. The address is not repeated.
type Watch struct {
	ID     string              `json:"id"`
	State  catalog.WatchState  `json:"state"`
	Events []catalog.EventKind `json:"events"`
	Filter WebhookFilterShown  `json:"filter"`
	// Claims are the ids of those that an owner's digest follows, empty for a reader's watch.
	Claims     []string          `json:"claims"`
	Frequency  catalog.Frequency `json:"frequency"`
	CreatedAt  string            `json:"created_at"`
	VerifiedAt *string           `json:"verified_at"`
	// ManagementToken is shown when the watch is confirmed.
	ManagementToken *string `json:"management_token"`
}

// NewWatchConfirmation says how a watch that waits is confirmed, at the address
// href.
func NewWatchConfirmation(w *catalog.Watch, href string) WatchConfirmation {
	return WatchConfirmation{State: w.State, Method: "POST", Href: href, ExpiresAt: instant(w.CreatedAt.Add(catalog.VerifyWithin)),
		Detail: "Nothing is confirmed yet: send this request, without a body, to confirm the watch."}
}

// NewWatch is the public form of a watch.
func NewWatch(w *catalog.Watch) Watch {
	f, claims := &w.Filter, []string{}
	if w.Digest != nil {
		claims = full(w.Digest.Claims)
	}
	return Watch{Claims: claims, ID: w.ID, State: w.State, Events: full(f.Types),
		Filter:    WebhookFilterShown{full(f.Entries), full(f.Countries), full(f.Institutions), full(f.Tags)},
		Frequency: w.Frequency, CreatedAt: instant(w.CreatedAt), VerifiedAt: moment(w.VerifiedAt)}
}
