-- +goose Up
-- One row a harvest of a source.
CREATE TABLE harvest_runs (
    id         TEXT NOT NULL PRIMARY KEY,
    source_id  TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    doc        TEXT NOT NULL
) STRICT;
CREATE INDEX harvest_runs_source ON harvest_runs (source_id, started_at, id);

-- What a run that can be resumed has met so far: entry ids, and the upstream
-- refs of records that were rejected. The rows go when the run ends.
CREATE TABLE harvest_seen (
    run_id TEXT NOT NULL,
    name   TEXT NOT NULL,
    PRIMARY KEY (run_id, name)
) STRICT, WITHOUT ROWID;
