-- The causes seen last are found day by day.
CREATE INDEX cause_sightings_day ON cause_sightings (day, fingerprint);
