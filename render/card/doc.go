// Package card draws what other sites show beside a link to a page of the register: a picture
// of 1200 by 630 pixels with a title, who it is of, and the name of the register (Open Graph
// protocol, og:image).
//
// Letters are those of the Go fonts, which have Latin, Greek and Cyrillic; a title in other letters
// gives way to its English form, or to what follows it.
package card
