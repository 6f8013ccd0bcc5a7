package web

// Values of Cache-Control by class of answer.
const (
	// CacheMutable is for files that change with any build.
	CacheMutable = "public, no-cache"
	// CachePinned is for pages that never change under their name; they
	// expire with their snapshot, so a copy is not kept longer than that.
	CachePinned = "public, max-age=7200, immutable"
	// CacheHashed is for files whose name holds their hash.
	CacheHashed = "public, max-age=31536000, immutable"
	// CacheLive is for answers made from the current snapshot.
	CacheLive = "public, max-age=10"
	// CacheNever is for errors and for the state of the service.
	CacheNever = "no-store"
)
