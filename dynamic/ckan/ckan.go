// Package ckan answers as a CKAN portal: the actions of its API v3 that read (CKAN 2.11,
// "API guide"), by GET and POST. A package is an entry, an organisation an institution, a
// group a data theme. Lists, words and filters are those of package query; what is here is
// the language of Solr and the shapes of CKAN.
package ckan

import (
	"errors"
	"io/fs"
	"net/http"
	"strings"

	"github.com/assay-register/assay/dynamic/documents"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// version is that of the CKAN whose actions these are.
const version = "2.11.0"

// API answers the actions.
type API struct {
	library   *query.Library
	documents *documents.Server
	actions   map[string]action
}

// action answers one of them.
type action func(*call) (any, error)

// New makes the API of a library.
func New(library *query.Library, documents *documents.Server) *API {
	a := &API{library: library, documents: documents}
	a.actions = map[string]action{
		"site_read": func(*call) (any, error) { return true, nil }, "status_show": statusShow, "help_show": helpShow,
		"package_list": packageList, "current_package_list_with_resources": currentPackages, "package_search": packageSearch, "package_show": packageShow,
		"resource_show": resourceShow, "resource_search": resourceSearch,
		"organization_list": organizationList, "organization_show": organizationShow, "group_list": groupList, "group_show": groupShow,
		"tag_list": tagList, "tag_show": tagShow, "license_list": licenseList, "recently_changed_packages_activity_list": recentlyChanged,
	}
	return a
}

// call is one request of an action.
type call struct {
	*API
	r *http.Request
	s *query.Snapshot
	params
}

// Action answers the action of a name.
func (a *API) Action(name string) web.Handler {
	known := a.actions[name]
	var list []wire.Param
	for _, x := range wire.CKANActions() {
		if x.Name == name {
			list = x.Params
		}
	}
	return func(w http.ResponseWriter, r *http.Request) error {
		p, err := readParams(r)
		if err == nil {
			err = p.check(list)
		}
		c := &call{API: a, r: r, params: p}
		if err == nil {
			c.s, err = a.library.At(r.Context(), "")
		}
		var result any
		if err == nil {
			result, err = known(c)
		}
		if err != nil {
			return a.fail(w, r, name, err)
		}
		body, err := web.JSON(answer{Help: a.help(name), Success: true, Result: result})
		if err != nil {
			return err
		}
		d := web.Document{Head: web.Head{Type: artifact.JSON, Cache: web.CacheLive, Snapshot: c.s.ID}, Body: web.NewBody(body)}
		if r.Method == http.MethodPost {
			d.Cache = web.CacheNever
		}
		return d.Write(w, r)
	}
}

// Any answers the action that a path names, for paths and methods that are not described.
func (a *API) Any(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("action")
	if a.actions[name] == nil {
		return web.Reply(w, r, http.StatusBadRequest, "Bad request - Action name not known: "+web.Shorten(name))
	}
	return a.Action(name)(w, r)
}

// Version answers which version of the API there is.
func (a *API) Version(w http.ResponseWriter, r *http.Request) error {
	return web.Reply(w, r, http.StatusOK, map[string]int{"version": 3})
}

// Dataset leads from the page that CKAN would have of a package to that of the entry.
func (a *API) Dataset(w http.ResponseWriter, r *http.Request) error {
	s, err := a.library.At(r.Context(), "")
	if err != nil {
		return err
	}
	place := s.Find(r.PathValue("id"))
	if place.Slug == "" {
		return web.NotFound("Nothing is known under this name.")
	}
	web.Redirect(w, r, wire.Path(s.Site, "/entry/"+place.Slug))
	return nil
}

// answer is the envelope of every answer.
type answer struct {
	Help    string `json:"help"`
	Success bool   `json:"success"`
	Result  any    `json:"result,omitempty"`
	Error   any    `json:"error,omitempty"`
}

func (a *API) help(name string) string {
	site, _ := a.library.Site()
	return strings.TrimSuffix(site.BaseURL, "/") + wire.RouteCKANActions + "help_show?name=" + name
}

// fault is an error in the words of CKAN; members tell what is wrong with each parameter.
type fault struct {
	status  int
	kind    string
	message string
	members map[string][]string
}

// Error implements error.
func (f *fault) Error() string { return f.kind + ": " + f.message }

func notFound(what string) error {
	return &fault{http.StatusNotFound, "Not Found Error", what, nil}
}

func invalid(name, message string) error {
	return &fault{http.StatusConflict, "Validation Error", "", map[string][]string{name: {message}}}
}

// unsearchable is an error of Solr's language.
func unsearchable(message string) error {
	return &fault{http.StatusConflict, "Search Query Error", message, nil}
}

// fail answers an error of the caller in the form of CKAN; others are those of the service.
func (a *API) fail(w http.ResponseWriter, r *http.Request, name string, err error) error {
	var f *fault
	switch {
	case errors.As(err, &f):
	case errors.Is(err, fs.ErrNotExist):
		f = &fault{http.StatusNotFound, "Not Found Error", "Not found", nil}
	default:
		p := web.ProblemOf(err)
		if p.Status >= http.StatusInternalServerError || p.Status == http.StatusTooManyRequests {
			return err
		}
		f = &fault{status: http.StatusConflict, kind: "Validation Error", members: map[string][]string{}}
		for _, e := range p.Errors {
			_, at, _ := strings.Cut(e.Location, ".")
			f.members[at] = append(f.members[at], e.Message)
		}
		if len(p.Errors) == 0 {
			f.status, f.message = p.Status, p.Detail
		}
	}
	said := map[string]any{"__type": f.kind}
	if f.message != "" {
		said["message"] = f.message
	}
	for at, messages := range f.members {
		said[at] = messages
	}
	return web.Reply(w, r, f.status, answer{Help: a.help(name), Error: said})
}
