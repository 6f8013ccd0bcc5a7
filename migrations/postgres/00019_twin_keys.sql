-- +goose Up
-- The address and the name of each entry, by which entries of other catalogues
-- are compared with it. They are the parts of its match key before and behind
-- the last bar.
INSERT INTO entry_keys (key, entry_id)
SELECT 'at|' || regexp_replace(match_key, '\|[^|]*$', ''), id FROM entries
WHERE match_key LIKE type || '|_%|%' AND octet_length(match_key) BETWEEN 1 AND 500
UNION
SELECT 'called|' || type || '|' || regexp_replace(match_key, '^.*\|', ''), id FROM entries
WHERE match_key LIKE type || '|%|_%' AND octet_length(match_key) BETWEEN 1 AND 500
ON CONFLICT DO NOTHING;
