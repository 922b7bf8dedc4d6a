-- True once another lease of the same process was recovered: a suspect of this lease was not alone in its process.
ALTER TABLE leases ADD COLUMN had_neighbours boolean NOT NULL DEFAULT false;
