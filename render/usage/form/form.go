// Package form tells in which form code is written, so that code that pages
// show can be held to code that was executed.
package form

import (
	"regexp"
	"strings"
)

var (
	comment  = regexp.MustCompile(`(?m)^[ \t]*(#|//) .*\n?`)
	keyed    = regexp.MustCompile(`"(\w+)"(: ?["\[])`)
	literal  = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.|'')*'`)
	number   = regexp.MustCompile(`\b\d+(\.\d+)*\b`)
	repeated = regexp.MustCompile(`(S ?[:=] ?\w+)(?:,\s*S ?[:=] ?\w+)+|(S)(?:,\s*S\b)+|(\[S\])(?:\[S\])+`)
	name     = regexp.MustCompile(`(-o |ls -l |head -n N |mcp add (?:--transport \w+ )?|mcp_servers\.)[\w.%+-]+`)
)

// Of is code without comments, with a placeholder for each literal but the keys of objects, for those that follow each other
// and for the names of files and servers.
func Of(code string) string {
	code = comment.ReplaceAllString(code, "")
	code = strings.ReplaceAll(code, `'\''`, "") // a quote in a literal of the shell
	code = keyed.ReplaceAllString(code, "$1$2")
	code = literal.ReplaceAllString(code, "S")
	code = number.ReplaceAllString(code, "N")
	code = repeated.ReplaceAllString(code, "$1$2$3")
	return strings.TrimSpace(name.ReplaceAllString(code, "${1}S"))
}
