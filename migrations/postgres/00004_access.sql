-- +goose Up
-- The rights of those who administer the register. hash is the SHA-256 of the
-- token, which is kept nowhere.
CREATE TABLE tokens (
    id         TEXT COLLATE "C" PRIMARY KEY,
    hash       TEXT COLLATE "C" NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    doc        TEXT NOT NULL
);

-- What people changed, in the order of the commits.
CREATE TABLE audits (
    number  BIGINT PRIMARY KEY,
    subject TEXT COLLATE "C" NOT NULL,
    doc     TEXT NOT NULL
);
CREATE INDEX audits_subject ON audits (subject, number);
INSERT INTO counters (name, value) VALUES ('audit', 0);
