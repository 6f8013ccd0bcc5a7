-- +goose Up
-- When sources and hosts did not answer; entry_id is - for a whole host, ended 0 while it lasts.
CREATE TABLE incidents (
    id       TEXT NOT NULL PRIMARY KEY,
    entry_id TEXT NOT NULL,
    host     TEXT NOT NULL,
    began    INTEGER NOT NULL,
    ended    INTEGER NOT NULL,
    doc      TEXT NOT NULL
) STRICT;
CREATE INDEX incidents_entry ON incidents (entry_id, began, id);
CREATE INDEX incidents_host ON incidents (host, began, id);
CREATE INDEX incidents_began ON incidents (began, id);
CREATE INDEX incidents_open ON incidents (host, entry_id) WHERE ended = 0;

-- Reports that readers see, and those that were accepted and wait still.
ALTER TABLE reports ADD COLUMN public INTEGER NOT NULL DEFAULT 0;
DROP INDEX reports_open;
DROP INDEX reports_entry;
CREATE INDEX reports_open ON reports (created_at, id) WHERE state IN ('OPEN', 'ACCEPTED');
CREATE INDEX reports_entry ON reports (entry_id, created_at, id);
CREATE INDEX reports_public ON reports (created_at, id) WHERE public = 1;

-- Whose statement it is: an entry shows whether the claim is still proved.
ALTER TABLE statements ADD COLUMN claim_id TEXT NOT NULL DEFAULT '';
UPDATE statements SET claim_id = coalesce(json_extract(doc, '$.claim_id'), '');
CREATE INDEX statements_claim ON statements (claim_id);

-- +goose StatementBegin
CREATE TRIGGER incidents_insert_changes AFTER INSERT ON incidents WHEN NEW.entry_id <> '-' BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER incidents_update_changes AFTER UPDATE ON incidents WHEN NEW.entry_id <> '-' BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER reports_insert_changes AFTER INSERT ON reports WHEN NEW.public = 1 BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER reports_update_changes AFTER UPDATE ON reports WHEN NEW.public = 1 OR OLD.public = 1 BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER statements_insert_changes AFTER INSERT ON statements BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER statements_update_changes AFTER UPDATE ON statements BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER claims_update_changes AFTER UPDATE ON claims WHEN json_extract(OLD.doc, '$.state') <> json_extract(NEW.doc, '$.state') BEGIN
    INSERT INTO entry_changes SELECT DISTINCT s.entry_id, c.value FROM statements s, counters c WHERE s.claim_id = NEW.id AND c.name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
