package submissions

import (
	"crypto/rand"
	"net/http"
	"strings"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Create takes a proposal. The answer is sent when it is stored together with
// its event and the job that checks it.
func (d *Handlers) Create() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		t, err := d.ticket(r)
		if err != nil {
			return err
		}
		if err := d.gate.pass(r.Context(), t); err != nil {
			return err
		}
		web.ReplyBytes(w, r, http.StatusCreated, t.body)
		return nil
	}
}

func (d *Handlers) ticket(r *http.Request) (*ticket, error) {
	key, err := web.Idempotency(r, "createSubmission")
	if err != nil {
		return nil, err
	}
	var req wire.SubmissionRequest
	if err := web.Decode(r, &req); err != nil {
		return nil, err
	}
	now := d.now()
	clean := strings.TrimSpace
	s := catalog.Submission{ID: newID("submission"), URL: clean(req.URL), Name: clean(req.Name), Type: req.Type,
		CountryCode: strings.ToUpper(clean(req.CountryCode)), Description: clean(req.Description), DocsURL: clean(req.DocsURL),
		Institution: clean(req.Institution), ContactEmail: clean(req.ContactEmail), Notes: clean(req.Notes),
		State: catalog.SubmissionReceived, CreatedAt: now, UpdatedAt: now}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	for field, text := range map[string]string{"name": s.Name, "institution": s.Institution} {
		if err := oneLine(field, text); err != nil {
			return nil, err
		}
	}
	s.Address = catalog.NormalURL(s.URL)
	s.Steps = []catalog.SubmissionStep{{State: s.State, At: now}}
	secret := rand.Text()
	s.StatusHash = web.Digest(secret)
	t := &ticket{submission: s, token: s.ID + "." + secret, key: key}
	if key != "" {
		body, err := web.JSON(req)
		if err != nil {
			return nil, err
		}
		t.request = web.Digest(string(body))
	}
	return t, nil
}
