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
	// since is when what from names begins: from there on events are listed.
	since time.Time
	limit int
	after int64
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
	asked := map[string]*time.Time{"at": &w.at, "from": &w.from, "to": &w.to}
	for _, p := range params {
		given := values.Get(p.Name)
		switch {
		case given == "" && p.Required:
			refuse(p.Name, "say when: an instant such as 2026-03-31T12:00:00Z, or a day, which means its end in UTC")
		case given == "" || asked[p.Name] == nil:
		default:
			begin, end, ok := instant(given)
			if !ok {
				refuse(p.Name, "use an instant like 2026-03-31T12:00:00Z or a day like 2026-03-31; write + as %2B")
			} else if begin.After(now.Add(skew)) {
				refuse(p.Name, "is in the future")
			}
			*asked[p.Name] = end
			if p.Name == "from" {
				w.since = begin
			}
		}
	}
	if len(wrong) == 0 && w.since.After(w.to) {
		refuse("from", laterThanTo)
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
		return w, refused(wrong...)
	}
	return w, nil
}

const laterThanTo = "is later than to"

func refused(wrong ...wire.ProblemError) error {
	return &web.Error{Problem: wire.Problem{Status: 422, Type: web.ProblemParameter, Detail: "The request cannot be answered.", Errors: wrong}}
}

// skew is how far a client's clock may be ahead.
const skew = time.Minute

// instant reads an instant, or a day: when the second or the UTC day that it names begins and ends.
// Snapshots tell their time in seconds, so what became public within that second is shown by them.
func instant(s string) (begin, end time.Time, ok bool) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		t = t.UTC()
		return t.Truncate(time.Second), secondEnd(t), t.Year() >= 0 && t.Year() <= 9999
	}
	begin, err := time.Parse(time.DateOnly, s)
	return begin, dayEnd(begin), err == nil
}

// secondEnd is the last nanosecond of the second of an instant.
func secondEnd(t time.Time) time.Time { return t.Truncate(time.Second).Add(time.Second - 1) }

// dayEnd is the last nanosecond of the UTC day that begins at an instant.
func dayEnd(t time.Time) time.Time { return t.Add(24*time.Hour - 1) }
