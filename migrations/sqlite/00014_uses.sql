-- +goose Up
-- How often readers used an entry on a UTC day, YYYY-MM-DD: watches that were
-- confirmed, answers that were cited, requests that the proxy forwarded.
CREATE TABLE use_days (
    entry_id  TEXT NOT NULL,
    day       TEXT NOT NULL,
    watches   INTEGER NOT NULL,
    citations INTEGER NOT NULL,
    proxied   INTEGER NOT NULL,
    PRIMARY KEY (entry_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX use_days_day ON use_days (day);
