package notify

import (
	"context"
	"errors"
	"time"

	"github.com/assay-register/assay/dynamic/mail"
	"github.com/assay-register/assay/render/catalog"
)

// How many mails that ask for confirmation go out within confirmsIn: to one
// mailbox, to all of a domain, to all of a domain where strangers have their
// mailboxes, and in all. What is above the first is not sent, as the mailbox has
// a mail that confirms; what is above the others waits for its turn.
const (
	confirmsIn  = 24 * time.Hour
	mailboxMax  = 3
	domainMax   = 30
	providerMax = 300
	allMax      = 1000
	// turnEvery is how often a mail that waits asks whether it is its turn, while
	// its watch can be confirmed.
	turnEvery = time.Hour
)

// Kinds of what is counted.
const (
	tallyMailbox = "confirm.mailbox"
	tallyDomain  = "confirm.domain"
	tallyAll     = "confirm.all"
)

// errTurn says that a mail waits because many were sent.
var errTurn = errors.New("many mails that ask for confirmation were sent today: this one waits for its turn")

// admit counts the mail that asks to confirm a watch, and tells whether it may
// be sent; a mail that is tried again is counted once. The store keeps hashes:
// it remembers no address of a watch that ended.
func admit(ctx context.Context, tx catalog.Tx, email, jobID string, now time.Time) (bool, error) {
	mailbox, domain := mail.Mailbox(email)
	most := domainMax
	if mail.PublicProvider(domain) {
		most = providerMax
	}
	counted := make([]catalog.Tally, 0, 3)
	for _, c := range []struct {
		kind, key string
		max       int
		above     error
	}{{tallyMailbox, HashToken(mailbox), mailboxMax, nil}, {tallyDomain, HashToken(domain), most, errTurn}, {tallyAll, "", allMax, errTurn}} {
		times, err := tx.Tallies().Since(ctx, c.kind, c.key, now.Add(-confirmsIn), jobID)
		if err != nil {
			return false, err
		}
		if len(times) >= c.max {
			return false, c.above
		}
		counted = append(counted, catalog.Tally{Kind: c.kind, Key: c.key, ID: jobID, At: now})
	}
	return true, tx.Tallies().Add(ctx, counted...)
}
