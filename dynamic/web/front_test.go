package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

func front(log io.Writer) *Front {
	return &Front{Log: slog.New(slog.NewTextHandler(log, nil)), Now: time.Now, Timeout: 50 * time.Millisecond, BodyMax: 10,
		Site: func() (snapshot.Site, string) { return snapshot.Site{BaseURL: "https://register.example"}, "" }}
}

func ask(f *Front, h Handler) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	f.Wrap(f.Adapt(h)).ServeHTTP(w, httptest.NewRequest("GET", "/x?secret=1", nil))
	return w
}

func TestErrorsBecomeStatuses(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		shows  string
	}{
		{fmt.Errorf("entry x: %w", catalog.ErrNotFound), 404, ""}, {catalog.ErrConflict, 409, ""}, {catalog.ErrGone, 410, ""},
		{catalog.ErrLeaseLost, 409, ""}, {catalog.ErrInvalid, 422, ""}, {errors.New("disk on fire at /srv"), 500, ""},
		{&catalog.FieldError{Field: "slug", Value: "X", Remedy: "use lower case"}, 422, "use lower case"},
		{&http.MaxBytesError{Limit: 10}, 413, ""}, {fmt.Errorf("q: %w", context.DeadlineExceeded), 503, ""},
		{&Error{Problem: wire.Problem{Status: 410, Type: ProblemRemoved, Detail: "was removed"}}, 410, "https://register.example/problems/entry-removed"},
	} {
		var log strings.Builder
		w := ask(front(&log), func(http.ResponseWriter, *http.Request) error { return c.err })
		body := w.Body.String()
		if w.Code != c.status || !strings.Contains(body, c.shows) || strings.Contains(body, "disk") || strings.Contains(body, "entry x") {
			t.Errorf("%v: %d %s", c.err, w.Code, body)
		}
		if (w.Code == 503) != (w.Header().Get("Retry-After") != "") {
			t.Errorf("%v: Retry-After %q", c.err, w.Header().Get("Retry-After"))
		}
		if w.Code >= 500 && !strings.Contains(log.String(), "level=ERROR") {
			t.Errorf("%v: logged %s", c.err, log.String())
		}
	}
}

// TestErrorsBecomePages: who gets a page gets the status and the headers of the error, and none of
// those that the handler set for an answer that it did not give.
func TestErrorsBecomePages(t *testing.T) {
	f := front(io.Discard)
	f.Page = func(_ *http.Request, p *wire.Problem) []byte {
		if p.Status == http.StatusTeapot {
			return nil
		}
		return []byte("<h1>sorry</h1>")
	}
	for _, c := range []struct {
		err               error
		status            int
		retry, body, kind string
	}{
		{TooMany("later", time.Minute), 429, "60", "<h1>", "text/html"},
		{context.DeadlineExceeded, 503, retryAfter, "<h1>", "text/html"},
		{&Error{}, 500, "", "<h1>", "text/html"},
		{&Error{Problem: wire.Problem{Status: http.StatusTeapot}}, 418, "", `"status":418`, wire.MediaProblem},
	} {
		w := ask(f, func(w http.ResponseWriter, _ *http.Request) error {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Etag", `"x"`)
			return c.err
		})
		h := w.Header()
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.body) || !strings.HasPrefix(h.Get("Content-Type"), c.kind) || h.Get("Retry-After") != c.retry {
			t.Errorf("%v: %d %v %s", c.err, w.Code, h, w.Body)
		}
		if h.Get("Content-Encoding")+h.Get("Etag") != "" || h.Get("Cache-Control") != CacheNever {
			t.Errorf("%v: %v", c.err, h)
		}
	}
}

// early is an error that is no fault.
type early struct{}

func (early) Error() string         { return "nothing is there yet" }
func (early) Problem() wire.Problem { return wire.Problem{Status: 503} }
func (early) Expected() bool        { return true }

// TestWhatIsExpectedIsNoError: an operator who looks for errors in the log finds
// faults alone.
func TestWhatIsExpectedIsNoError(t *testing.T) {
	t.Parallel()
	for _, quiet := range []bool{false, true} {
		var log strings.Builder
		f := front(&log)
		f.Quiet = quiet
		w := ask(f, func(http.ResponseWriter, *http.Request) error { return fmt.Errorf("answer: %w", early{}) })
		if w.Code != 503 || strings.Contains(log.String(), "ERROR") || strings.Contains(log.String(), "status=503") == quiet {
			t.Errorf("quiet %v: %d, logged %q", quiet, w.Code, log.String())
		}
	}
}

func TestAPanicIsAPlain500(t *testing.T) {
	var log strings.Builder
	w := ask(front(&log), func(http.ResponseWriter, *http.Request) error { panic("internal detail") })
	if w.Code != 500 || strings.Contains(w.Body.String(), "internal detail") || !strings.Contains(w.Body.String(), "about:blank") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), "internal detail") || !strings.Contains(log.String(), w.Header().Get("X-Request-Id")) {
		t.Errorf("log %s", log.String())
	}
}

func TestAnAnswerThatHasBegunIsCutOff(t *testing.T) {
	for name, h := range map[string]Handler{
		"error": func(w http.ResponseWriter, _ *http.Request) error {
			io.WriteString(w, "half")
			return errors.New("late")
		},
		"panic": func(w http.ResponseWriter, _ *http.Request) error { io.WriteString(w, "half"); panic("late") },
	} {
		server := httptest.NewServer(front(io.Discard).Wrap(front(io.Discard).Adapt(h)))
		res, err := server.Client().Get(server.URL + "/x")
		if err == nil {
			_, err = io.ReadAll(res.Body)
			res.Body.Close()
		}
		if err == nil {
			t.Errorf("%s: the client takes half an answer for a whole one", name)
		}
		server.Close()
	}
}

func TestARequestHasATimeLimit(t *testing.T) {
	w := ask(front(io.Discard), func(_ http.ResponseWriter, r *http.Request) error {
		<-r.Context().Done()
		return r.Context().Err()
	})
	if w.Code != 503 || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

func TestABodyHasALimit(t *testing.T) {
	f := front(io.Discard)
	r := httptest.NewRequest("POST", "/x", io.MultiReader(strings.NewReader("12345"), strings.NewReader("678901")))
	w := httptest.NewRecorder()
	f.Wrap(f.Adapt(func(_ http.ResponseWriter, r *http.Request) error {
		_, err := io.ReadAll(r.Body)
		return err
	})).ServeHTTP(w, r)
	if w.Code != 413 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestMethods(t *testing.T) {
	nothing := func(http.ResponseWriter, *http.Request) error { return nil }
	h := Methods(map[string]Handler{"POST": nothing, "DELETE": nothing})
	err := h(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	var e *Error
	if !errors.As(err, &e) || e.Problem.Status != 405 || e.Header.Get("Allow") != "DELETE, OPTIONS, POST" {
		t.Errorf("%v", err)
	}
}

func TestAProblemTakesBackWhatAHandlerSet(t *testing.T) {
	w := ask(front(io.Discard), func(w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("ETag", `"x"`)
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Cache-Control", CacheHashed)
		return catalog.ErrNotFound
	})
	if h := w.Header(); h.Get("ETag")+h.Get("Content-Encoding") != "" || h.Get("Cache-Control") != CacheNever {
		t.Errorf("%v", h)
	}
}

func TestAQuietFrontLogsFaultsOnly(t *testing.T) {
	for _, quiet := range []bool{true, false} {
		var log strings.Builder
		f := front(&log)
		f.Quiet = quiet
		ask(f, func(http.ResponseWriter, *http.Request) error { return catalog.ErrNotFound })
		if got := log.String() != ""; got == quiet {
			t.Errorf("quiet %v, an error of the client: logged %v", quiet, got)
		}
		ask(f, func(http.ResponseWriter, *http.Request) error { return errors.New("disk on fire") })
		if !strings.Contains(log.String(), "disk on fire") {
			t.Errorf("quiet %v: a fault was not logged", quiet)
		}
	}
}

// TestAPromptHandlerHasNoTimer, and all else that Adapt gives.
func TestAPromptHandlerHasNoTimer(t *testing.T) {
	f := front(io.Discard)
	w := httptest.NewRecorder()
	f.Wrap(f.Prompt(func(_ http.ResponseWriter, r *http.Request) error {
		if _, timed := r.Context().Deadline(); timed {
			t.Error("a deadline")
		}
		return catalog.ErrNotFound
	})).ServeHTTP(w, httptest.NewRequest("GET", "/x", nil))
	if w.Code != 404 || !strings.Contains(w.Body.String(), `"instance":"/x"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestRequestIDsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		id := newID()
		if seen[id] || len(id) != 32 {
			t.Fatalf("id %q", id)
		}
		seen[id] = true
	}
}

// TestContentCodings: what no handler would understand is not read.
func TestContentCodings(t *testing.T) {
	for _, c := range []struct {
		codings []string
		body    string
		status  int
	}{
		{nil, "{}", 204}, {[]string{"identity"}, "{}", 204}, {[]string{""}, "{}", 204}, {[]string{"gzip"}, "", 204},
		{[]string{"gzip"}, "{}", 415}, {[]string{"identity", "Identity, BR"}, "{}", 415}, {[]string{"none"}, "{}", 415},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/x", strings.NewReader(c.body))
		r.Header["Content-Encoding"] = c.codings
		f := front(io.Discard)
		f.Wrap(f.Adapt(func(w http.ResponseWriter, _ *http.Request) error { w.WriteHeader(204); return nil })).ServeHTTP(w, r)
		if w.Code != c.status || (w.Code == 415) != (w.Header().Get("Accept-Encoding") == "identity") {
			t.Errorf("%q with the body %q: %d, Accept-Encoding %q", c.codings, c.body, w.Code, w.Header().Get("Accept-Encoding"))
		}
	}
}
