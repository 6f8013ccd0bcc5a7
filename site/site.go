// Package site holds the files of the web site that are not templates: style,
// scripts, pictures of the interface, the guides, and the interface strings in
// one file for each language.
package site

import (
	"embed"
	"slices"
	"strings"
	"sync"
)

// Files are assets/, strings/ and docs/.
//
//go:embed assets strings docs
var Files embed.FS

// UseGuides are the names of the guides in docs/ for those who use a register, in the order
// in which they should be read.
var UseGuides = []string{
	"use-the-samples", "harvest-dcat", "harvest-changes",
	"reuse-an-entry", "use-okf", "connect-an-agent", "mcp-registry", "clients", "ckan",
	"ogc-records", "change-feed", "webhooks", "watches", "claim-a-source", "embed-a-badge", "formats", "answers", "search", "evidence",
}

// Languages are the codes of the interface languages (BCP 47), which are those that have a
// file in strings/: first English, whose addresses have no prefix, then the others by code.
// The list is shared: do not change it.
var Languages = sync.OnceValue(func() []string {
	files, err := Files.ReadDir("strings")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	list := []string{"en"}
	for _, f := range files {
		if code, ok := strings.CutSuffix(f.Name(), ".yaml"); ok && !slices.Contains(list, code) {
			list = append(list, code)
		}
	}
	return list
})
