-- +goose Up
-- The address and the name of each entry, by which entries of other catalogues
-- are compared with it. They are the parts of its match key before and behind
-- the last bar.
INSERT OR IGNORE INTO entry_keys (key, entry_id)
SELECT 'at|' || rtrim(rtrim(match_key, replace(match_key, '|', '')), '|'), id FROM entries
WHERE match_key LIKE type || '|_%|%' AND length(CAST(match_key AS BLOB)) BETWEEN 1 AND 500
UNION
SELECT 'called|' || type || '|' || substr(match_key, length(rtrim(match_key, replace(match_key, '|', ''))) + 1), id FROM entries
WHERE match_key LIKE type || '|%|_%' AND length(CAST(match_key AS BLOB)) BETWEEN 1 AND 500;
