package watches

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/assay-register/assay/dynamic/notify"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Whoever asks for mail is a stranger. A client asks for so many watches within
// pauseIn as it likes up to freeAsks; before each further one it waits, twice as
// long each time, up to pauseMax. It needs no script to wait.
const (
	pauseIn  = 24 * time.Hour
	freeAsks = 20
	pauseMin = time.Minute
	pauseMax = time.Hour
	// tallyClient is the kind under which the asks of a client are counted.
	tallyClient = "watch.client"
)

// pause counts that a client asks for a watch, or refuses with the time to wait.
// The answer says nothing of addresses: only the client's own asks count.
func pause(ctx context.Context, tx catalog.Tx, watchID string, now time.Time) error {
	client := notify.HashToken(tallyClient + " " + web.ClientOf(ctx))
	times, err := tx.Tallies().Since(ctx, tallyClient, client, now.Add(-pauseIn), "")
	if err != nil {
		return err
	}
	if more := len(times) - freeAsks; more >= 0 {
		wait := min(pauseMin<<min(more, 10), pauseMax)
		if left := times[len(times)-1].Add(wait).Sub(now); left > 0 {
			return tooSoon(int(math.Ceil(left.Seconds())))
		}
	}
	return tx.Tallies().Add(ctx, catalog.Tally{Kind: tallyClient, Key: client, ID: watchID, At: now})
}

func tooSoon(seconds int) error {
	return &web.Error{
		Problem: wire.Problem{Status: http.StatusTooManyRequests, Type: web.ProblemQuota, ViolatedPolicies: []string{tallyClient},
			Detail: fmt.Sprintf("You asked for many watches today; the next one can be asked for in %d s.", seconds)},
		Header: http.Header{"Retry-After": {strconv.Itoa(seconds)}},
	}
}
