-- +goose Up
-- The further keys by which an entry is found: aliases of its upstream ref, and
-- persistent identifiers. Rows are never deleted: who finds an entry by one looks
-- whether it still has it.
CREATE TABLE entry_keys (
    key      TEXT NOT NULL,
    entry_id TEXT NOT NULL,
    PRIMARY KEY (key, entry_id)
) STRICT, WITHOUT ROWID;

-- Longer keys are stored hashed, with the next change of their entry.
INSERT INTO entry_keys (key, entry_id)
SELECT DISTINCT j.value, e.id FROM entries e, json_each(e.doc, '$.upstream_aliases') j WHERE length(CAST(j.value AS BLOB)) BETWEEN 1 AND 512
UNION
SELECT DISTINCT j.value, e.id FROM entries e, json_each(e.doc, '$.identifiers') j WHERE length(CAST(j.value AS BLOB)) BETWEEN 1 AND 512;
