// Package site holds the files of the web site that are not templates: style,
// scripts, pictures of the interface, the guides, and the interface strings in
// one file for each language.
package site

import "embed"

// Files are assets/, strings/ and docs/.
//
//go:embed assets strings docs
var Files embed.FS
