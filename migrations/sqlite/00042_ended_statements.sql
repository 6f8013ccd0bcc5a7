-- +goose Up
-- What was said by a claim that has ended stands no more.
UPDATE statements SET state = 'ended', doc = json_set(doc, '$.state', 'ended')
WHERE state IN ('shown', 'open', 'accepted') AND claim_id IN (SELECT id FROM claims WHERE json_extract(doc, '$.state') = 'ended');
