-- +goose Up
-- Who proved that an institution or a source is theirs, and what they say of entries.
CREATE TABLE claims (
    id         TEXT COLLATE "C" PRIMARY KEY,
    subject_id TEXT COLLATE "C" NOT NULL,
    doc        TEXT NOT NULL
);
CREATE INDEX claims_subject ON claims (subject_id, id);

CREATE TABLE statements (
    id       TEXT COLLATE "C" PRIMARY KEY,
    entry_id TEXT COLLATE "C" NOT NULL,
    state    TEXT COLLATE "C" NOT NULL,
    doc      TEXT NOT NULL
);
CREATE INDEX statements_entry ON statements (entry_id, id);
CREATE INDEX statements_open ON statements (id) WHERE state = 'open';
