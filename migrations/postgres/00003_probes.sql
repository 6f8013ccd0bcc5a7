-- +goose Up
-- The timetable of the checks. failed_at is the time of a failure that waits
-- for its confirmation.
CREATE TABLE probes (
    entry_id  TEXT COLLATE "C" PRIMARY KEY,
    host      TEXT COLLATE "C" NOT NULL,
    due_at    BIGINT NOT NULL,
    failed_at BIGINT
);
CREATE INDEX probes_host ON probes (host, due_at);

-- The hosts of the probes. due_at is that of the earliest probe; from free_at
-- on the host may be leased: the end of the lease of the worker that holds it,
-- or of the pause after the last request. Since down_since no probe has reached
-- the host; at failing_at it was declared down.
CREATE TABLE probe_hosts (
    host       TEXT COLLATE "C" PRIMARY KEY,
    due_at     BIGINT,
    worker     TEXT COLLATE "C" NOT NULL,
    free_at    BIGINT NOT NULL,
    down_since BIGINT,
    failing_at BIGINT
);
CREATE INDEX probe_hosts_due ON probe_hosts (due_at, host);

-- The sums of days whose checks are gone.
CREATE TABLE check_days (
    entry_id TEXT COLLATE "C" NOT NULL,
    day      TEXT COLLATE "C" NOT NULL,
    checks   BIGINT NOT NULL,
    doc      TEXT NOT NULL,
    PRIMARY KEY (entry_id, day)
);
