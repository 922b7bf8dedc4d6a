-- A page of letters of one name, or of one cause, is read from its first letter to its last, however many letters the name or
-- the cause has.
CREATE INDEX dead_letters_page_of_name  ON dead_letters (name, id);
CREATE INDEX dead_letters_page_of_cause ON dead_letters (fingerprint, id);
DROP INDEX dead_letters_name;

-- The causes seen last are found day by day. No update of a sighting changes these columns.
CREATE INDEX cause_sightings_day ON cause_sightings (day, fingerprint);
