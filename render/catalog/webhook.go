package catalog

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"
)

// WebhookState is where an endpoint stands.
type WebhookState string

// States of a webhook.
const (
	// WebhookUnverified endpoints have not echoed the challenge yet and get
	// nothing else.
	WebhookUnverified WebhookState = "unverified"
	WebhookActive     WebhookState = "active"
	WebhookDisabled   WebhookState = "disabled"
)

// Webhook is an endpoint that gets the events of the register (decisions §6).
type Webhook struct {
	ID          string       `json:"id"`
	URL         string       `json:"url"`
	Description string       `json:"description,omitempty"`
	Filter      EventFilter  `json:"filter"`
	State       WebhookState `json:"state"`
	// Secrets sign the deliveries, the newest first; those that expired do not.
	Secrets []WebhookSecret `json:"secrets"`
	// Cursor is the number of the last event that was taken for the endpoint;
	// up to ReplayThrough, events are delivered once more.
	Cursor        int64 `json:"cursor"`
	ReplayThrough int64 `json:"replay_through,omitempty"`
	// FailureStreak counts the failed attempts since the last success, the
	// first of which was at FailingSince.
	FailureStreak int       `json:"failure_streak,omitempty"`
	FailingSince  time.Time `json:"failing_since,omitzero"`
	// NotBefore is until when the endpoint asked to be left alone.
	NotBefore      time.Time `json:"not_before,omitzero"`
	VerifiedAt     time.Time `json:"verified_at,omitzero"`
	DisabledAt     time.Time `json:"disabled_at,omitzero"`
	DisabledReason string    `json:"disabled_reason,omitempty"`
	CreatedAt      time.Time `json:"created_at"`
	UpdatedAt      time.Time `json:"updated_at"`
}

// WebhookSecret is a key of an endpoint, in the form of Standard Webhooks:
// whsec_ and the key in base64.
type WebhookSecret struct {
	Value     string    `json:"value"`
	CreatedAt time.Time `json:"created_at"`
	// ExpiresAt is zero for the current secret.
	ExpiresAt time.Time `json:"expires_at,omitzero"`
}

// Bounds of a webhook.
const (
	WebhookURLMax  = 2000
	WebhookNoteMax = 500
)

// Validate checks what an administrator wrote; the first broken rule is
// returned as a FieldError. Plain http is only for registers that may reach
// private addresses.
func (w *Webhook) Validate(allowPlain bool) error {
	bad := func(remedy string) error { return &FieldError{"url", w.URL, remedy} }
	if w.URL == "" {
		return bad("give the address of the endpoint")
	}
	if err := CheckURL("url", w.URL); err != nil {
		return err
	}
	u, err := url.Parse(w.URL)
	switch {
	case err != nil || len(w.URL) > WebhookURLMax:
		return bad("use an address of at most 2,000 characters")
	case u.Scheme != "https" && !allowPlain:
		return bad("use an https address")
	case u.Fragment != "" || strings.Contains(w.URL, "#"):
		return bad("remove the fragment from the address")
	}
	if err := CheckText("description", w.Description, WebhookNoteMax); err != nil {
		return err
	}
	return w.Filter.Validate()
}

// Keys are the secrets that sign at an instant.
func (w *Webhook) Keys(at time.Time) []string {
	var keys []string
	for _, s := range w.Secrets {
		if s.ExpiresAt.IsZero() || s.ExpiresAt.After(at) {
			keys = append(keys, s.Value)
		}
	}
	return keys
}

// Rotate makes a secret the current one; the old one signs as well until the
// given time.
func (w *Webhook) Rotate(secret string, at, until time.Time) {
	w.Secrets = slices.DeleteFunc(slices.Clone(w.Secrets), func(s WebhookSecret) bool { return !s.ExpiresAt.IsZero() && !s.ExpiresAt.After(at) })
	for i := range w.Secrets {
		if w.Secrets[i].ExpiresAt.IsZero() {
			w.Secrets[i].ExpiresAt = until
		}
	}
	w.Secrets = append([]WebhookSecret{{Value: secret, CreatedAt: at}}, w.Secrets...)
	// Each secret adds a signature to a header of bounded length.
	w.Secrets = w.Secrets[:min(len(w.Secrets), secretsMax)]
}

const secretsMax = 5

// Disable ends the deliveries to the endpoint.
func (w *Webhook) Disable(reason string, at time.Time) {
	w.State, w.DisabledReason, w.DisabledAt, w.UpdatedAt = WebhookDisabled, reason, at, at
}

// DeliveryState is where a delivery stands.
type DeliveryState string

// States of a delivery.
const (
	DeliveryPending   DeliveryState = "pending"
	DeliveryDelivered DeliveryState = "delivered"
	// DeliveryFailed deliveries have no attempt left.
	DeliveryFailed DeliveryState = "failed"
	// DeliveryCancelled ones were pending when their endpoint was disabled.
	DeliveryCancelled DeliveryState = "cancelled"
)

// DeliveryStates lists the states in their documented order.
func DeliveryStates() []DeliveryState {
	return []DeliveryState{DeliveryPending, DeliveryDelivered, DeliveryFailed, DeliveryCancelled}
}

// Types of the messages that are no events of the register.
const (
	MessageVerify = "endpoint.verify"
	MessageTest   = "webhook.test"
)

// Delivery is one message to one endpoint, with its attempts.
type Delivery struct {
	// ID is the webhook-id, the same in every attempt.
	ID        string `json:"id"`
	WebhookID string `json:"webhook_id"`
	// Event is the number of the event, 0 for a test or a challenge.
	Event int64 `json:"event,omitempty"`
	// Type is the kind of the event, or one of the message types.
	Type  string        `json:"type"`
	State DeliveryState `json:"state"`
	// NextAt is when the next attempt is due.
	NextAt    time.Time `json:"next_at"`
	CreatedAt time.Time `json:"created_at"`
	DoneAt    time.Time `json:"done_at,omitzero"`
	// Tries counts the attempts of the present schedule; a retry by hand begins
	// it anew.
	Tries    int               `json:"tries,omitempty"`
	Attempts []DeliveryAttempt `json:"attempts,omitempty"`
	// Challenge is what the endpoint must echo.
	Challenge string `json:"challenge,omitempty"`
	// Body is the JSON that is sent, byte for byte.
	Body string `json:"-"`
}

// DeliveryAttempt is one try to deliver.
type DeliveryAttempt struct {
	At time.Time `json:"at"`
	// Status is the HTTP status, 0 when there was no answer.
	Status    int   `json:"status,omitempty"`
	LatencyMS int64 `json:"latency_ms"`
	// Error says why the attempt failed, Response is the beginning of the answer.
	Error    string `json:"error,omitempty"`
	Response string `json:"response,omitempty"`
}

// attemptsKept is how many attempts a delivery remembers.
const attemptsKept = 20

// Note remembers an attempt.
func (d *Delivery) Note(a DeliveryAttempt) {
	d.Tries++
	d.Attempts = append(d.Attempts, a)
	d.Attempts = d.Attempts[max(0, len(d.Attempts)-attemptsKept):]
}

// Webhooks stores the endpoints. Deliveries to one endpoint are the business of
// the process that leased it.
type Webhooks interface {
	// Put inserts or replaces webhooks; leases stay.
	Put(ctx context.Context, list ...Webhook) error
	// Get returns the webhook or ErrNotFound.
	Get(ctx context.Context, id string) (*Webhook, error)
	// All returns every webhook by creation and id.
	All(ctx context.Context) ([]Webhook, error)
	// Delete removes a webhook with its deliveries; ErrNotFound without it.
	Delete(ctx context.Context, id string) error
	// Ready returns up to n ids of endpoints that nobody leased (see LeaseHeld)
	// and that have something to do: events to take, or deliveries that are due.
	Ready(ctx context.Context, now time.Time, n int) ([]string, error)
	// Lease gives the worker those of the endpoints that are still ready.
	Lease(ctx context.Context, worker string, now, until time.Time, ids ...string) ([]Webhook, error)
	// Release ends a lease; without it nothing happens. Who was released last
	// is ready last.
	Release(ctx context.Context, id, worker string, now time.Time) error
	// Leased tells until when an endpoint is leased, and to whom; "" for nobody.
	Leased(ctx context.Context, id string, now time.Time) (worker string, until time.Time, err error)
	// Rewind ends the rests of endpoints that last longer than LongestPause, and
	// has those that fail since a time to come fail since now: a clock that ran
	// ahead wrote both. It returns how many it changed.
	Rewind(ctx context.Context, now time.Time) (int64, error)
}

// LongestPause is more than any pause before a delivery: the last one of the
// schedule, or what an endpoint may ask for, and as much as chance adds.
const LongestPause = 28 * time.Hour

// DeliveryFilter narrows a list of deliveries; zero fields do not.
type DeliveryFilter struct {
	WebhookID string
	State     DeliveryState
	// Before is the delivery behind which the list goes on.
	Before string
	Limit  int
}

// Deliveries stores the messages to the endpoints.
type Deliveries interface {
	// Add stores new deliveries; one that exists is kept as it is.
	Add(ctx context.Context, list ...Delivery) error
	// Put inserts or replaces deliveries; the body of an existing one stays.
	Put(ctx context.Context, list ...Delivery) error
	// Get returns the delivery or ErrNotFound.
	Get(ctx context.Context, id string) (*Delivery, error)
	// Due returns up to limit pending deliveries of an endpoint that are due,
	// in the order of their events.
	Due(ctx context.Context, webhookID string, now time.Time, limit int) ([]Delivery, error)
	// List returns deliveries, the newest first.
	List(ctx context.Context, f DeliveryFilter) ([]Delivery, error)
	// Rewind makes the pending deliveries due now that a clock which ran ahead
	// would keep waiting: those due more than LongestPause from now, and those
	// made more than ClockSlack from now. It returns how many.
	Rewind(ctx context.Context, now time.Time) (int64, error)
	// Cancel ends the pending deliveries of an endpoint.
	Cancel(ctx context.Context, webhookID string, now time.Time) error
	// Prune deletes up to limit ended deliveries made before the time, and
	// returns how many.
	Prune(ctx context.Context, before time.Time, limit int) (int64, error)
}
