package wire

import "strings"

// CacheHashed is for files whose name holds the hash of their bytes.
const CacheHashed = "public, max-age=31536000, immutable"

// AssetsPrefix begins the routes of files whose name holds their hash,
// PinnedPrefix those of pages under the name of a snapshot.
const (
	AssetsPrefix = "/assets/"
	PinnedPrefix = "/s/"
	// FeedFragments begins the routes of the fragments of the DCAT-AP feed, which never change.
	FeedFragments = "/api/v1/ldes/"
)

// CacheOf is the Cache-Control of a static page by its route: one rule for the
// service, for object stores and for the configuration of edges.
func CacheOf(route string) string {
	switch {
	case strings.HasPrefix(route, PinnedPrefix):
		return CachePinned
	case strings.HasPrefix(route, AssetsPrefix), strings.HasPrefix(route, FeedFragments) && strings.HasSuffix(route, ".trig"):
		return CacheHashed
	}
	return CacheRevalidate
}
