-- +goose Up
-- Who wants mail about what. email is folded to lower case, entry_id is empty
-- for a watch of more than one entry, verify_hash is the SHA-256 of the token
-- that confirms it.
CREATE TABLE watches (
    id          TEXT COLLATE "C" PRIMARY KEY,
    state       TEXT COLLATE "C" NOT NULL,
    email       TEXT COLLATE "C" NOT NULL,
    entry_id    TEXT COLLATE "C" NOT NULL,
    verify_hash TEXT COLLATE "C" NOT NULL,
    created_at  BIGINT NOT NULL,
    doc         TEXT NOT NULL
);
CREATE INDEX watches_email ON watches (email);
CREATE INDEX watches_entry ON watches (entry_id) WHERE state = 'active';
CREATE INDEX watches_pending ON watches (created_at) WHERE state = 'pending';
CREATE UNIQUE INDEX watches_verify ON watches (verify_hash) WHERE verify_hash <> '';

-- Events that watches are still to tell of; mail is the job that does.
CREATE TABLE watch_items (
    watch_id TEXT COLLATE "C" NOT NULL,
    event    BIGINT NOT NULL,
    mail     TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (watch_id, event)
);
