package verify

import (
	"context"
	"net/http"
	"strings"
)

// graphqlRequest asks for the name of the query type, which every schema has.
func graphqlRequest(ctx context.Context, url string) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(`{"query":"{__typename}"}`))
	if err == nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r, err
}
