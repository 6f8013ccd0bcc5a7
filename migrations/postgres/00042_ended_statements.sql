-- +goose Up
-- What was said by a claim that has ended stands no more.
UPDATE statements SET state = 'ended', doc = jsonb_set(doc::jsonb, '{state}', '"ended"')::text
WHERE state IN ('shown', 'open', 'accepted') AND claim_id IN (SELECT id FROM claims WHERE doc::json ->> 'state' = 'ended');
