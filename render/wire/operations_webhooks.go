package wire

import (
	"reflect"

	"github.com/assay-register/assay/render/catalog"
)

// RouteWebhooks is the list of the endpoints.
const RouteWebhooks = "/api/v1/webhooks"

// WebhookActions begins the routes of what can be done with one endpoint.
const WebhookActions = RouteWebhooks + "/{id}/"

func webhookID() Param {
	return Param{Name: "id", In: "path", Kind: KindString, Format: "uuid", Description: "Webhook id.", Example: exampleID}
}

// webhookOperations are those by which administrators manage endpoints.
func webhookOperations() []Operation {
	ops := []Operation{
		{ID: "listWebhooks", Path: RouteWebhooks, Summary: "All webhooks",
			Description: "Every endpoint that gets events, without its secrets.", Response: reflect.TypeFor[WebhooksPage]()},
		{ID: "createWebhook", Method: "POST", Path: RouteWebhooks, Summary: "Create a webhook",
			Description: "Creates an endpoint that gets events by Standard Webhooks. `secret` signs them and is shown this once. " +
				"The endpoint first gets a signed message `endpoint.verify` and must answer with its `challenge`; until then it gets no event. " +
				"`events` empty means all. Filters AND together, the values of one OR; an entry must carry all tags.",
			Body: reflect.TypeFor[WebhookCreate](), Status: 201, Response: reflect.TypeFor[Webhook](), Problems: []int{400, 409, 413, 415}},
		{ID: "getWebhook", Path: RouteWebhooks + "/{id}", Summary: "One webhook",
			Description: "The endpoint, its state and why it was disabled, if it was.", Params: []Param{webhookID()}, Response: reflect.TypeFor[Webhook](), Problems: []int{404}},
		{ID: "updateWebhook", Method: "PATCH", Path: RouteWebhooks + "/{id}", Summary: "Change a webhook",
			Description: "Members that are left out stay. `active: false` disables the endpoint: once this has answered, nothing is sent there any more. " +
				"Another `url`, and `active: true` after it was disabled, send the challenge again.",
			Params: []Param{webhookID()}, Body: reflect.TypeFor[WebhookChange](), Response: reflect.TypeFor[Webhook](), Problems: []int{400, 404, 413, 415}},
		{ID: "deleteWebhook", Method: "DELETE", Path: RouteWebhooks + "/{id}", Summary: "Delete a webhook",
			Description: "Deletes the endpoint with its deliveries. Once this has answered, nothing is sent there any more.",
			Params:      []Param{webhookID()}, Status: 204, Problems: []int{404}},
		{ID: "testWebhook", Method: "POST", Path: WebhookActions + "test", Summary: "Send a test",
			Description: "Sends a signed message `webhook.test`; an endpoint that is not verified gets a new challenge. The deliveries tell what became of it.",
			Params:      []Param{webhookID()}, Status: 202, Response: reflect.TypeFor[Delivery](), Problems: []int{404, 409}},
		{ID: "rotateWebhookSecret", Method: "POST", Path: WebhookActions + "rotate-secret", Summary: "Make a new secret",
			Description: "Makes a new secret and shows it this once. The old one signs as well for `overlap_hours`, so that a receiver may change over at any time between.",
			Params:      []Param{webhookID()}, Body: reflect.TypeFor[WebhookRotate](), Response: reflect.TypeFor[Webhook](), Problems: []int{400, 404, 413, 415}},
		{ID: "replayWebhook", Method: "POST", Path: WebhookActions + "replay", Summary: "Deliver again since a cursor",
			Description: "Delivers every event behind a cursor of the change feed once more, each under the `webhook-id` that it had.",
			Params:      []Param{webhookID()}, Body: reflect.TypeFor[WebhookReplay](), Status: 202, Response: reflect.TypeFor[Webhook](), Problems: []int{400, 404, 409, 413, 415}},
		{ID: "listDeliveries", Path: WebhookActions + "deliveries", Summary: "Deliveries of a webhook",
			Description: "What was sent or waits to be sent, newest first, with every attempt: status, latency and the beginning of the answer. Ended deliveries are kept for 30 days.",
			Params: []Param{webhookID(),
				{Name: "state", In: "query", Kind: KindString, Enum: words(catalog.DeliveryStates()), Description: "Only deliveries in this state."},
				{Name: "before", In: "query", Kind: KindString, Description: "Only deliveries older than this one; taken from `next`."},
				{Name: "limit", In: "query", Kind: KindInteger, Min: 1, Max: MaxLimit, Default: DefaultLimit, Description: "Deliveries per page."}},
			Response: reflect.TypeFor[DeliveriesPage](), Problems: []int{404}},
		{ID: "retryDelivery", Method: "POST", Path: WebhookActions + "deliveries/{delivery}/retry", Summary: "Deliver once more",
			Description: "Sends a delivery again at once, and by the whole schedule if that fails.",
			Params:      []Param{webhookID(), {Name: "delivery", In: "path", Kind: KindString, Description: "Delivery id."}},
			Status:      202, Response: reflect.TypeFor[Delivery](), Problems: []int{404, 409}},
	}
	for i := range ops {
		ops[i].Tag, ops[i].Media, ops[i].Cache, ops[i].Role = TagChanges, MediaJSON, CacheNever, catalog.RoleAdmin
		ops[i].Problems = append(ops[i].Problems, 401, 403, 422, 429)
	}
	return ops
}
