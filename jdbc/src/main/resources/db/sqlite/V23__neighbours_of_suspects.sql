-- 1 once another lease of the same process was recovered: a suspect of this lease was not alone in its process.
ALTER TABLE leases ADD COLUMN had_neighbours INTEGER NOT NULL DEFAULT 0;
