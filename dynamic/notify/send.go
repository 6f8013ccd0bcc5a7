package notify

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Bounds of an answer, in bytes.
const (
	answerMax  = 4 << 10
	snippetMax = 500
)

// result is the outcome of one attempt.
type result struct {
	delivery catalog.Delivery
	attempt  catalog.DeliveryAttempt
	ok       bool
	// wait is what the endpoint asked for.
	wait time.Duration
	// aborted attempts were cut off by the end of the process: they do not
	// count.
	aborted bool
}

// send makes one attempt. The client checks the address of the endpoint when
// it connects, and no redirect is followed.
func (d *Dispatcher) send(ctx context.Context, w *catalog.Webhook, m catalog.Delivery) result {
	at := d.Now()
	r := result{delivery: m, attempt: catalog.DeliveryAttempt{At: at.UTC()}}
	timed, cancel := context.WithTimeout(ctx, d.Timeout)
	defer cancel()
	err := d.exchange(timed, w, &r, at)
	r.attempt.LatencyMS = d.Now().Sub(at).Milliseconds()
	r.ok = err == nil
	if err != nil {
		r.attempt.Error = clean(explain(err))
		r.aborted = ctx.Err() != nil
	}
	return r
}

func (d *Dispatcher) exchange(ctx context.Context, w *catalog.Webhook, r *result, at time.Time) error {
	signature, err := sign(w.Keys(at), r.delivery.ID, at, r.delivery.Body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, strings.NewReader(r.delivery.Body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("webhook-id", r.delivery.ID)
	req.Header.Set("webhook-timestamp", strconv.FormatInt(at.Unix(), 10))
	req.Header.Set("webhook-signature", signature)
	resp, err := d.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, readErr := io.ReadAll(io.LimitReader(resp.Body, answerMax))
	r.attempt.Status, r.attempt.Response = resp.StatusCode, clean(string(answer))
	switch code := resp.StatusCode; {
	case code >= 200 && code < 300 && r.delivery.Type == catalog.MessageVerify:
		return echoes(answer, r.delivery.Challenge, readErr)
	case code >= 200 && code < 300:
		return nil // a body that breaks off does not undo the acceptance
	case code >= 300 && code < 400:
		return fmt.Errorf("answered %d: redirects are not followed, change the address instead", code)
	}
	r.wait = retryAfter(resp.Header, d.Now())
	return fmt.Errorf("answered %d", resp.StatusCode)
}

// echoes tells whether an answer is the challenge, alone or as the member
// challenge of an object.
func echoes(answer []byte, challenge string, broken error) error {
	var object struct {
		Challenge string `json:"challenge"`
	}
	text := strings.TrimSpace(string(answer))
	if json.Unmarshal(answer, &object) == nil && object.Challenge != "" {
		text = object.Challenge
	}
	if challenge != "" && subtle.ConstantTimeCompare([]byte(text), []byte(challenge)) == 1 {
		return nil
	}
	return errors.Join(errors.New("did not echo the challenge: answer with its text, or with an object that has it as challenge"), broken)
}

// explain leaves out the address, which the reader knows.
func explain(err error) string {
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "no answer in time"
	}
	return err.Error()
}

// clean cuts a foreign text and takes control characters out.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "�")
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		if r < ' ' || r >= 0x7f && r <= 0x9f {
			return -1
		}
		return r
	}, s)
	if len(s) > snippetMax {
		s = strings.ToValidUTF8(s[:snippetMax], "") + "…"
	}
	return s
}
