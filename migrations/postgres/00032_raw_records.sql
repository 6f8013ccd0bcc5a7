-- +goose Up
-- What sources published of each entry: the records by their hash, and the bytes once for
-- each hash, compressed. until is 0 for the present record of an entry and source.
CREATE TABLE raw_records (
  entry_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  media TEXT NOT NULL,
  size BIGINT NOT NULL,
  since BIGINT NOT NULL,
  until BIGINT NOT NULL,
  PRIMARY KEY (entry_id, source_id, sha256)
);
CREATE INDEX raw_records_sum ON raw_records (sha256);
CREATE INDEX raw_records_until ON raw_records (until) WHERE until > 0;
CREATE TABLE raw_bodies (
  sha256 TEXT PRIMARY KEY,
  body BYTEA NOT NULL
);
