package submission

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// check looks at the address of a submission and judges what is there. An
// error means that another attempt may find out more; the last one makes do
// with what it has.
func (c *Checker) check(ctx context.Context, intake *harvest.Intake, s *catalog.Submission, last bool) (verdict, error) {
	l := &look{checker: c, in: intake.Input(), submission: s, fetch: c.Fetcher.Session(nil).Fetch}
	l.in.AllowPrivate = c.AllowPrivate
	draft, err := l.draft(ctx)
	if ctx.Err() != nil && !last {
		return verdict{}, fmt.Errorf("check of %s: %w", fetch.Public(s.URL), ctx.Err())
	}
	var failed *source.FetchError
	switch {
	case errors.As(err, &failed) && !final(failed) && !last:
		return verdict{}, err
	case errors.As(err, &failed):
		why := catalog.Reason{Class: catalog.ReasonUnreachable, Text: "the address does not answer: " + words(failed)}
		return verdict{state: catalog.SubmissionRejected, reason: why, findings: l.findings}, nil
	case err != nil && !last && !errors.Is(err, errUnfit):
		return verdict{}, err
	case err != nil:
		why := catalog.Reason{Class: catalog.ReasonUnfit, Text: err.Error()}
		return verdict{state: catalog.SubmissionRejected, reason: why, findings: l.findings}, nil //nolint:nilerr // the verdict tells it
	}
	subject := intake.Prepare(draft)
	intake.Prove(ctx, c.prover(), subject, s.DocsURL)
	v := verdict{subject: subject, findings: l.findings, reason: catalog.Reason{Class: catalog.ReasonProofs}}
	v.state, v.reason.Text = intake.Decide(subject)
	return v, nil
}

// errUnfit is an address at which something else than one source was found.
var errUnfit = errors.New("not one source")

// unfit explains an errUnfit.
type unfit string

// Error implements error.
func (u unfit) Error() string { return string(u) }

// Is makes it an errUnfit.
func (u unfit) Is(target error) bool { return target == errUnfit }

// final tells that another attempt would fail as well.
func final(e *source.FetchError) bool {
	switch e.Code {
	case fetch.CodeDNS, fetch.CodePrivate, fetch.CodeOutside, fetch.CodeRedirects, source.CodeBadURL, fetch.CodeTLS:
		return true
	}
	return e.Code == fetch.CodeStatus && e.Status >= 400 && e.Status < 500 && e.Status != http.StatusRequestTimeout
}

// words tell a submitter why an address could not be read, without what the
// register knows of its own network: a private name and one that does not exist
// read the same.
func words(e *source.FetchError) string {
	switch e.Code {
	case fetch.CodeStatus:
		return fmt.Sprintf("status %d", e.Status)
	case fetch.CodePrivate, fetch.CodeDNS:
		return "its host is not known on the public internet"
	case fetch.CodeOutside:
		return "this register does not reach it"
	case fetch.CodeTLS:
		return "its certificate does not prove who it is"
	case fetch.CodeRedirects:
		return "its redirects lead nowhere"
	case fetch.CodeTimeout, fetch.CodeSlow:
		return "it takes too long"
	}
	return "no connection"
}
