package past

import (
	"net/url"
	"strconv"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// window is what of the past is asked for.
type window struct {
	at, from, to time.Time
	limit        int
	after        int64
	// open tells that no end was named: it is the present.
	open bool
}

// read reads the instants of a request.
func read(values url.Values, params []wire.Param, now time.Time) (w window, err error) {
	var wrong []wire.ProblemError
	refuse := func(name, message string) {
		wrong = append(wrong, wire.ProblemError{Location: "query." + name, Message: message, Value: web.Shorten(values.Get(name))})
	}
	w = window{to: now, limit: 100, open: values.Get("to") == ""}
	for _, p := range params {
		given := values.Get(p.Name)
		switch {
		case given == "" && p.Required:
			refuse(p.Name, "say when: an instant such as 2026-03-31T12:00:00Z, or a day, which means its end in UTC")
		case given == "" || p.Name != "at" && p.Name != "from" && p.Name != "to":
		default:
			t, ok := instant(given)
			if !ok {
				refuse(p.Name, "use an instant like 2026-03-31T12:00:00Z or a day like 2026-03-31; write + as %2B")
			} else if p.Name != "to" && t.After(now.Add(24*time.Hour)) {
				refuse(p.Name, "is in the future")
			}
			*map[string]*time.Time{"at": &w.at, "from": &w.from, "to": &w.to}[p.Name] = t
		}
	}
	if len(wrong) == 0 && w.from.After(w.to) {
		refuse("from", "is later than to")
	}
	if given := values.Get("limit"); given != "" {
		w.limit, _ = strconv.Atoi(given) // it was checked
	}
	if given := values.Get("cursor"); given != "" {
		if w.after, err = wire.ParseCursor(given); err != nil {
			refuse("cursor", "use next_cursor of an earlier answer as it is")
		}
	}
	if len(wrong) > 0 {
		return w, &web.Error{Problem: wire.Problem{Status: 422, Type: web.ProblemParameter, Detail: "The request cannot be answered.", Errors: wrong}}
	}
	return w, nil
}

// instant reads an instant, or a day, which means its end.
func instant(s string) (time.Time, bool) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t.UTC(), t.Year() >= 0 && t.Year() <= 9999
	}
	t, err := dayEnd(s)
	return t, err == nil
}

// dayEnd is the last millisecond of a UTC day.
func dayEnd(day string) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, day)
	return t.Add(24*time.Hour - time.Millisecond), err
}
