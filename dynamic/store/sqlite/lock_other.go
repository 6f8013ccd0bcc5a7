//go:build !unix

package sqlite

import "context"

// lockFolder does nothing: without flock, only one process at a time may open
// a new file.
func lockFolder(context.Context, string) (func(), error) { return func() {}, nil }
