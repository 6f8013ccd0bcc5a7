package tour

import (
	"fmt"
	"path/filepath"

	"github.com/assay-register/assay/cmd/internal/sample"
)

// Guide tells a newcomer where everything is.
type Guide struct {
	// Site is the base address of the register.
	Site   string
	Office *Office
	// Moderator and Admin are tokens of the two roles.
	Moderator, Admin string
	// Mail is the folder to which mail is written.
	Mail string
}

// String is the guide for a terminal.
func (g Guide) String() string {
	mail, err := filepath.Abs(g.Mail)
	if err != nil {
		mail = g.Mail
	}
	return fmt.Sprintf(`
  The register   %[1]s
  1. Suggest     %[2]s
                 at %[1]s/submit; other sources of this stand-in portal: %[3]s
  2. Approve     at %[1]s/admin, logged in with the token of a moderator
                 %[4]s
                 or with that of an administrator, who also sees jobs, sources and webhooks
                 %[5]s
  3. See it      on its page, in lists, in searches, in the change feed and by MCP, within seconds
     Webhook     %[6]s shows what arrived
     Mail        %[7]s, of a watch by %[8]s

  It reaches nothing but the stand-in portal. Its clock began at %[9]s, where the sample ends.
  Ctrl-C ends it and removes what it made.
`, g.Site, g.Office.URL(Suggested), g.Office.URL("/"), g.Moderator, g.Admin, g.Office.URL("/hook"), mail, Reader, sample.Instant.Format("2006-01-02 15:04 UTC"))
}
