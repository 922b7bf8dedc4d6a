-- Tells whether a payload is one JSON document with this value at this place. PayloadField of the module events says the same in Java.
-- Bytes that are no JSON in UTF-8 raise an error inside, which is the answer no. The block that catches the error forbids parallel workers.
CREATE FUNCTION payload_has(payload bytea, segments text[], wanted text, wanted_number boolean) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL UNSAFE AS $$
DECLARE
    place json;
    kind text;
    found text;
    segment text;
BEGIN
    IF octet_length(payload) > 1048576 THEN
        RETURN FALSE;
    END IF;
    place := convert_from(payload, 'UTF8')::json;
    -- Reads all texts, so that a text which cannot be stored makes the whole document invalid.
    IF strpos(place::text, '\u') > 0 AND place::jsonb IS NULL THEN
        RETURN FALSE;
    END IF;
    FOREACH segment IN ARRAY segments LOOP
        kind := json_typeof(place);
        IF kind = 'object' THEN
            place := place -> segment;
        ELSIF kind = 'array' AND segment ~ '^(0|[1-9][0-9]{0,8})$' THEN
            place := place -> segment::integer;
        ELSE
            RETURN FALSE;
        END IF;
        IF place IS NULL THEN
            RETURN FALSE;
        END IF;
    END LOOP;
    kind := json_typeof(place);
    IF kind IN ('object', 'array') THEN
        RETURN FALSE;
    END IF;
    found := CASE kind WHEN 'null' THEN 'null' ELSE place #>> '{}' END;
    RETURN found = wanted
        OR kind = 'number' AND wanted_number AND found !~ '[eE]' AND found::numeric = wanted::numeric;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    -- No UTF-8, no JSON, a text that the database cannot hold, or structures within structures beyond its stack.
    RETURN FALSE;
END
$$;

-- The causes seen last are found by slots of ten minutes: a day has as many sightings as causes were seen. An update of a sighting
-- within its slot changes no column of an index.
ALTER TABLE cause_sightings ADD COLUMN last_slot bigint GENERATED ALWAYS AS (last_at / 600000000) STORED;
CREATE INDEX cause_sightings_latest ON cause_sightings (last_slot, fingerprint);
DROP INDEX cause_sightings_day;

-- Causes without sightings are listed by their first letter.
CREATE INDEX causes_first_seen ON causes (first_seen_at);
