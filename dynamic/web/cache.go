package web

import "github.com/assay-register/assay/render/wire"

// Values of Cache-Control by class of answer; documents have that of wire.CacheOf.
const (
	// CacheMutable is for what changes with any build.
	CacheMutable = wire.CacheRevalidate
	// CacheHashed is for what never changes under its name.
	CacheHashed = wire.CacheHashed
	// CacheLive is for answers made from the current snapshot.
	CacheLive = "public, max-age=10"
	// CacheNever is for errors and for the state of the service.
	CacheNever = "no-store"
)
