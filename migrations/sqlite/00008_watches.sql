-- +goose Up
-- Who wants mail about what. email is folded to lower case, entry_id is empty
-- for a watch of more than one entry, verify_hash is the SHA-256 of the token
-- that confirms it.
CREATE TABLE watches (
    id          TEXT NOT NULL PRIMARY KEY,
    state       TEXT NOT NULL,
    email       TEXT NOT NULL,
    entry_id    TEXT NOT NULL,
    verify_hash TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    doc         TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX watches_email ON watches (email);
CREATE INDEX watches_entry ON watches (entry_id) WHERE state = 'active';
CREATE INDEX watches_pending ON watches (created_at) WHERE state = 'pending';
CREATE UNIQUE INDEX watches_verify ON watches (verify_hash) WHERE verify_hash <> '';

-- Events that watches are still to tell of; mail is the job that does.
CREATE TABLE watch_items (
    watch_id TEXT NOT NULL,
    event    INTEGER NOT NULL,
    mail     TEXT NOT NULL,
    PRIMARY KEY (watch_id, event)
) STRICT, WITHOUT ROWID;
