-- +goose Up
-- What moderators decided, who has taken which candidate, and what they keep for later.
CREATE TABLE moderations (
    id            TEXT COLLATE "C" PRIMARY KEY,
    batch         TEXT COLLATE "C" NOT NULL,
    subject       TEXT COLLATE "C" NOT NULL,
    submission_id TEXT COLLATE "C" NOT NULL,
    at            BIGINT NOT NULL,
    doc           TEXT NOT NULL
);
CREATE INDEX moderations_at ON moderations (at, id);
CREATE INDEX moderations_batch ON moderations (batch);
CREATE INDEX moderations_subject ON moderations (subject, at, id);
CREATE INDEX moderations_submission ON moderations (submission_id, at, id) WHERE submission_id <> '';

CREATE TABLE assignments (subject TEXT COLLATE "C" PRIMARY KEY, doc TEXT NOT NULL);
CREATE TABLE saved_reasons (id TEXT COLLATE "C" PRIMARY KEY, doc TEXT NOT NULL);
CREATE TABLE trust_rules (id TEXT COLLATE "C" PRIMARY KEY, doc TEXT NOT NULL);
