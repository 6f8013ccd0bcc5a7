// Package migrations holds the schema of the store, one folder per database,
// as numbered goose files. A file that was released is never changed; a change
// of the schema is the next number in both folders.
package migrations

import "embed"

// Files holds the folders sqlite and postgres.
//
//go:embed sqlite/*.sql postgres/*.sql
var Files embed.FS
