-- +goose Up
-- Endpoints that get the events of the register. worker and lease_until say
-- which process delivers to them; not_before is until when they asked to be
-- left alone.
CREATE TABLE webhooks (
    id          TEXT COLLATE "C" PRIMARY KEY,
    state       TEXT COLLATE "C" NOT NULL,
    cursor      BIGINT NOT NULL,
    not_before  BIGINT NOT NULL,
    worker      TEXT COLLATE "C" NOT NULL DEFAULT '',
    lease_until BIGINT NOT NULL DEFAULT 0,
    created_at  BIGINT NOT NULL,
    doc         TEXT NOT NULL
);

-- Messages to endpoints. event is 0 for those that are no event.
CREATE TABLE deliveries (
    id         TEXT COLLATE "C" PRIMARY KEY,
    webhook_id TEXT COLLATE "C" NOT NULL,
    event      BIGINT NOT NULL,
    state      TEXT COLLATE "C" NOT NULL,
    next_at    BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    body       TEXT NOT NULL,
    doc        TEXT NOT NULL
);
CREATE INDEX deliveries_due ON deliveries (webhook_id, next_at, event) WHERE state = 'pending';
CREATE INDEX deliveries_created ON deliveries (webhook_id, created_at, id);
CREATE INDEX deliveries_ended ON deliveries (created_at) WHERE state <> 'pending';
