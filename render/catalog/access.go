package catalog

import (
	"encoding/json"
	"time"
)

// Role is what a token may do (decisions §6).
type Role string

// Roles. An administrator may do all that a moderator may.
const (
	RoleAdmin     Role = "admin"
	RoleModerator Role = "moderator"
)

// Roles lists the roles, the widest first.
func Roles() []Role { return []Role{RoleAdmin, RoleModerator} }

// May tells whether the role suffices where another one is asked for; every
// role suffices where none is.
func (r Role) May(asked Role) bool {
	return asked == "" || r == RoleAdmin || r == asked
}

// Token is the right of one holder to administer the register. The token
// itself is shown once and kept nowhere.
type Token struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Role Role   `json:"role"`
	// Hash is the lower-case hex SHA-256 of the token.
	Hash      string    `json:"hash"`
	CreatedAt time.Time `json:"created_at"`
	RevokedAt time.Time `json:"revoked_at,omitzero"`
}

// AuditRow records one change that a person made, written in the transaction
// of the change.
type AuditRow struct {
	// Number is assigned by the store in commit order.
	Number int64     `json:"number"`
	At     time.Time `json:"at"`
	// By is the id of the token, Name what its holder is called.
	By   string `json:"by"`
	Name string `json:"name"`
	// Action is the id of the operation, Subject what it was done to, e.g. an
	// entry's id.
	Action  string          `json:"action"`
	Subject string          `json:"subject"`
	Reason  string          `json:"reason,omitempty"`
	Details json.RawMessage `json:"details,omitempty"`
}
