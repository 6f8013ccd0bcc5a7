-- +goose Up
-- Times are microseconds since 1970-01-01 UTC, truth values 0 or 1. A doc is the
-- JSON of the struct in render/catalog; the columns beside it are the keys by
-- which it is found, and where both hold a value the column is right.
-- STRICT keeps out values of another type, as PostgreSQL does.
CREATE TABLE counters (
    name  TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT;
-- The number of the last event; raised in the transaction that writes events.
INSERT INTO counters (name, value) VALUES ('event', 0);

CREATE TABLE entries (
    id           TEXT NOT NULL PRIMARY KEY,
    slug         TEXT NOT NULL,
    type         TEXT NOT NULL,
    status       TEXT NOT NULL,
    match_key    TEXT NOT NULL,
    upstream_ref TEXT NOT NULL,
    published_at INTEGER,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    revision     INTEGER NOT NULL,
    doc          TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX entries_revision ON entries (revision) WHERE revision > 0;
CREATE INDEX entries_match_key ON entries (match_key) WHERE match_key <> '';
CREATE INDEX entries_upstream_ref ON entries (upstream_ref) WHERE upstream_ref <> '';

-- Every slug that was ever given, current or former; rows are never deleted.
CREATE TABLE slugs (
    slug     TEXT NOT NULL PRIMARY KEY,
    entry_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE provenances (
    entry_id TEXT NOT NULL PRIMARY KEY,
    doc      TEXT NOT NULL
) STRICT;

CREATE TABLE institutions (
    id  TEXT NOT NULL PRIMARY KEY,
    doc TEXT NOT NULL
) STRICT;

CREATE TABLE licences (
    id  TEXT NOT NULL PRIMARY KEY,
    doc TEXT NOT NULL
) STRICT;

CREATE TABLE sources (
    id  TEXT NOT NULL PRIMARY KEY,
    doc TEXT NOT NULL
) STRICT;

CREATE TABLE checks (
    entry_id TEXT NOT NULL,
    at       INTEGER NOT NULL,
    doc      TEXT NOT NULL,
    PRIMARY KEY (entry_id, at)
) STRICT, WITHOUT ROWID;
CREATE INDEX checks_at ON checks (at);

CREATE TABLE check_states (
    entry_id TEXT NOT NULL PRIMARY KEY,
    doc      TEXT NOT NULL
) STRICT;

CREATE TABLE profiles (
    entry_id TEXT NOT NULL PRIMARY KEY,
    doc      TEXT NOT NULL
) STRICT;

CREATE TABLE overrides (
    id         TEXT NOT NULL PRIMARY KEY,
    entry_id   TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    doc        TEXT NOT NULL
) STRICT;
CREATE INDEX overrides_entry ON overrides (entry_id, created_at, id);

CREATE TABLE targets (
    id       TEXT NOT NULL PRIMARY KEY,
    entry_id TEXT NOT NULL,
    doc      TEXT NOT NULL
) STRICT;
CREATE INDEX targets_entry ON targets (entry_id, id);

-- The body is kept apart from any JSON, so that it is replayed byte for byte.
CREATE TABLE evidences (
    id         TEXT NOT NULL PRIMARY KEY,
    entry_id   TEXT NOT NULL,
    sha256     TEXT NOT NULL,
    kept       INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    body       BLOB NOT NULL,
    UNIQUE (entry_id, sha256)
) STRICT;
CREATE INDEX evidences_entry ON evidences (entry_id, id);

CREATE TABLE scores (
    entry_id TEXT NOT NULL,
    day      TEXT NOT NULL,
    doc      TEXT NOT NULL,
    PRIMARY KEY (entry_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    number   INTEGER PRIMARY KEY,
    type     TEXT NOT NULL,
    entry_id TEXT NOT NULL,
    doc      TEXT NOT NULL
) STRICT;

CREATE TABLE jobs (
    id           TEXT NOT NULL PRIMARY KEY,
    kind         TEXT NOT NULL,
    unique_key   TEXT NOT NULL,
    payload      TEXT NOT NULL,
    state        TEXT NOT NULL,
    run_at       INTEGER NOT NULL,
    attempt      INTEGER NOT NULL,
    max_attempts INTEGER NOT NULL,
    worker       TEXT NOT NULL,
    last_error   TEXT NOT NULL,
    progress     TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    finished_at  INTEGER
) STRICT;
CREATE UNIQUE INDEX jobs_unique_key ON jobs (unique_key)
    WHERE unique_key <> '' AND state IN ('queued', 'running');
CREATE INDEX jobs_due ON jobs (run_at, id) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_created ON jobs (created_at, id);

CREATE TABLE meta (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
