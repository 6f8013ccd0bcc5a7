-- +goose Up
-- One row a harvest of a source.
CREATE TABLE harvest_runs (
    id         TEXT COLLATE "C" PRIMARY KEY,
    source_id  TEXT COLLATE "C" NOT NULL,
    started_at BIGINT NOT NULL,
    doc        TEXT NOT NULL
);
CREATE INDEX harvest_runs_source ON harvest_runs (source_id, started_at, id);

-- What a run that can be resumed has met so far: entry ids, and the upstream
-- refs of records that were rejected. The rows go when the run ends.
CREATE TABLE harvest_seen (
    run_id TEXT COLLATE "C" NOT NULL,
    name   TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (run_id, name)
);
