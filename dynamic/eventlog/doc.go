// Package eventlog tells whoever follows the log of events that it has grown. A
// process looks at the end of the log in one place, twice a second, on SQLite and
// on PostgreSQL alike: the look reads one row. LISTEN would need a connection of its
// own in each process, which a pooler in transaction mode does not keep, and a
// look besides for what was sent while it was away.
package eventlog
