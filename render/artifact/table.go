package artifact

import (
	"maps"
	"strings"
)

// Types gives the media type of a file by its extension, for who must know all
// of them: a server that is given rules instead of routes.
func Types() map[string]string { return maps.Clone(typesByExtension) }

// Exceptions gives the media types of the files whose extension says too
// little, by their path below the root of a directory. TypeOf knows one rule besides:
// the JSON feeds, FeedPrefix and then anything that ends in "json".
func Exceptions() map[string]string { return maps.Clone(typesByPath) }

// FeedPrefix begins the routes of the feeds and ExportSegment names those below
// it that are none.
const (
	FeedPrefix    = "/api/v1/feeds/"
	ExportSegment = "export/"
)

// Extension is the one that the file of an extensionless route has, "bin" for a
// media type that the register does not write.
func Extension(mediaType string) string {
	_, ext, _ := strings.Cut(Path("/x", mediaType), "/index.")
	return ext
}

// Unknown is what TypeOf says of a file that it does not know.
const Unknown = "application/octet-stream"
