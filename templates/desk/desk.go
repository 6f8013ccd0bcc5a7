// Package desk holds the pages of those who look after the register.
//
// What a page shows are members of the answers of the interface's operations, so the
// structs have their JSON names and are read from those answers; null is the zero value.
// A test of dynamic/screens holds the names to the operations.
package desk

import (
	"net/url"

	"github.com/a-h/templ"

	"github.com/assay-register/assay/templates"
)

// Page is a page of the desk.
type Page struct {
	Frame
	// Content is what stands below the navigation, nil for a problem alone.
	Content Content
}

// Frame is what every page of the desk shows.
type Frame struct {
	// Who is logged in; CSRF is what the forms carry. Admin tells that it is an
	// administrator.
	Who, CSRF string
	Admin     bool
	// Here is the page's route, Done the word for what was just done, "" for nothing.
	Here, Done string
	// Problem is why the page shows nothing.
	Problem *templates.Trouble
	// Asked are the parameters of the page.
	Asked map[string]string
	// Pages are those of the desk that the caller may see.
	Pages []Link
	// More are the addresses where the lists of the page go on, by list.
	More map[string]string
}

// Link leads to a page; its id names its strings.
type Link struct{ ID, Route string }

// Content is the main part of a page.
type Content interface {
	show(s *templates.Site, f *Frame) templ.Component
}

// Further is content with lists that go on: Next are the paths of the interface where
// they do, by list, "" for an end.
type Further interface {
	Next() map[string]string
}

// Form is what the fields of a form begin with. Shown tells that it is what the register
// has: a field that is emptied then says so.
type Form struct {
	Values map[string]string
	Ticked map[string]bool
	Shown  bool
}

// or is the first of some texts that says something.
func or(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// after is a text with a sign behind it, "" for none.
func after(text, sign string) string {
	if text == "" {
		return ""
	}
	return text + sign
}

// asking is a route with a parameter.
func asking(route, name, value string) string {
	return route + "?" + url.Values{name: {value}}.Encode()
}
