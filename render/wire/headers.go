package wire

// SnapshotHeader names the snapshot that an answer was made from, PendingSnapshot stands for
// the one that will be built next.
const (
	SnapshotHeader  = "Assay-Snapshot"
	PendingSnapshot = "pending"
)

// PagePolicy is the Content-Security-Policy of pages that people read, as they state it
// themselves for hosts that send no headers. FramedPolicy is that of the header: no other
// site may frame them, which only a header can say.
const (
	PagePolicy   = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; manifest-src 'self'"
	FramedPolicy = PagePolicy + "; frame-ancestors 'none'"
)

// ExposedHeaders are the response headers that scripts of other origins may read.
const ExposedHeaders = "Accept-Ranges, Assay-Snapshot, Content-Range, Deprecation, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Sunset, X-Request-Id"
