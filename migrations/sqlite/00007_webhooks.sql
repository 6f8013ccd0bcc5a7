-- +goose Up
-- Endpoints that get the events of the register. worker and lease_until say
-- which process delivers to them; not_before is until when they asked to be
-- left alone.
CREATE TABLE webhooks (
    id          TEXT NOT NULL PRIMARY KEY,
    state       TEXT NOT NULL,
    cursor      INTEGER NOT NULL,
    not_before  INTEGER NOT NULL,
    worker      TEXT NOT NULL DEFAULT '',
    lease_until INTEGER NOT NULL DEFAULT 0,
    created_at  INTEGER NOT NULL,
    doc         TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Messages to endpoints. event is 0 for those that are no event.
CREATE TABLE deliveries (
    id         TEXT NOT NULL PRIMARY KEY,
    webhook_id TEXT NOT NULL,
    event      INTEGER NOT NULL,
    state      TEXT NOT NULL,
    next_at    INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    body       TEXT NOT NULL,
    doc        TEXT NOT NULL
) STRICT;
CREATE INDEX deliveries_due ON deliveries (webhook_id, next_at, event) WHERE state = 'pending';
CREATE INDEX deliveries_created ON deliveries (webhook_id, created_at, id);
CREATE INDEX deliveries_ended ON deliveries (created_at) WHERE state <> 'pending';
