-- +goose Up
-- What a citation needs to be replayed as it was answered, and to be found by
-- the hash that an answer names itself.
ALTER TABLE evidences ADD COLUMN answer_sha256 TEXT NOT NULL DEFAULT '';
ALTER TABLE evidences ADD COLUMN snapshot TEXT NOT NULL DEFAULT '';
ALTER TABLE evidences ADD COLUMN route TEXT NOT NULL DEFAULT '';
ALTER TABLE evidences ADD COLUMN media TEXT NOT NULL DEFAULT '';
CREATE INDEX evidences_hash ON evidences (sha256);
CREATE INDEX evidences_answer ON evidences (answer_sha256);
