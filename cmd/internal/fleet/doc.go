// Package fleet tests several processes of the register on one PostgreSQL:
// each job is done once, whoever queued it, and what one process approves all
// of them show.
package fleet
