package wire

import "reflect"

// RouteWatches begins the routes of watches.
const RouteWatches = "/api/v1/webhooks/watches"

func tokenParam(description string) Param {
	return Param{Name: "token", In: "path", Kind: KindString, Description: description}
}

// watchOperations are those by which readers get mail about entries. They need
// no account: an address is confirmed by a link, and a token changes the watch.
func watchOperations() []Operation {
	verify := tokenParam("Token of the mail that asks for confirmation. It is good for 48 hours and once.")
	manage := tokenParam("Management token; every mail has it in its links.")
	id := Param{Name: "id", In: "path", Kind: KindString, Format: "uuid", Description: "Watch id.", Example: exampleID}
	ops := []Operation{
		{ID: "createWatch", Method: "POST", Path: RouteWatches, Summary: "Ask for mail about entries",
			Description: "Sends a mail with a link to confirm. The answer is the same for every address, so nobody learns which ones are known. " +
				"Give `entry`, or a `filter` as for webhooks; `frequency` is `daily` when missing.",
			Body: reflect.TypeFor[WatchRequest](), Status: 202, Response: reflect.TypeFor[WatchReceipt](), Problems: []int{400, 413, 415, 422, 429}},
		{ID: "verifyWatch", Pages: true, Path: RouteWatches + "/verify/{token}", Summary: "How a watch is confirmed",
			Description: "Changes nothing, because programs that check the links of a mail fetch them: a browser gets a page whose button confirms, a client that asks for JSON the request that does.",
			Params:      []Param{verify}, Response: reflect.TypeFor[WatchConfirmation](), Problems: []int{404, 422, 429}},
		{ID: "confirmWatch", Pages: true, Method: "POST", Path: RouteWatches + "/verify/{token}", Summary: "Confirm a watch",
			Description: "Uses the token up and answers with the watch and its management token. The button of the page does the same.", Params: []Param{verify}, Response: reflect.TypeFor[Watch](), Problems: []int{404, 429}},
		{ID: "getWatch", Pages: true, Path: RouteWatches + "/manage/{token}", Summary: "One watch",
			Description: "The watch of a management token, as JSON or as a page on which it can be changed.",
			Params:      []Param{manage}, Response: reflect.TypeFor[Watch](), Problems: []int{404, 422, 429}},
		{ID: "unsubscribeWatch", Pages: true, Method: "POST", Path: RouteWatches + "/unsubscribe/{token}", Summary: "End a watch by one click",
			Description: "Deletes the watch and its address. It is the address of `List-Unsubscribe` in every mail (RFC 8058); `GET` shows a page and ends nothing.",
			Params:      []Param{manage}, Response: reflect.TypeFor[WatchReceipt](), Problems: []int{404, 429}},
		{ID: "updateWatch", Method: "PATCH", Path: RouteWatches + "/{id}", Summary: "Change a watch",
			Description: "Members that are left out stay. Needs the management token of the watch as bearer token.",
			Params:      []Param{id}, Body: reflect.TypeFor[WatchChange](), Response: reflect.TypeFor[Watch](), Problems: []int{400, 401, 404, 413, 415, 422, 429}},
		{ID: "deleteWatch", Method: "DELETE", Path: RouteWatches + "/{id}", Summary: "End a watch",
			Description: "Deletes the watch and its address. Needs the management token of the watch as bearer token.",
			Params:      []Param{id}, Status: 204, Problems: []int{401, 422, 429}},
	}
	for i := range ops {
		ops[i].Tag, ops[i].Media, ops[i].Cache = TagChanges, MediaJSON, CacheNever
	}
	return ops
}
