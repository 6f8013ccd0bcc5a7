-- +goose Up
-- What was proposed for the register, and what readers reported.
CREATE TABLE submissions (
    id         TEXT NOT NULL PRIMARY KEY,
    state      TEXT NOT NULL,
    address    TEXT NOT NULL,
    host       TEXT NOT NULL,
    entry_id   TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    doc        TEXT NOT NULL
) STRICT;
CREATE INDEX submissions_created ON submissions (created_at, id);
CREATE INDEX submissions_state ON submissions (state, created_at, id);
CREATE INDEX submissions_address ON submissions (address, created_at, id) WHERE state IN ('RECEIVED', 'CHECKING', 'QUARANTINED');
CREATE INDEX submissions_host ON submissions (host) WHERE state IN ('RECEIVED', 'CHECKING');
CREATE INDEX submissions_entry ON submissions (entry_id) WHERE entry_id <> '';

CREATE TABLE reports (
    id         TEXT NOT NULL PRIMARY KEY,
    entry_id   TEXT NOT NULL,
    state      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    doc        TEXT NOT NULL
) STRICT;
CREATE INDEX reports_open ON reports (created_at, id) WHERE state = 'OPEN';
CREATE INDEX reports_entry ON reports (entry_id) WHERE state = 'OPEN';

-- Answers to requests that carried an idempotency key.
CREATE TABLE replays (
    key TEXT NOT NULL PRIMARY KEY,
    at  INTEGER NOT NULL,
    doc TEXT NOT NULL
) STRICT;
CREATE INDEX replays_at ON replays (at);

CREATE INDEX entries_pending ON entries (id) WHERE status = 'PENDING_REVIEW';
