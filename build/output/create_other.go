//go:build !linux

package output

import "os"

// create writes a file.
func create(path string, body []byte) error { return os.WriteFile(path, body, 0o644) }
