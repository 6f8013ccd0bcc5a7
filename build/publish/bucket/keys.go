package bucket

import (
	"fmt"
	"strings"

	"github.com/assay-register/assay/render/artifact"
)

// Keys is how a route becomes the key of an object.
type Keys int

const (
	// ByRoute takes the route itself, so that a bucket answers extensionless
	// routes without a server before it (decisions §2). "/" becomes index.html,
	// which hosts of static sites send for it.
	ByRoute Keys = iota
	// ByFile takes the path that a tree on disk has, compressed forms included:
	// for directories, and for stores that lay keys out as directories, where
	// "a" and "a/b" cannot both be objects.
	ByFile
)

// ParseKeys reads the name of a way to form keys: "route" or "file".
func ParseKeys(name string) (Keys, error) {
	switch name {
	case "route":
		return ByRoute, nil
	case "file":
		return ByFile, nil
	}
	return 0, fmt.Errorf("--keys %s: use route or file", name)
}

// Of is the key of a route.
func (k Keys) Of(route, mediaType string) string {
	if k == ByFile || route == "/" {
		return artifact.Path(route, mediaType)
	}
	return strings.TrimPrefix(route, "/")
}
