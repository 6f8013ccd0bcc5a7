package web

import "github.com/assay-register/assay/render/wire"

// Values of Cache-Control by class of answer; documents have that of wire.CacheOf.
const (
	// CacheMutable is for what changes with any build, CacheHashed for what never changes
	// under its name.
	CacheMutable, CacheHashed = wire.CacheRevalidate, wire.CacheHashed
	// CacheLive is for answers made from the current snapshot.
	CacheLive = "public, max-age=10"
	// CacheNever is for errors and for the state of the service.
	CacheNever = "no-store"
)
