package events

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// request is a part of the feed that somebody asks for.
type request struct {
	after  int64
	cursor string
	limit  int
	filter catalog.EventFilter
	// names are the ids and slugs of the entries that are asked for.
	names  []string
	values url.Values
}

// parse reads the parameters of listEvents. All errors come together.
func parse(values url.Values) (*request, error) {
	q := &request{limit: wire.FeedDefault, values: maps.Clone(values)}
	var wrong []wire.ProblemError
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if err := q.param(name, values[name]); err != nil {
			wrong = append(wrong, wire.ProblemError{Location: "query." + web.Shorten(name), Message: err.Error(), Value: web.Shorten(values[name][0])})
		}
	}
	if len(wrong) > 0 {
		return nil, invalid(wrong...)
	}
	return q, nil
}

func invalid(wrong ...wire.ProblemError) error {
	detail := "One parameter cannot be used."
	if len(wrong) > 1 {
		detail = fmt.Sprintf("%d parameters cannot be used.", len(wrong))
	}
	return &web.Error{Problem: wire.Problem{Status: http.StatusUnprocessableEntity, Type: web.ProblemParameter, Detail: detail, Errors: wrong}}
}

// ahead refuses a cursor that lies behind the end of the log: to go on from it
// would pass by every event until the log gets there.
func ahead(cursor string) error {
	return invalid(wire.ProblemError{Location: "query.cursor", Value: web.Shorten(cursor),
		Message: "lies behind the last event of this register: begin again without it, or ask the register that gave it"})
}

func (q *request) param(name string, given []string) (err error) {
	if len(given) > 1 {
		return errors.New("given more than once; separate several values of a filter by commas")
	}
	value := given[0]
	switch name {
	case "cursor":
		q.cursor = value
		if q.after, err = wire.ParseCursor(value); err != nil {
			return remedy(err)
		}
		return nil
	case "limit":
		q.limit, err = strconv.Atoi(value)
		if err != nil || q.limit < 1 || q.limit > wire.FeedMax {
			return fmt.Errorf("use an integer from 1 to %d", wire.FeedMax)
		}
		return nil
	}
	list := strings.Split(value, ",")
	switch name {
	case "type":
		for _, v := range list {
			q.filter.Types = append(q.filter.Types, catalog.EventKind(v))
		}
	case "entry":
		if q.names = list; slices.Contains(list, "") || len(list) > catalog.FilterMax {
			return fmt.Errorf("name 1 to %d entries by id or slug", catalog.FilterMax)
		}
	case "country":
		q.filter.Countries = strings.Split(strings.ToUpper(value), ",")
	case "institution":
		q.filter.Institutions = list
	case "tag":
		q.filter.Tags = list
	default:
		return errors.New("unknown parameter; known are " + known())
	}
	return remedy(q.filter.Validate())
}

// remedy says in short what a value should be.
func remedy(err error) error {
	var field *catalog.FieldError
	if errors.As(err, &field) {
		return errors.New(field.Remedy)
	}
	return err
}

func known() string {
	var names []string
	for _, p := range wire.FeedParams() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// resolve turns the names of entries into ids; an unknown name fits nothing.
func (q *request) resolve(ctx context.Context, tx catalog.Tx) error {
	if len(q.names) == 0 {
		return nil
	}
	bySlug, err := tx.Entries().BySlug(ctx, q.names...)
	if err != nil {
		return err
	}
	q.filter.Entries = nil
	for _, name := range q.names {
		if id := bySlug[name]; id != "" {
			name = id
		}
		q.filter.Entries = append(q.filter.Entries, strings.ToLower(name))
	}
	return nil
}

// at is the route of the same request from another cursor.
func (q *request) at(cursor string) string {
	v := maps.Clone(q.values)
	v.Set("cursor", cursor)
	return wire.RouteFeed + "?" + v.Encode()
}
