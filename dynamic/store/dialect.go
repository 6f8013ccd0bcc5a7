package store

import "database/sql"

// Dialect holds all in which the two databases differ; the SQL text is shared.
type Dialect struct {
	// WriteLock is the statement that makes the transaction the only writer
	// until its end; empty where the database has only one writer anyway.
	WriteLock string
	// SkipLocked ends the query that picks jobs, so that workers pass by what
	// another one is taking.
	SkipLocked string
	// Prepare gives the form in which a statement is prepared; nil where the
	// driver prepares by itself.
	Prepare func(text string) string
	// Update and View are the options of the two kinds of transaction.
	Update, View sql.TxOptions
	// Conflict recognises the violation of a unique key.
	Conflict func(error) bool
	// Retry recognises an error after which the database has undone the
	// transaction only because others ran beside it.
	Retry func(error) bool
	// Unavailable recognises that the database is away, restarting, out of
	// space or out of descriptors, which passes.
	Unavailable func(error) bool
	// Stale recognises that a connection had broken before it was used, while
	// another one may do; nil where none can.
	Stale func(error) bool
}
