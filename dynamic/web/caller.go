package web

import (
	"context"

	"github.com/assay-register/assay/render/catalog"
)

// Caller is who makes a request.
type Caller struct {
	// Token is the id of the caller's token, "" for the public.
	Token string
	Name  string
	Role  catalog.Role
}

type callerKey struct{}

// WithCaller remembers who makes a request.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf tells who makes a request; the zero Caller is the public.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
