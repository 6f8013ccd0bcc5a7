// Package templates holds the HTML templates of the web site.
package templates

import "embed"

// Files are the templates.
//
//go:embed *.html
var Files embed.FS
