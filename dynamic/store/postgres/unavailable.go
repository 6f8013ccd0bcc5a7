package postgres

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// away are the beginnings of the SQLSTATE codes by which a server says that it
// cannot work now (PostgreSQL manual, appendix A): connections are broken,
// resources are short, somebody stops or starts it, its system fails, or it is a
// standby that takes no writes.
var away = []string{"08", "53", "57P", "58", "25006"}

// isUnavailable tells errors of a server that is away, and of connections to it
// that broke, from those of a statement.
func isUnavailable(err error) bool {
	if c := code(err); c != "" {
		for _, prefix := range away {
			if strings.HasPrefix(c, prefix) {
				return true
			}
		}
	}
	var connect *pgconn.ConnectError
	var network net.Error
	if errors.As(err, &connect) || errors.As(err, &network) || pgconn.SafeToRetry(err) {
		return true
	}
	for _, broken := range []error{driver.ErrBadConn, sql.ErrConnDone, pgx.ErrTxClosed, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed} {
		if errors.Is(err, broken) {
			return true
		}
	}
	return false
}

// isStale tells errors of a connection that had broken from those of a server that
// cannot be reached.
func isStale(err error) bool {
	var connect *pgconn.ConnectError
	if errors.As(err, &connect) {
		return false
	}
	c := code(err)
	return c == "" && isUnavailable(err) || strings.HasPrefix(c, "57P")
}
