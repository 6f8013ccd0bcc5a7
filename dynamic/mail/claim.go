package mail

// Claim is what the mail with the code of a claim says.
type Claim struct {
	Words
	Register, BaseURL string
	// Domain is that which the claim speaks for, Enter the code that is to be entered.
	Domain, Enter string
	// Page is where it is entered.
	Page string
}

// Title is that of the HTML form.
func (c *Claim) Title() string { return c.Say("mail.claim.subject", "domain", c.Domain) }

// Message writes the mail to an address.
func (c *Claim) Message(to, id string) (*Message, error) {
	return write("claim", c, &Message{To: to, ID: id + "@" + host(c.BaseURL), Subject: c.Title(), List: listID(c.Register, c.BaseURL)})
}
