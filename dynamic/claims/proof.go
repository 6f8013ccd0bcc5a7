package claims

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/publicsuffix"

	"github.com/assay-register/assay/render/catalog"
)

// Resolver asks the domain name system.
type Resolver interface {
	LookupTXT(ctx context.Context, name string) ([]string, error)
	LookupCNAME(ctx context.Context, host string) (string, error)
}

// Prover looks for the proofs of claims.
type Prover struct {
	// Client reaches public addresses only.
	Client   *http.Client
	Resolver Resolver
}

const (
	// dnsLabel begins the name of the TXT record, valuePrefix its text.
	dnsLabel, valuePrefix = "_assay-claim.", "assay-claim="
	// filePath is where the file lies (RFC 8615).
	filePath = "/.well-known/assay-claim.txt"
	lookTime = 15 * time.Second
	fileMax  = 4 << 10
	pageMax  = 2 << 20
)

// Where says where the proof of a claim is looked for, and what it must be.
func Where(c *catalog.Claim, page, claimURL string) (place, value string) {
	switch c.Method {
	case catalog.ClaimDNS:
		return dnsLabel + c.Domain, valuePrefix + c.Value
	case catalog.ClaimFile:
		return "https://" + c.Domain + filePath, valuePrefix + c.Value
	case catalog.ClaimLink:
		return page, `<link rel="me" href="` + claimURL + `?proof=` + c.Value + `">`
	}
	return "", ""
}

// Look looks for the proof of a claim; nil is that it is there. page is the official page of
// the institution, claimURL the address of the claim.
func (p *Prover) Look(ctx context.Context, c *catalog.Claim, official []string, page, claimURL string) error {
	if err := Admissible(c.Domain, official); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	switch c.Method {
	case catalog.ClaimDNS:
		return p.dns(ctx, c)
	case catalog.ClaimFile:
		return p.file(ctx, c)
	case catalog.ClaimLink:
		return p.link(ctx, c, page, claimURL)
	case catalog.ClaimMail:
		return AdmissibleMail(c.Email, c.Domain)
	}
	return fmt.Errorf("%q is no method of proof", c.Method)
}

func (p *Prover) dns(ctx context.Context, c *catalog.Claim) error {
	name, want := dnsLabel+c.Domain, valuePrefix+c.Value
	texts, err := p.Resolver.LookupTXT(ctx, name)
	if err != nil {
		return fmt.Errorf("no TXT record at %s", name)
	}
	if !slices.Contains(texts, want) {
		return fmt.Errorf("the TXT records at %s are not of this claim", name)
	}
	// A zone that answers for every name may be answered for by whoever has one.
	if others, err := p.Resolver.LookupTXT(ctx, dnsLabel+"none-"+c.Value[:8]+"."+c.Domain); err == nil && slices.Contains(others, want) {
		return fmt.Errorf("%s has the same TXT record at every name: a wildcard proves nothing", c.Domain)
	}
	return nil
}

// own refuses a host whose name leads to that of somebody else: a server there that was given
// up is taken by whoever comes next.
func (p *Prover) own(ctx context.Context, host string) error {
	target, err := p.Resolver.LookupCNAME(ctx, host)
	if err != nil {
		return fmt.Errorf("%s cannot be looked up", host)
	}
	target = strings.TrimSuffix(strings.ToLower(target), ".")
	ours, err1 := publicsuffix.EffectiveTLDPlusOne(host)
	theirs, err2 := publicsuffix.EffectiveTLDPlusOne(target)
	if target != "" && target != host && (err1 != nil || err2 != nil || ours != theirs) {
		return fmt.Errorf("%s is an alias of %s, whose servers others may take over: prove it by DNS", host, target)
	}
	return nil
}

func (p *Prover) file(ctx context.Context, c *catalog.Claim) error {
	if err := p.own(ctx, c.Domain); err != nil {
		return err
	}
	body, kind, err := p.get(ctx, "https://"+c.Domain+filePath, fileMax)
	if err != nil {
		return err
	}
	if kind != "text/plain" {
		return fmt.Errorf("the file at %s is %s and not text/plain: a page that says everything proves nothing", filePath, kind)
	}
	for line := range strings.Lines(body) {
		if strings.TrimSpace(line) == valuePrefix+c.Value {
			return nil
		}
	}
	return fmt.Errorf("the file at %s has no line of this claim", filePath)
}

func (p *Prover) link(ctx context.Context, c *catalog.Claim, page, claimURL string) error {
	u, err := url.Parse(page)
	if err != nil || u.Scheme != "https" || u.Hostname() != c.Domain && u.Hostname() != "www."+c.Domain {
		return fmt.Errorf("the official page that the register knows does not lie on %s with https", c.Domain)
	}
	if err := p.own(ctx, u.Hostname()); err != nil {
		return err
	}
	body, kind, err := p.get(ctx, page, pageMax)
	if err != nil {
		return err
	}
	if kind != "text/html" && kind != "application/xhtml+xml" {
		return fmt.Errorf("the official page is %s and no HTML", kind)
	}
	return findLink(body, claimURL+"?proof="+c.Value)
}

// findLink looks for the link in the head of a page, where no reader writes, or for one that is
// not marked as a reader's. What a template holds is no part of the page.
func findLink(body, want string) error {
	tokens := html.NewTokenizer(strings.NewReader(body))
	marked, templates := false, 0
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			if marked {
				return errors.New("the link is marked as a reader's (ugc, nofollow or sponsored)")
			}
			return errors.New("the official page has no link with rel=me to this claim")
		case html.StartTagToken, html.SelfClosingTagToken:
			t := tokens.Token()
			if t.Data == "template" {
				templates++
			}
			if t.Data != "a" && t.Data != "link" || templates > 0 {
				continue
			}
			var href string
			var rel []string
			for _, a := range t.Attr {
				switch a.Key {
				case "href":
					href = strings.TrimSpace(a.Val)
				case "rel":
					rel = strings.Fields(strings.ToLower(a.Val))
				}
			}
			if href != want || !slices.Contains(rel, "me") {
				continue
			}
			if slices.ContainsFunc(rel, func(r string) bool { return r == "ugc" || r == "nofollow" || r == "sponsored" }) {
				marked = true
				continue
			}
			return nil
		case html.EndTagToken:
			if name, _ := tokens.TagName(); string(name) == "template" && templates > 0 {
				templates--
			}
		}
	}
}

var errElsewhere = errors.New("redirects to another host")

// get fetches an address without leaving its host.
func (p *Prover) get(ctx context.Context, address string, most int64) (body, kind string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", "", fmt.Errorf("%s cannot be asked", address)
	}
	client := *p.Client
	client.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		if next.URL.Host != via[0].URL.Host || next.URL.Scheme != "https" || len(via) > 3 {
			return errElsewhere
		}
		return nil
	}
	answer, err := client.Do(r)
	switch {
	case errors.Is(err, errElsewhere):
		return "", "", fmt.Errorf("%s redirects to another host: the proof must lie on the domain itself", address)
	case err != nil:
		return "", "", fmt.Errorf("%s does not answer", address)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "", "", fmt.Errorf("%s answers %d", address, answer.StatusCode)
	}
	b, err := io.ReadAll(io.LimitReader(answer.Body, most+1))
	if err != nil || int64(len(b)) > most {
		return "", "", fmt.Errorf("%s is longer than %d bytes, or breaks off", address, most)
	}
	kind, _, err = mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if err != nil {
		kind = "of no kind"
	}
	return string(b), kind, nil
}
