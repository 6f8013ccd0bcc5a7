-- +goose Up
-- Which entries had a row written, and after which mark: what a build needs to
-- know what it can leave as it was. Scores are left out, for builds write them.
CREATE TABLE entry_changes (
    entry_id TEXT COLLATE "C" PRIMARY KEY,
    mark     BIGINT NOT NULL
);
CREATE INDEX entry_changes_mark ON entry_changes (mark);
-- The marks that were set last. The name tells a mark of this store from one of
-- a copy that went its own way.
CREATE TABLE change_marks (
    number BIGINT PRIMARY KEY,
    name   TEXT COLLATE "C" NOT NULL
);
INSERT INTO counters (name, value) VALUES ('mark', 0);

-- +goose StatementBegin
CREATE FUNCTION note_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO entry_changes SELECT DISTINCT entry_id, value FROM written, counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE entry_changes.mark < excluded.mark;
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION note_entry_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO entry_changes SELECT id, value FROM written, counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE entry_changes.mark < excluded.mark;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER entries_insert_changes AFTER INSERT ON entries REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_entry_changes();
CREATE TRIGGER entries_update_changes AFTER UPDATE ON entries REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_entry_changes();
CREATE TRIGGER entries_delete_changes AFTER DELETE ON entries REFERENCING OLD TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_entry_changes();
CREATE TRIGGER provenances_insert_changes AFTER INSERT ON provenances REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER provenances_update_changes AFTER UPDATE ON provenances REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER provenances_delete_changes AFTER DELETE ON provenances REFERENCING OLD TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER checks_insert_changes AFTER INSERT ON checks REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER checks_update_changes AFTER UPDATE ON checks REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER checks_delete_changes AFTER DELETE ON checks REFERENCING OLD TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER check_days_insert_changes AFTER INSERT ON check_days REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER check_days_update_changes AFTER UPDATE ON check_days REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER check_days_delete_changes AFTER DELETE ON check_days REFERENCING OLD TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER check_states_insert_changes AFTER INSERT ON check_states REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER check_states_update_changes AFTER UPDATE ON check_states REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER check_states_delete_changes AFTER DELETE ON check_states REFERENCING OLD TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER profiles_insert_changes AFTER INSERT ON profiles REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER profiles_update_changes AFTER UPDATE ON profiles REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER profiles_delete_changes AFTER DELETE ON profiles REFERENCING OLD TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER overrides_insert_changes AFTER INSERT ON overrides REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER overrides_update_changes AFTER UPDATE ON overrides REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER overrides_delete_changes AFTER DELETE ON overrides REFERENCING OLD TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER targets_insert_changes AFTER INSERT ON targets REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER targets_update_changes AFTER UPDATE ON targets REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER targets_delete_changes AFTER DELETE ON targets REFERENCING OLD TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER evidences_insert_changes AFTER INSERT ON evidences REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER evidences_update_changes AFTER UPDATE ON evidences REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER evidences_delete_changes AFTER DELETE ON evidences REFERENCING OLD TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER use_days_insert_changes AFTER INSERT ON use_days REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER use_days_update_changes AFTER UPDATE ON use_days REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
CREATE TRIGGER use_days_delete_changes AFTER DELETE ON use_days REFERENCING OLD TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_changes();
