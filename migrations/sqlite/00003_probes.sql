-- +goose Up
-- The timetable of the checks. failed_at is the time of a failure that waits
-- for its confirmation.
CREATE TABLE probes (
    entry_id  TEXT NOT NULL PRIMARY KEY,
    host      TEXT NOT NULL,
    due_at    INTEGER NOT NULL,
    failed_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX probes_host ON probes (host, due_at);

-- The hosts of the probes. due_at is that of the earliest probe; from free_at
-- on the host may be leased: the end of the lease of the worker that holds it,
-- or of the pause after the last request. Since down_since no probe has reached
-- the host; at failing_at it was declared down.
CREATE TABLE probe_hosts (
    host       TEXT NOT NULL PRIMARY KEY,
    due_at     INTEGER,
    worker     TEXT NOT NULL,
    free_at    INTEGER NOT NULL,
    down_since INTEGER,
    failing_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX probe_hosts_due ON probe_hosts (due_at, host);

-- The sums of days whose checks are gone.
CREATE TABLE check_days (
    entry_id TEXT NOT NULL,
    day      TEXT NOT NULL,
    checks   INTEGER NOT NULL,
    doc      TEXT NOT NULL,
    PRIMARY KEY (entry_id, day)
) STRICT, WITHOUT ROWID;
