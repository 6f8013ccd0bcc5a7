package mail

import (
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// TestOneMailboxHasOneSpelling, and different mailboxes have different ones.
func TestOneMailboxHasOneSpelling(t *testing.T) {
	for want, spellings := range map[string][]string{
		"reader@readers.example":  {"reader@readers.example", "Reader@READERS.example", "reader+1@readers.example", "READER+a+b@readers.example.", "ｒeader@readers.example"},
		"r.eader@office.example":  {"r.eader@office.example", "R.Eader+x@office.example"}, // dots count where nobody says otherwise
		"reader@gmail.com":        {"reader@gmail.com", "r.e.a.d.e.r@gmail.com", "Reader+news@GoogleMail.com", "reader.@gmail.com"},
		"reader@proton.me":        {"reader@proton.me", "rea.der+x@protonmail.com", "reader@pm.me"},
		"a@xn--bcher-kva.example": {"a@bücher.example", "a@BÜCHER.example", "a@xn--bcher-kva.example", "A+x@XN--BCHER-KVA.example", "a@bu\u0308cher.example"},
		"+@readers.example":       {"+@readers.example"},
		"+tag@readers.example":    {"+tag@readers.example"},
	} {
		for _, s := range spellings {
			if got, domain := Mailbox(s); got != want || !strings.HasSuffix(got, "@"+domain) {
				t.Errorf("%q is the mailbox %q of %q, want %q", s, got, domain, want)
			}
		}
	}
	if !PublicProvider("gmail.com") || PublicProvider("readers.example") {
		t.Error("the providers are mixed up")
	}
}

// FuzzMailbox: whatever address the register takes has one mailbox, whose own
// spelling is itself, and no tag or case makes it another one.
func FuzzMailbox(f *testing.F) {
	for _, s := range []string{"a@b.example", "A.b+c@gmail.com", "a@bücher.example", "+@x.y", "a@xn--.example", "ß@ß.example", "İ@x.example", "a@。.example", "a@b.example...", "ﬃ+@x.example"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, address string) {
		mailbox, domain := Mailbox(address)
		if again, same := Mailbox(mailbox); again != mailbox || same != domain {
			t.Errorf("%q is %q, which is %q", address, mailbox, again)
		}
		local, host, ok := strings.Cut(address, "@")
		if !ok || catalog.CheckMail("email", address) != nil || strings.HasPrefix(local, "+") {
			return
		}
		for _, other := range []string{local + "+x@" + host, local + "+" + strings.ToLower(host) + "@" + host, address + "."} {
			if got, _ := Mailbox(other); got != mailbox && !strings.Contains(local, "＋") {
				t.Errorf("%q is %q, %q is %q", address, mailbox, other, got)
			}
		}
	})
}
