package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/assay-register/assay/render/wire"
)

// Decode reads a JSON request body into v strictly: another media type is a
// 415, what is no JSON a 400, an unknown or repeated member or a value of the
// wrong type a 422 that names it.
func Decode(r *http.Request, v any) error {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return &Error{Problem: wire.Problem{Status: http.StatusUnsupportedMediaType, Detail: "Send the body as application/json."}}
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return brokenOff(err)
	}
	if !utf8.Valid(body) {
		return Malformed("The body is not UTF-8.")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return decodeError(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Malformed("The body holds more than one JSON value.")
	}
	return strict(body, reflect.TypeOf(v).Elem())
}

// Receive waits for the whole body of a request, so that reading it waits no more.
func Receive(r *http.Request) error {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return brokenOff(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return nil
}

// brokenOff is the answer to a body that could not be read to its end.
func brokenOff(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &Error{Problem: wire.Problem{Status: http.StatusRequestTimeout, Detail: "The body came too slowly."}, Cause: err}
	}
	return &Error{Problem: wire.Problem{Status: http.StatusBadRequest, Detail: "The body broke off."}, Cause: err}
}

func decodeError(err error) error {
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrongType):
		return invalidMember(wrongType.Field, fmt.Sprintf("is a %s, not a %s", wrongType.Value, wrongType.Type))
	case errors.Is(err, io.EOF):
		return Malformed("The body is empty; send a JSON object.")
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return invalidMember(strings.Trim(name, `"`), "is not a member of this request")
	}
	return &Error{Problem: wire.Problem{Status: http.StatusBadRequest, Detail: "The body is not JSON."}, Cause: err}
}

func invalidMember(name, message string) error {
	return &Error{Problem: wire.Problem{Status: http.StatusUnprocessableEntity, Detail: "A member of the body is not valid.",
		Errors: []wire.ProblemError{{Location: "body." + name, Message: message}}}}
}
