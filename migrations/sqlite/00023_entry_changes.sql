-- +goose Up
-- Which entries had a row written, and after which mark: what a build needs to
-- know what it can leave as it was. Scores are left out, for builds write them.
CREATE TABLE entry_changes (
    entry_id TEXT NOT NULL PRIMARY KEY,
    mark     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX entry_changes_mark ON entry_changes (mark);
-- The marks that were set last. The name tells a mark of this store from one of
-- a copy that went its own way.
CREATE TABLE change_marks (
    number INTEGER NOT NULL PRIMARY KEY,
    name   TEXT NOT NULL
) STRICT;
INSERT INTO counters (name, value) VALUES ('mark', 0);

-- +goose StatementBegin
CREATE TRIGGER entries_insert_changes AFTER INSERT ON entries BEGIN
    INSERT INTO entry_changes SELECT NEW.id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER entries_update_changes AFTER UPDATE ON entries BEGIN
    INSERT INTO entry_changes SELECT NEW.id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER entries_delete_changes AFTER DELETE ON entries BEGIN
    INSERT INTO entry_changes SELECT OLD.id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER provenances_insert_changes AFTER INSERT ON provenances BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER provenances_update_changes AFTER UPDATE ON provenances BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER provenances_delete_changes AFTER DELETE ON provenances BEGIN
    INSERT INTO entry_changes SELECT OLD.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER checks_insert_changes AFTER INSERT ON checks BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER checks_update_changes AFTER UPDATE ON checks BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER checks_delete_changes AFTER DELETE ON checks BEGIN
    INSERT INTO entry_changes SELECT OLD.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER check_days_insert_changes AFTER INSERT ON check_days BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER check_days_update_changes AFTER UPDATE ON check_days BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER check_days_delete_changes AFTER DELETE ON check_days BEGIN
    INSERT INTO entry_changes SELECT OLD.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER check_states_insert_changes AFTER INSERT ON check_states BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER check_states_update_changes AFTER UPDATE ON check_states BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER check_states_delete_changes AFTER DELETE ON check_states BEGIN
    INSERT INTO entry_changes SELECT OLD.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER profiles_insert_changes AFTER INSERT ON profiles BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER profiles_update_changes AFTER UPDATE ON profiles BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER profiles_delete_changes AFTER DELETE ON profiles BEGIN
    INSERT INTO entry_changes SELECT OLD.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER overrides_insert_changes AFTER INSERT ON overrides BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER overrides_update_changes AFTER UPDATE ON overrides BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER overrides_delete_changes AFTER DELETE ON overrides BEGIN
    INSERT INTO entry_changes SELECT OLD.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER targets_insert_changes AFTER INSERT ON targets BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER targets_update_changes AFTER UPDATE ON targets BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER targets_delete_changes AFTER DELETE ON targets BEGIN
    INSERT INTO entry_changes SELECT OLD.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER evidences_insert_changes AFTER INSERT ON evidences BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER evidences_update_changes AFTER UPDATE ON evidences BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER evidences_delete_changes AFTER DELETE ON evidences BEGIN
    INSERT INTO entry_changes SELECT OLD.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER use_days_insert_changes AFTER INSERT ON use_days BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER use_days_update_changes AFTER UPDATE ON use_days BEGIN
    INSERT INTO entry_changes SELECT NEW.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER use_days_delete_changes AFTER DELETE ON use_days BEGIN
    INSERT INTO entry_changes SELECT OLD.entry_id, value FROM counters WHERE name = 'mark'
    ON CONFLICT (entry_id) DO UPDATE SET mark = excluded.mark WHERE mark < excluded.mark;
END;
-- +goose StatementEnd
