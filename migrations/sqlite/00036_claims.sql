-- +goose Up
-- Who proved that an institution or a source is theirs, and what they say of entries.
CREATE TABLE claims (
    id         TEXT NOT NULL PRIMARY KEY,
    subject_id TEXT NOT NULL,
    doc        TEXT NOT NULL
) STRICT;
CREATE INDEX claims_subject ON claims (subject_id, id);

CREATE TABLE statements (
    id       TEXT NOT NULL PRIMARY KEY,
    entry_id TEXT NOT NULL,
    state    TEXT NOT NULL,
    doc      TEXT NOT NULL
) STRICT;
CREATE INDEX statements_entry ON statements (entry_id, id);
CREATE INDEX statements_open ON statements (id) WHERE state = 'open';
