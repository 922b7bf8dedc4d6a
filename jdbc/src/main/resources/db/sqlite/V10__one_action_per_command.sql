-- One row for each command of an operator, found again by the command's id. Rows of earlier versions, several for a
-- command, keep their words in detail and get ids of their own.
ALTER TABLE operator_actions ADD COLUMN command    TEXT;
ALTER TABLE operator_actions ADD COLUMN origin     TEXT NOT NULL DEFAULT '';
ALTER TABLE operator_actions ADD COLUMN about      TEXT NOT NULL DEFAULT '';
ALTER TABLE operator_actions ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE operator_actions ADD COLUMN causes     TEXT NOT NULL DEFAULT '';  -- a line for each: how many letters, cause

UPDATE operator_actions SET command = 'action-' || id, updated_at = at;

CREATE UNIQUE INDEX operator_actions_command ON operator_actions (command);
