-- +goose Up
-- The further keys by which an entry is found: aliases of its upstream ref, and
-- persistent identifiers. Rows are never deleted: who finds an entry by one looks
-- whether it still has it.
CREATE TABLE entry_keys (
    key      TEXT COLLATE "C" NOT NULL,
    entry_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (key, entry_id)
);

-- Longer keys are stored hashed, with the next change of their entry.
INSERT INTO entry_keys (key, entry_id)
SELECT DISTINCT j.key, e.id FROM entries e
CROSS JOIN LATERAL jsonb_array_elements_text(
    COALESCE(NULLIF(e.doc::jsonb -> 'upstream_aliases', 'null'), '[]') || COALESCE(NULLIF(e.doc::jsonb -> 'identifiers', 'null'), '[]')) AS j(key)
WHERE octet_length(j.key) BETWEEN 1 AND 512;
