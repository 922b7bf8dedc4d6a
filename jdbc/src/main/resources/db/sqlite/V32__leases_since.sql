-- When the lease was granted; set_at moves on when the lease is extended. NULL for leases of earlier releases.
ALTER TABLE leases ADD COLUMN granted_at INTEGER;
