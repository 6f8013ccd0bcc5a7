-- +goose Up
-- How often readers used an entry on a UTC day, YYYY-MM-DD: watches that were
-- confirmed, answers that were cited, requests that the proxy forwarded.
CREATE TABLE use_days (
    entry_id  TEXT COLLATE "C" NOT NULL,
    day       TEXT COLLATE "C" NOT NULL,
    watches   BIGINT NOT NULL,
    citations BIGINT NOT NULL,
    proxied   BIGINT NOT NULL,
    PRIMARY KEY (entry_id, day)
);
CREATE INDEX use_days_day ON use_days (day);
