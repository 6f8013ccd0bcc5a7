package verify_test

import "time"

// judged is what the oracle makes of an entry.
type judged struct {
	state    string
	failures int
	events   []string
}

// oracle derives the verdict of an entry from the probes that its host saw and
// from nothing else. It knows the rules of decisions §5 and no code of the
// package: a failure counts when the next probe fails too; three that count in
// a row make FAILING; a success restores; 72 h without one make STALE at the
// next full hour unless FAILING; when none of several entries of a host was
// reached for an hour, what fails to reach it is the host's failure.
func oracle(h *host, id string, begin time.Time, days int) judged {
	j := judged{state: "UNVERIFIED"}
	become := func(state, event string) {
		if j.state != state {
			j.state = state
			j.events = append(j.events, event)
		}
	}
	var probes []seen
	for _, s := range h.seen {
		if !s.onward {
			probes = append(probes, s)
		}
	}
	pending := map[string]time.Time{}
	var known, success, unreached time.Time
	hostDown := false
	check := func(s seen) {
		own := s.entry == id
		if s.reached {
			unreached, hostDown = time.Time{}, false
		}
		failed := pending[s.entry]
		delete(pending, s.entry)
		switch {
		case s.up:
			if own {
				j.failures, success = 0, s.at
				become("VERIFIED", "verified")
			}
		case failed.IsZero():
			pending[s.entry] = s.at
			return
		default:
			if !s.reached && len(h.entries) > 1 {
				if unreached.IsZero() {
					unreached = failed
				}
				hostDown = hostDown || s.at.Sub(unreached) >= time.Hour
			}
			if hostDown || !own {
				break
			}
			if j.failures++; j.failures >= 3 {
				become("FAILING", "failing")
			}
		}
		if own && known.IsZero() {
			known = s.at
		}
	}
	for hour := range days * 24 {
		tick := begin.Add(time.Duration(hour+1) * time.Hour)
		for len(probes) > 0 && probes[0].at.Before(tick) {
			check(probes[0])
			probes = probes[1:]
		}
		last := success
		if last.IsZero() {
			last = known
		}
		if !last.IsZero() && j.state != "FAILING" && tick.Sub(last) >= 72*time.Hour {
			become("STALE", "stale")
		}
	}
	return j
}
