-- +goose Up
-- What happened to an entry is asked for by its history, and by a takedown.
CREATE INDEX events_entry ON events (entry_id, number) WHERE entry_id <> '';
