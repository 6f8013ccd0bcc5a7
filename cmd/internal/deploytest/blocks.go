package deploytest

import (
	"fmt"
	"regexp"
	"strings"
)

// Block is one fenced block of a document.
type Block struct {
	// Lang is the language that the fence names, such as sh or yaml.
	Lang, Text string
	// NotRun is the reason why the block is not run as it stands, "" for one that is.
	NotRun string
	// Section is the heading above it, without its signs.
	Section string
	// Line is where the block begins, from one.
	Line int
}

var noteLine = regexp.MustCompile(`^<!-- not run: (.+) -->$`)

// Blocks reads the fenced blocks of a document, those of list items too, which are
// indented. A comment "not run: REASON"
// before a block holds for it.
func Blocks(text string) (list []Block, err error) {
	var open *Block
	reason, section, indent, n := "", "", "", 0
	for line := range strings.Lines(text) {
		n++
		plain, bare := strings.TrimSpace(line), strings.TrimLeft(line, " ")
		fence, isFence := strings.CutPrefix(bare, "```")
		switch {
		case isFence && open == nil:
			indent = line[:len(line)-len(bare)]
			open = &Block{Lang: strings.TrimSpace(fence), Line: n, NotRun: reason, Section: section}
		case isFence:
			list, open, reason = append(list, *open), nil, ""
		case open != nil:
			open.Text += strings.TrimPrefix(line, indent)
		case strings.HasPrefix(plain, "#"):
			section, reason = strings.TrimSpace(strings.TrimLeft(plain, "#")), ""
		default:
			if m := noteLine.FindStringSubmatch(plain); m != nil {
				reason = m[1]
			} else if plain != "" {
				reason = ""
			}
		}
	}
	if open != nil {
		return nil, fmt.Errorf("line %d: the block does not end", open.Line)
	}
	return list, nil
}
