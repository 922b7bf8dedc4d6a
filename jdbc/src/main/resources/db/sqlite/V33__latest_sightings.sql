-- The causes seen last are found by slots of ten minutes: a day has as many sightings as causes were seen.
ALTER TABLE cause_sightings ADD COLUMN last_slot INTEGER GENERATED ALWAYS AS (last_at / 600000000) VIRTUAL;
CREATE INDEX cause_sightings_latest ON cause_sightings (last_slot, fingerprint);
DROP INDEX cause_sightings_day;

-- Causes without sightings are listed by their first letter.
CREATE INDEX causes_first_seen ON causes (first_seen_at);
