// Package search measures the search of the register: how often a known entry
// is found and how far up, how fast queries are answered, and how long an index
// takes to build, beside PostgreSQL's full-text search and SQLite's FTS5 on the
// same documents and queries; and what judged queries gain (judged/README.md). Its programs are benchmarks; `make bench` runs
// them.
package search
