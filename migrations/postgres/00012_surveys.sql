-- +goose Up
-- When a check that succeeds is to be followed by a closer look at the source;
-- nothing is at once.
ALTER TABLE probes ADD COLUMN survey_at BIGINT;
