package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-register/assay/render/wire"
)

// agentsOfTheDemo connects as an agent by the address of the server card, calls
// every tool, and compares each answer with that of the API.
func agentsOfTheDemo(t *testing.T, base string) {
	resp, body := fetch(t, base+wire.RouteMCP)
	var card wire.ServerCard
	if err := json.Unmarshal(body, &card); resp.StatusCode != http.StatusOK || err != nil {
		t.Fatalf("card: %d, %v", resp.StatusCode, err)
	}
	if got := resp.Header.Get("Content-Type"); got != wire.MediaServerCard {
		t.Errorf("the card is sent as %s", got)
	}
	if len(card.Remotes) != 1 || !strings.HasSuffix(card.Remotes[0].URL, wire.MCPPath) {
		t.Fatalf("the card leads to %+v", card.Remotes)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: base + wire.MCPPath}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	// What the endpoint says of itself is what the card says.
	self := session.InitializeResult()
	if self.ServerInfo.Name != card.Name || self.ServerInfo.Version != card.Version {
		t.Errorf("the endpoint is %s %s, the card %s %s", self.ServerInfo.Name, self.ServerInfo.Version, card.Name, card.Version)
	}
	compareTools(t, session, base)
}

func compareTools(t *testing.T, session *sdk.ClientSession, base string) {
	t.Helper()
	_, body := fetch(t, base+"/api/v1/entries")
	var page wire.EntriesPage
	if err := json.Unmarshal(body, &page); err != nil {
		t.Fatal(err)
	}
	slug, id, institution, other := page.Items[0].Slug, page.Items[0].ID, "", page.Items[1].ID
	_, entry := fetch(t, base+"/api/v1/entries/"+id)
	sum := fmt.Sprintf("%x", sha256.Sum256(entry))
	for i := range page.Items {
		if page.Items[i].InstitutionID != nil {
			institution = *page.Items[i].InstitutionID
		}
	}
	calls := map[string]struct {
		args map[string]any
		path string
	}{
		"search_entries":    {map[string]any{"q": "water", "limit": 3}, "/api/v1/entries/search?limit=3&q=water"},
		"list_entries":      {map[string]any{"type": []string{"API"}, "limit": 3, "page": 2}, "/api/v1/entries?type=API&limit=3&page=2"},
		"facet_entries":     {map[string]any{"country_code": []string{"FR"}}, "/api/v1/entries/facets?country_code=FR"},
		"get_entry":         {map[string]any{"idOrSlug": slug}, "/api/v1/entries/" + slug},
		"get_quality":       {map[string]any{"id": slug}, "/api/v1/entries/" + id + "/quality-score"},
		"get_checks":        {map[string]any{"id": id}, "/api/v1/entries/" + id + "/checks"},
		"get_provenance":    {map[string]any{"id": id}, "/api/v1/entries/" + id + "/provenance"},
		"find_alternatives": {map[string]any{"id": id}, "/api/v1/entries/" + id + "/alternatives"},
		"find_related":      {map[string]any{"id": id}, "/api/v1/entries/" + id + "/related"},
		"preview_entry":     {map[string]any{"id": slug}, "/api/v1/entries/" + id + "/preview"},
		"compare_entries":   {map[string]any{"ids": []string{slug, other}}, "/api/v1/entries/compare?ids=" + slug + "," + other},
		"compare_matrix":    {map[string]any{"ids": []string{slug, other, "nothing"}}, "/api/v1/entries/compare/matrix?ids=" + slug + "," + other + ",nothing"},
		"restate_identifier": {map[string]any{"identifier": "text/csv", "notation": "file-extension"},
			"/api/v1/identifiers/restate/text%2Fcsv?notation=file-extension"},
		"list_changes":    {map[string]any{"limit": 3}, "/api/v1/webhooks/feed/events?limit=3"},
		"verify_hash":     {map[string]any{"sha256": sum}, "/api/v1/verify/" + sum},
		"get_institution": {map[string]any{"idOrKey": institution}, "/api/v1/institutions/" + institution},
		"catalog_summary": {nil, "/api/v1/catalog/summary"},
		"find_data":       {map[string]any{"question": "water"}, "/api/v1/entries/search?q=water"},
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		call, ok := calls[tool.Name]
		if !ok {
			t.Errorf("tool %s is not compared", tool.Name)
			continue
		}
		got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool.Name, Arguments: call.args})
		if err != nil || got.IsError {
			t.Errorf("%s: %v, %+v", tool.Name, err, got)
			continue
		}
		text := got.Content[0].(*sdk.TextContent).Text
		_, want := fetch(t, base+call.path)
		shortOf(t, tool.Name, []byte(text), want)
		if len(text) > 8000 || len(text) < 20 {
			t.Errorf("%s tells %d bytes: %.300s", tool.Name, len(text), text)
		}
	}
}

// shortOf checks that a short answer says nothing that the whole one does not: its hash, and
// each of its texts and numbers.
func shortOf(t *testing.T, name string, short, whole []byte) {
	t.Helper()
	var told map[string]any
	if err := json.Unmarshal(short, &told); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	sum, _ := told["answer_sha256"].(string)
	delete(told, "answer_sha256")
	if !strings.Contains(string(whole), sum) {
		t.Errorf("%s is not a part of the answer with the hash %s", name, sum)
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, x := range v {
				if key != "href" && !strings.HasSuffix(key, "_count") {
					walk(x)
				}
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		case string:
			quoted, _ := json.Marshal(strings.TrimSuffix(v, "…"))
			var plain bytes.Buffer
			enc := json.NewEncoder(&plain)
			enc.SetEscapeHTML(false)
			_ = enc.Encode(strings.TrimSuffix(v, "…"))
			if text := strings.Trim(plain.String(), "\"\n"); !strings.Contains(string(whole), text) && !strings.Contains(string(whole), strings.Trim(string(quoted), "\"")) {
				t.Errorf("%s says %q, the API does not", name, v)
			}
		}
	}
	walk(told)
}
