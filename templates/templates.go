// Package templates holds the pages of the web site.
//
// A page is a component of templ (NAME.templ): markup that is compiled to Go
// (NAME_templ.go, checked in beside it). A component is handed the Site, which is
// the register's site in the language of the reader, and a struct of plain values
// that says what to show. render/pages computes those structs; this package
// imports nothing of the register's own.
//
// To add a page: write the struct and the component in NAME.templ, run "make
// templates", and have render/pages fill the struct and call its method page. A
// page that exists once is a row of its singleList. The strings of the interface
// are in site/strings, every key in each language.
//
// Rules. Text from outside stands in { }, which escapes it, inside an element that
// says its language or translate="no": Outside and Native do. An address of another site goes
// through Web or Site.Link, one of ours through Site.Route, or Site.Local where the
// page exists in every language. What stands in several pages is a component of
// parts.templ. Raw HTML (templ.Raw) is only what another package of the register made
// as HTML, and says so. Space in the sources is no promise: templ joins it.
package templates
