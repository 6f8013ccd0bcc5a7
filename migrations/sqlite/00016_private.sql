-- +goose Up
-- Logins of the desk. hash is the SHA-256 of what the browser keeps, which is
-- stored nowhere.
CREATE TABLE sessions (
    hash       TEXT NOT NULL PRIMARY KEY,
    token_id   TEXT NOT NULL,
    begun_at   INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_token ON sessions (token_id, begun_at, hash);
CREATE INDEX sessions_expires ON sessions (expires_at);

-- The key that signed logins is needed no more.
DELETE FROM meta WHERE name = 'session.key';

-- What is counted lately so that a limit holds for all services: a row each time.
CREATE TABLE tallies (
    kind TEXT NOT NULL,
    key  TEXT NOT NULL,
    at   INTEGER NOT NULL,
    id   TEXT NOT NULL,
    PRIMARY KEY (kind, key, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tallies_at ON tallies (at);

-- What was proposed is not told by events.
UPDATE events SET doc = json_remove(doc, '$.data.url') WHERE type = 'submission.received' AND entry_id = '' AND json_extract(doc, '$.data.url') IS NOT NULL;
