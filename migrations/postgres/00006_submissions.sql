-- +goose Up
-- What was proposed for the register, and what readers reported.
CREATE TABLE submissions (
    id         TEXT COLLATE "C" PRIMARY KEY,
    state      TEXT COLLATE "C" NOT NULL,
    address    TEXT COLLATE "C" NOT NULL,
    host       TEXT COLLATE "C" NOT NULL,
    entry_id   TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    doc        TEXT NOT NULL
);
CREATE INDEX submissions_created ON submissions (created_at, id);
CREATE INDEX submissions_state ON submissions (state, created_at, id);
CREATE INDEX submissions_address ON submissions (address, created_at, id) WHERE state IN ('RECEIVED', 'CHECKING', 'QUARANTINED');
CREATE INDEX submissions_host ON submissions (host) WHERE state IN ('RECEIVED', 'CHECKING');
CREATE INDEX submissions_entry ON submissions (entry_id) WHERE entry_id <> '';

CREATE TABLE reports (
    id         TEXT COLLATE "C" PRIMARY KEY,
    entry_id   TEXT COLLATE "C" NOT NULL,
    state      TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    doc        TEXT NOT NULL
);
CREATE INDEX reports_open ON reports (created_at, id) WHERE state = 'OPEN';
CREATE INDEX reports_entry ON reports (entry_id) WHERE state = 'OPEN';

-- Answers to requests that carried an idempotency key.
CREATE TABLE replays (
    key TEXT COLLATE "C" PRIMARY KEY,
    at  BIGINT NOT NULL,
    doc TEXT NOT NULL
);
CREATE INDEX replays_at ON replays (at);

CREATE INDEX entries_pending ON entries (id) WHERE status = 'PENDING_REVIEW';
