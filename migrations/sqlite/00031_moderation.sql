-- +goose Up
-- What moderators decided, who has taken which candidate, and what they keep for later.
CREATE TABLE moderations (
    id            TEXT NOT NULL PRIMARY KEY,
    batch         TEXT NOT NULL,
    subject       TEXT NOT NULL,
    submission_id TEXT NOT NULL,
    at            INTEGER NOT NULL,
    doc           TEXT NOT NULL
) STRICT;
CREATE INDEX moderations_at ON moderations (at, id);
CREATE INDEX moderations_batch ON moderations (batch);
CREATE INDEX moderations_subject ON moderations (subject, at, id);
CREATE INDEX moderations_submission ON moderations (submission_id, at, id) WHERE submission_id <> '';

CREATE TABLE assignments (subject TEXT NOT NULL PRIMARY KEY, doc TEXT NOT NULL) STRICT;
CREATE TABLE saved_reasons (id TEXT NOT NULL PRIMARY KEY, doc TEXT NOT NULL) STRICT;
CREATE TABLE trust_rules (id TEXT NOT NULL PRIMARY KEY, doc TEXT NOT NULL) STRICT;
