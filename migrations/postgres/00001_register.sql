-- +goose Up
-- Times are microseconds since 1970-01-01 UTC, truth values 0 or 1. A doc is the
-- JSON of the struct in render/catalog; the columns beside it are the keys by
-- which it is found, and where both hold a value the column is right.
-- COLLATE "C" compares keys byte by byte, as SQLite does, whatever the locale of
-- the database.
CREATE TABLE counters (
    name  TEXT COLLATE "C" PRIMARY KEY,
    value BIGINT NOT NULL
);
-- The number of the last event; raised in the transaction that writes events.
INSERT INTO counters (name, value) VALUES ('event', 0);

CREATE TABLE entries (
    id           TEXT COLLATE "C" PRIMARY KEY,
    slug         TEXT COLLATE "C" NOT NULL,
    type         TEXT COLLATE "C" NOT NULL,
    status       TEXT COLLATE "C" NOT NULL,
    match_key    TEXT COLLATE "C" NOT NULL,
    upstream_ref TEXT COLLATE "C" NOT NULL,
    published_at BIGINT,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    revision     BIGINT NOT NULL,
    doc          TEXT NOT NULL
);
CREATE UNIQUE INDEX entries_revision ON entries (revision) WHERE revision > 0;
CREATE INDEX entries_match_key ON entries (match_key) WHERE match_key <> '';
CREATE INDEX entries_upstream_ref ON entries (upstream_ref) WHERE upstream_ref <> '';

-- Every slug that was ever given, current or former; rows are never deleted.
CREATE TABLE slugs (
    slug     TEXT COLLATE "C" PRIMARY KEY,
    entry_id TEXT COLLATE "C" NOT NULL
);

CREATE TABLE provenances (
    entry_id TEXT COLLATE "C" PRIMARY KEY,
    doc      TEXT NOT NULL
);

CREATE TABLE institutions (
    id  TEXT COLLATE "C" PRIMARY KEY,
    doc TEXT NOT NULL
);

CREATE TABLE licences (
    id  TEXT COLLATE "C" PRIMARY KEY,
    doc TEXT NOT NULL
);

CREATE TABLE sources (
    id  TEXT COLLATE "C" PRIMARY KEY,
    doc TEXT NOT NULL
);

CREATE TABLE checks (
    entry_id TEXT COLLATE "C" NOT NULL,
    at       BIGINT NOT NULL,
    doc      TEXT NOT NULL,
    PRIMARY KEY (entry_id, at)
);
CREATE INDEX checks_at ON checks (at);

CREATE TABLE check_states (
    entry_id TEXT COLLATE "C" PRIMARY KEY,
    doc      TEXT NOT NULL
);

CREATE TABLE profiles (
    entry_id TEXT COLLATE "C" PRIMARY KEY,
    doc      TEXT NOT NULL
);

CREATE TABLE overrides (
    id         TEXT COLLATE "C" PRIMARY KEY,
    entry_id   TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    doc        TEXT NOT NULL
);
CREATE INDEX overrides_entry ON overrides (entry_id, created_at, id);

CREATE TABLE targets (
    id       TEXT COLLATE "C" PRIMARY KEY,
    entry_id TEXT COLLATE "C" NOT NULL,
    doc      TEXT NOT NULL
);
CREATE INDEX targets_entry ON targets (entry_id, id);

-- The body is kept apart from any JSON, so that it is replayed byte for byte.
CREATE TABLE evidences (
    id         TEXT COLLATE "C" PRIMARY KEY,
    entry_id   TEXT COLLATE "C" NOT NULL,
    sha256     TEXT COLLATE "C" NOT NULL,
    kept       BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    body       BYTEA NOT NULL,
    UNIQUE (entry_id, sha256)
);
CREATE INDEX evidences_entry ON evidences (entry_id, id);

CREATE TABLE scores (
    entry_id TEXT COLLATE "C" NOT NULL,
    day      TEXT COLLATE "C" NOT NULL,
    doc      TEXT NOT NULL,
    PRIMARY KEY (entry_id, day)
);

CREATE TABLE events (
    number   BIGINT PRIMARY KEY,
    type     TEXT COLLATE "C" NOT NULL,
    entry_id TEXT COLLATE "C" NOT NULL,
    doc      TEXT NOT NULL
);

CREATE TABLE jobs (
    id           TEXT COLLATE "C" PRIMARY KEY,
    kind         TEXT COLLATE "C" NOT NULL,
    unique_key   TEXT COLLATE "C" NOT NULL,
    payload      TEXT NOT NULL,
    state        TEXT COLLATE "C" NOT NULL,
    run_at       BIGINT NOT NULL,
    attempt      BIGINT NOT NULL,
    max_attempts BIGINT NOT NULL,
    worker       TEXT COLLATE "C" NOT NULL,
    last_error   TEXT NOT NULL,
    progress     TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    finished_at  BIGINT
);
CREATE UNIQUE INDEX jobs_unique_key ON jobs (unique_key)
    WHERE unique_key <> '' AND state IN ('queued', 'running');
CREATE INDEX jobs_due ON jobs (run_at, id) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_created ON jobs (created_at, id);

CREATE TABLE meta (
    name  TEXT COLLATE "C" PRIMARY KEY,
    value TEXT NOT NULL
);
