-- +goose Up
-- The rights of those who administer the register. hash is the SHA-256 of the
-- token, which is kept nowhere.
CREATE TABLE tokens (
    id         TEXT NOT NULL PRIMARY KEY,
    hash       TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    doc        TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What people changed, in the order of the commits.
CREATE TABLE audits (
    number  INTEGER NOT NULL PRIMARY KEY,
    subject TEXT NOT NULL,
    doc     TEXT NOT NULL
) STRICT;
CREATE INDEX audits_subject ON audits (subject, number);
INSERT INTO counters (name, value) VALUES ('audit', 0);
