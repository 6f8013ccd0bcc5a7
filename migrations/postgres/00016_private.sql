-- +goose Up
-- Logins of the desk. hash is the SHA-256 of what the browser keeps, which is
-- stored nowhere.
CREATE TABLE sessions (
    hash       TEXT COLLATE "C" PRIMARY KEY,
    token_id   TEXT COLLATE "C" NOT NULL,
    begun_at   BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_token ON sessions (token_id, begun_at, hash);
CREATE INDEX sessions_expires ON sessions (expires_at);

-- The key that signed logins is needed no more.
DELETE FROM meta WHERE name = 'session.key';

-- What is counted lately so that a limit holds for all services: a row each time.
CREATE TABLE tallies (
    kind TEXT COLLATE "C" NOT NULL,
    key  TEXT COLLATE "C" NOT NULL,
    at   BIGINT NOT NULL,
    id   TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (kind, key, id)
);
CREATE INDEX tallies_at ON tallies (at);

-- What was proposed is not told by events.
UPDATE events SET doc = (doc::jsonb #- '{data,url}')::text WHERE type = 'submission.received' AND entry_id = '' AND doc::jsonb #>> '{data,url}' IS NOT NULL;
