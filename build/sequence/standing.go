package sequence

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// metaStanding names, in the store, how the last run ended.
const metaStanding = "log_standing"

// Standing is how the log of a register stood when somebody last wrote it, as the store remembers it.
type Standing struct {
	// Size is how many leaves it had then, Signed when a run last left nothing unsigned.
	Size   int64     `json:"size"`
	Signed time.Time `json:"signed,omitzero"`
	// Refused is the class of what keeps it from going on since Since, "" for nothing.
	Refused string    `json:"refused,omitempty"`
	Since   time.Time `json:"since,omitzero"`
}

// ErrKeyless says that a site has a log that nothing signs any more.
var ErrKeyless = errors.New("the site has a log of verdicts, but no key to go on with it: nothing was signed, so readers would take what is shown for never logged; " +
	"name its key (signing_key), or take the folder of the log away to give it up")

// classes are what a log refuses to go on for, and what everybody may be told of it: no path of a machine is in it.
var classes = []struct {
	name, told string
	err        error
}{
	{"restored", "the register was put back to an earlier state than its log; put its latest state back, or go on with assay log resume", ErrRestored},
	{"older", "the folder of the log was put back, or is gone; put its latest files back from where the site was published to", ErrOlder},
	{"forked", "the folder of the log holds another log than the register signed; put its own files back from where the site was published to", ErrForked},
	{"forgot", "register and log were put back together; put the latest files of the log back from where the site was published to, then assay log resume", ErrForgot},
	{"key", "it was signed by another key, which must sign that this one follows; keep both in the key file, the new one last (assay key rotate)", ErrKey},
	{"keyless", "no key is named to go on with it; name it (signing_key), or take the folder of the log away to give it up", ErrKeyless},
	{fault, "it could not be written; the log of the last build says why", nil},
}

const fault = "fault"

// Told is what may be said to everybody of why the log does not go on, with the remedy; "" while it does.
func (s *Standing) Told() string {
	for _, c := range classes {
		if c.name == s.Refused {
			return "signs nothing since " + s.Since.UTC().Format(time.RFC3339) + ": " + c.told
		}
	}
	return ""
}

// Stood reads the standing of the log of a register; known is false where none was ever written.
func Stood(ctx context.Context, st catalog.Store) (s Standing, known bool, err error) {
	var text string
	err = st.View(ctx, func(tx catalog.Tx) error {
		text, err = tx.Meta().Get(ctx, metaStanding)
		return err
	})
	if err != nil || text == "" {
		return s, false, err
	}
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return s, false, fmt.Errorf("%s in the store: %w", metaStanding, err)
	}
	return s, true, nil
}

// Note lets the store remember how a run ended, for those who serve what it wrote.
func Note(ctx context.Context, st catalog.Store, size int64, why error, at time.Time) error {
	s, _, err := Stood(ctx, st)
	if err != nil {
		s = Standing{} // what cannot be read is written anew
	}
	if why == nil {
		s = Standing{Size: size, Signed: at.UTC()}
	} else {
		before := s.Refused
		s.Refused = fault
		for _, c := range classes {
			if c.err != nil && errors.Is(why, c.err) {
				s.Refused = c.name
				break
			}
		}
		if before == "" {
			s.Since = at.UTC()
		}
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return st.Update(ctx, func(tx catalog.Tx) error { return tx.Meta().Set(ctx, metaStanding, string(text)) })
}
