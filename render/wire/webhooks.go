package wire

import (
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// WebhookMessage is the body of every delivery (Standard Webhooks, "Payload
// structure").
type WebhookMessage struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	// Data is a FeedEvent, a WebhookChallenge or a WebhookTest.
	Data any `json:"data"`
}

// WebhookChallenge is the data of endpoint.verify: the endpoint answers with
// the challenge.
type WebhookChallenge struct {
	Challenge string `json:"challenge"`
	Webhook   string `json:"webhook"`
}

// WebhookTest is the data of webhook.test.
type WebhookTest struct {
	Webhook string `json:"webhook"`
	Text    string `json:"text"`
}

// WebhookFilter narrows what an endpoint gets.
type WebhookFilter struct {
	Entries      []string `json:"entries,omitempty"`
	Countries    []string `json:"countries,omitempty"`
	Institutions []string `json:"institutions,omitempty"`
	Tags         []string `json:"tags,omitempty"`
}

// WebhookCreate is the request of createWebhook.
type WebhookCreate struct {
	URL         string              `json:"url"`
	Description string              `json:"description,omitempty"`
	Events      []catalog.EventKind `json:"events,omitempty"`
	Filter      *WebhookFilter      `json:"filter,omitempty"`
}

// WebhookChange is the request of updateWebhook; a member that is left out
// stays as it is.
type WebhookChange struct {
	URL         *string              `json:"url,omitempty"`
	Description *string              `json:"description,omitempty"`
	Events      *[]catalog.EventKind `json:"events,omitempty"`
	Filter      *WebhookFilter       `json:"filter,omitempty"`
	Active      *bool                `json:"active,omitempty"`
}

// WebhookRotate is the request of rotateWebhookSecret.
type WebhookRotate struct {
	// OverlapHours is how long the old secret signs as well; 24 when missing.
	OverlapHours *int `json:"overlap_hours,omitempty"`
}

// WebhookReplay is the request of replayWebhook.
type WebhookReplay struct {
	Since string `json:"since"`
}

// Webhook is an endpoint as administrators see it.
type Webhook struct {
	ID            string               `json:"id"`
	URL           string               `json:"url"`
	Description   *string              `json:"description"`
	Events        []catalog.EventKind  `json:"events"`
	Filter        WebhookFilterShown   `json:"filter"`
	State         catalog.WebhookState `json:"state"`
	Active        bool                 `json:"active"`
	FailureStreak int                  `json:"failure_streak"`
	FailingSince  *string              `json:"failing_since"`
	// Secret is shown once, when it was made.
	Secret         *string  `json:"secret"`
	SecretsExpire  []string `json:"old_secrets_expire"`
	VerifiedAt     *string  `json:"verified_at"`
	DisabledAt     *string  `json:"disabled_at"`
	DisabledReason *string  `json:"disabled_reason"`
	Cursor         string   `json:"cursor"`
	CreatedAt      string   `json:"created_at"`
	UpdatedAt      string   `json:"updated_at"`
	DeliveriesHref string   `json:"deliveries_href"`
}

// WebhookFilterShown is a filter with all its lists.
type WebhookFilterShown struct {
	Entries      []string `json:"entries"`
	Countries    []string `json:"countries"`
	Institutions []string `json:"institutions"`
	Tags         []string `json:"tags"`
}

// WebhooksPage are all endpoints.
type WebhooksPage struct {
	Items []Webhook `json:"items"`
	Total int       `json:"total"`
}

// NewWebhook is the public form of an endpoint, without its secrets.
func NewWebhook(site snapshot.Site, w *catalog.Webhook, now time.Time) Webhook {
	f := &w.Filter
	out := Webhook{ID: w.ID, URL: w.URL, Description: null(w.Description), Events: full(f.Types),
		Filter: WebhookFilterShown{full(f.Entries), full(f.Countries), full(f.Institutions), full(f.Tags)},
		State:  w.State, Active: w.State == catalog.WebhookActive, FailureStreak: w.FailureStreak, FailingSince: moment(w.FailingSince),
		SecretsExpire: []string{}, VerifiedAt: moment(w.VerifiedAt), DisabledAt: moment(w.DisabledAt), DisabledReason: null(w.DisabledReason),
		Cursor: Cursor(w.Cursor), CreatedAt: instant(w.CreatedAt), UpdatedAt: instant(w.UpdatedAt),
		DeliveriesHref: Path(site, "/api/v1/webhooks/"+w.ID+"/deliveries")}
	for _, s := range w.Secrets {
		if s.ExpiresAt.After(now) {
			out.SecretsExpire = append(out.SecretsExpire, instant(s.ExpiresAt))
		}
	}
	return out
}

func full[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func moment(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := instant(t)
	return &s
}

// Delivery is one message to an endpoint.
type Delivery struct {
	// ID is the webhook-id of all its attempts.
	ID            string                `json:"id"`
	EventID       *string               `json:"event_id"`
	Type          string                `json:"type"`
	State         catalog.DeliveryState `json:"state"`
	Attempt       int                   `json:"attempt"`
	StatusCode    *int                  `json:"status_code"`
	LatencyMS     *int64                `json:"latency_ms"`
	Error         *string               `json:"error"`
	Response      *string               `json:"response"`
	CreatedAt     string                `json:"created_at"`
	NextAttemptAt *string               `json:"next_attempt_at"`
	FinishedAt    *string               `json:"finished_at"`
	Attempts      []DeliveryAttempt     `json:"attempts"`
	RetryHref     string                `json:"retry_href"`
}

// DeliveryAttempt is one try to deliver.
type DeliveryAttempt struct {
	At         string  `json:"at"`
	StatusCode *int    `json:"status_code"`
	LatencyMS  int64   `json:"latency_ms"`
	Error      *string `json:"error"`
	Response   *string `json:"response"`
}

// DeliveriesPage is a page of deliveries, the newest first.
type DeliveriesPage struct {
	Items []Delivery `json:"items"`
	// Next leads to older deliveries, null at the end.
	Next *string `json:"next"`
}

// NewDelivery is the public form of a delivery. The members beside attempts
// repeat the last one.
func NewDelivery(site snapshot.Site, d *catalog.Delivery) Delivery {
	out := Delivery{ID: d.ID, Type: d.Type, State: d.State, Attempt: d.Tries, CreatedAt: instant(d.CreatedAt), FinishedAt: moment(d.DoneAt),
		Attempts: []DeliveryAttempt{}, RetryHref: Path(site, "/api/v1/webhooks/"+d.WebhookID+"/deliveries/"+d.ID+"/retry")}
	if d.Event > 0 {
		out.EventID = null(EventID(d.Event))
	}
	if d.State == catalog.DeliveryPending {
		out.NextAttemptAt = moment(d.NextAt)
	}
	for _, a := range d.Attempts {
		shown := DeliveryAttempt{At: instant(a.At), LatencyMS: a.LatencyMS, Error: null(a.Error), Response: null(a.Response)}
		if a.Status > 0 {
			shown.StatusCode = &a.Status
		}
		out.Attempts = append(out.Attempts, shown)
	}
	if n := len(out.Attempts); n > 0 {
		last := &out.Attempts[n-1]
		out.StatusCode, out.LatencyMS, out.Error, out.Response = last.StatusCode, &last.LatencyMS, last.Error, last.Response
	}
	return out
}
