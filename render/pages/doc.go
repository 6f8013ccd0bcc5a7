// Package pages renders the web site: static HTML that is readable and
// navigable without scripts.
//
// A page is a component of package templates, which this package hands what it shows.
// All stand in the same layout, which is rendered once for each language and cut at its
// slots. What is left to a writer are the ends between the slots and a small XML document:
// its only unescaped input are constants of this package (the type markup keeps everything
// else out).
//
// The writer escapes text itself, because control characters must go, too, and
// lets an address pass without parsing it if all its letters are common ones:
// parsing took a tenth of the time of a page.
//
// Every page exists in every interface language: English at the root, the others
// below their code. What was written in one language only, such as the guides,
// stands in a page of the reader's and says its own.
package pages
