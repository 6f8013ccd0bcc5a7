-- +goose Up
-- When sources and hosts did not answer; entry_id is - for a whole host, ended 0 while it lasts.
CREATE TABLE incidents (
    id       TEXT COLLATE "C" PRIMARY KEY,
    entry_id TEXT COLLATE "C" NOT NULL,
    host     TEXT COLLATE "C" NOT NULL,
    began    BIGINT NOT NULL,
    ended    BIGINT NOT NULL,
    doc      TEXT NOT NULL
);
CREATE INDEX incidents_entry ON incidents (entry_id, began, id);
CREATE INDEX incidents_host ON incidents (host, began, id);
CREATE INDEX incidents_began ON incidents (began, id);
CREATE INDEX incidents_open ON incidents (host, entry_id) WHERE ended = 0;

-- Reports that readers see, and those that were accepted and wait still.
ALTER TABLE reports ADD COLUMN public BIGINT NOT NULL DEFAULT 0;
DROP INDEX reports_open;
DROP INDEX reports_entry;
CREATE INDEX reports_open ON reports (created_at, id) WHERE state IN ('OPEN', 'ACCEPTED');
CREATE INDEX reports_entry ON reports (entry_id, created_at, id);
CREATE INDEX reports_public ON reports (created_at, id) WHERE public = 1;

-- Whose statement it is: an entry shows whether the claim is still proved.
ALTER TABLE statements ADD COLUMN claim_id TEXT COLLATE "C" NOT NULL DEFAULT '';
UPDATE statements SET claim_id = coalesce(doc::json ->> 'claim_id', '');
CREATE INDEX statements_claim ON statements (claim_id);

-- +goose StatementBegin
CREATE FUNCTION note_incident_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO entry_changes SELECT DISTINCT entry_id, value FROM written, counters WHERE name = 'mark' AND entry_id <> '-'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE entry_changes.mark < excluded.mark;
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION note_report_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE entry_changes.mark < excluded.mark;
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION note_claim_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO entry_changes SELECT DISTINCT s.entry_id, c.value FROM statements s, counters c WHERE s.claim_id = NEW.id AND c.name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE entry_changes.mark < excluded.mark;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER incidents_insert_changes AFTER INSERT ON incidents REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_incident_changes();
CREATE TRIGGER incidents_update_changes AFTER UPDATE ON incidents REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_incident_changes();
CREATE TRIGGER reports_insert_changes AFTER INSERT ON reports
    FOR EACH ROW WHEN (NEW.public = 1) EXECUTE FUNCTION note_report_changes();
CREATE TRIGGER reports_update_changes AFTER UPDATE ON reports
    FOR EACH ROW WHEN (NEW.public = 1 OR OLD.public = 1) EXECUTE FUNCTION note_report_changes();
CREATE TRIGGER statements_insert_changes AFTER INSERT ON statements REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER statements_update_changes AFTER UPDATE ON statements REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER claims_update_changes AFTER UPDATE ON claims
    FOR EACH ROW WHEN ((OLD.doc::json ->> 'state') IS DISTINCT FROM (NEW.doc::json ->> 'state')) EXECUTE FUNCTION note_claim_changes();
