-- +goose Up
-- Who harvests, and until when without a further sign of life. A run whose lease
-- ran out was killed; it may be taken over.
ALTER TABLE harvest_runs ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE harvest_runs ADD COLUMN lease_until INTEGER;
