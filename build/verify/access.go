package verify

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// known is what is recorded about the way in when a probe is made.
type known struct {
	class  catalog.FreeAccessClass
	auth   catalog.AuthType
	rights catalog.AccessRights
	announced
}

func knownOf(e *catalog.Entry) known {
	return known{class: e.FreeAccessClass, auth: e.AuthType, rights: e.AccessRights, announced: announced{e.DeprecationAt, e.SunsetAt}}
}

// settled tells that an anonymous answer with data would say nothing new.
func (k known) settled() bool {
	return k.auth != catalog.AuthUnknown && (k.class != catalog.AccessUnknown || k.rights.Excludes())
}

// schemes are the authentication schemes of RFC 9110, section 11.6.1, that have a
// word of ours; others are custom.
var schemes = map[string]catalog.AuthType{"basic": catalog.AuthBasic, "bearer": catalog.AuthBearer, "dpop": catalog.AuthOAuth,
	"apikey": catalog.AuthAPIKey, "api-key": catalog.AuthAPIKey, "x-api-key": catalog.AuthAPIKey}

// challenge reads the first scheme that an answer asks for; UNKNOWN where it
// names none.
func challenge(h http.Header) catalog.AuthType {
	scheme, _, _ := strings.Cut(strings.TrimSpace(h.Get("WWW-Authenticate")), " ")
	scheme = strings.ToLower(strings.TrimSuffix(scheme, ","))
	if scheme == "" {
		return catalog.AuthUnknown
	}
	if t, ok := schemes[scheme]; ok {
		return t
	}
	return catalog.AuthCustom
}

// access is what a check says about the way in (decisions-2 §C).
type access struct {
	// open tells that a request without credentials got data.
	open bool
	// auth is what an answer that refused it asks for.
	auth catalog.AuthType
}

// accessOf is what an outcome says about the way in; false for nothing. A
// description, a capabilities document or a handshake is not the data.
func accessOf(t *Target, o *Outcome) (access, bool) {
	switch c := &o.Check; {
	case !c.Up, t.Kind == KindOpenAPI: // the way to a description is not the way in
		return access{}, false
	case c.RequiresAuth:
		return access{auth: o.challenge}, true
	case t.Kind == KindDistribution || t.Kind == KindSPARQL || t.Kind == KindHTTP:
		return access{open: true}, t.Data && o.read > 0
	}
	return access{}, false
}

// news tells whether what was seen differs from what is known, so that the entry
// has to be read. One refusal does not undo what an answer proved: before is the
// state before this check, and has to have been refused, too.
func (a access) news(k known, before *catalog.CheckState) bool {
	if a.open {
		return !k.settled() || before != nil && before.RequiresAuth
	}
	if k.auth == catalog.AuthUnknown {
		return a.auth != catalog.AuthUnknown
	}
	return k.auth == catalog.AuthNone && before != nil && before.RequiresAuth
}

const (
	sawData    = "a request without credentials got data"
	sawRefusal = "the way in that the answer to a request without credentials asks for"
)

// take changes an entry by what was seen; what a publisher, a catalogue or the
// source's own description says is left alone.
func (a access) take(c *Change, url string) {
	if member, _ := c.Observed("auth_type"); member != "" && member != challengeHeader {
		return
	}
	if a.open {
		a.takeOpen(c, url)
		return
	}
	e := c.Entry
	if class := e.FreeAccessClass; class == catalog.AccessFreeNoAuth && c.Mine("free_access_class", false) {
		e.FreeAccessClass = catalog.AccessUnknown
		c.Withdraw("free_access_class", class, e.FreeAccessClass)
	}
	auth := e.AuthType
	if auth == a.auth || !c.Mine("auth_type", auth == catalog.AuthUnknown) {
		return
	}
	if e.AuthType = a.auth; a.auth == catalog.AuthUnknown {
		c.Withdraw("auth_type", auth, a.auth)
		return
	}
	c.Note("auth_type", url, challengeHeader, sawRefusal, auth, a.auth)
}

// challengeHeader names where an answer says how to authenticate.
const challengeHeader = "WWW-Authenticate"

func (a access) takeOpen(c *Change, url string) {
	e := c.Entry
	if auth := e.AuthType; auth != catalog.AuthNone && c.Mine("auth_type", auth == catalog.AuthUnknown) {
		e.AuthType = catalog.AuthNone
		c.Note("auth_type", url, "", sawData, auth, e.AuthType)
	}
	if e.FreeAccessClass == catalog.AccessUnknown && e.AuthType == catalog.AuthNone && !e.AccessRights.Excludes() {
		e.FreeAccessClass = catalog.AccessFreeNoAuth
		c.Note("free_access_class", url, "", sawData, catalog.AccessUnknown, e.FreeAccessClass)
	}
}

// takeAccess stores what a batch of notes says about the way into entries.
func (p *page) takeAccess(ctx context.Context, tx catalog.Tx, before map[string]*catalog.CheckState) error {
	told := map[string]*note{}
	var ids []string
	for _, n := range p.kept {
		if n.check == nil || n.outcome == nil {
			continue
		}
		if a, ok := accessOf(&n.target, n.outcome); ok && a.news(n.target.known, before[n.probe.EntryID]) {
			told[n.probe.EntryID] = n
			ids = append(ids, n.probe.EntryID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	entries, err := tx.Entries().Get(ctx, ids...)
	if err != nil {
		return err
	}
	for i := range entries {
		e := &entries[i]
		n := told[e.ID]
		a, _ := accessOf(&n.target, n.outcome)
		if e.Status != catalog.StatusActive || e.MergedIntoID != "" || !a.news(knownOf(e), before[e.ID]) {
			continue
		}
		c, err := NewChange(ctx, tx, e, n.check.At)
		if err != nil {
			return err
		}
		if a.take(c, n.check.URL); len(c.Fields) == 0 {
			continue
		}
		// A row that another program wrote does not stop the checks of others.
		if err := e.Validate(); err != nil {
			p.refused = append(p.refused, fmt.Errorf("entry %s: what was seen of the way in is not stored: %w", e.ID, err))
			continue
		}
		if err := c.Put(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}
