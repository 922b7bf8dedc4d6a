-- An unfinished event is found by its id through its key, which has its position now. A second index by id cost every event an entry
-- to write and to remove. Only events without a key of their own have an entry: events whose key was forgotten or has gone to a later
-- publication, redriven events, adopted events, and events that were published before this migration or by a node that still runs the
-- version before. Such nodes name no value of the column, so its default is true.
ALTER TABLE event_keys ADD COLUMN seq bigint;          -- NULL in keys of earlier versions
ALTER TABLE events ADD COLUMN unkeyed boolean NOT NULL DEFAULT true;

CREATE INDEX events_unkeyed ON events (event_id) WHERE unkeyed;
DROP INDEX events_id;
DROP INDEX events_scheduled_id;

-- Triggers mark the events, so that no statement can forget the mark. Publishing new keys fires none of them. The schema is that of the
-- keys, whatever the search path of the connection is.
CREATE FUNCTION mark_unkeyed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    lost bigint[];
BEGIN
    IF TG_OP = 'DELETE' THEN
        lost := ARRAY(SELECT seq FROM former WHERE seq IS NOT NULL);
    ELSE
        lost := ARRAY(SELECT seq FROM former WHERE seq IS NOT NULL EXCEPT SELECT seq FROM latter);
    END IF;
    IF cardinality(lost) > 0 THEN
        EXECUTE format('UPDATE %I.events SET unkeyed = true WHERE seq = ANY ($1) AND NOT unkeyed', TG_TABLE_SCHEMA) USING lost;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER keys_forgotten AFTER DELETE ON event_keys
    REFERENCING OLD TABLE AS former
    FOR EACH STATEMENT EXECUTE FUNCTION mark_unkeyed();

CREATE TRIGGER keys_moved AFTER UPDATE ON event_keys
    REFERENCING OLD TABLE AS former NEW TABLE AS latter
    FOR EACH STATEMENT EXECUTE FUNCTION mark_unkeyed();

-- Stores the new events among the offered ones, and returns their numbers from 1 on, or NULL when all are new. Inserts the keys first, in
-- an order common to all publishers, then the events, then what makes them claimable: an entry in the queue, or a call to the line of
-- their ordering key. A key is known from its first publication to the end of the retention.
--
-- Nearly always all keys are new. Their insertion without a check for each key costs half; a known key undoes it, and the keys are inserted
-- again with a check. A call with few events checks at once: each attempt without a check is a subtransaction, and a caller may
-- publish many small calls in a transaction.
--
-- Arrays of columns are NULL when all their values are. The name of the schema is written into the statements, because the search
-- path of a caller's connection is not known.
DO $install$
BEGIN
    EXECUTE replace($create$
CREATE FUNCTION redrive.publish(
    clock bigint, retention bigint, ids text[], correlations text[], names text[], sources text[], priorities integer[],
    ordering_keys text[], content_types text[], headers_of text[], created bigint[], due bigint[], waits bigint[],
    deadlines bigint[], sizes integer[], payloads bytea[])
RETURNS integer[] LANGUAGE plpgsql AS $publish$
DECLARE
    published_at bigint := coalesce(clock, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
    offers integer := cardinality(ids);
    seqs bigint[] := ARRAY(SELECT nextval('redrive.positions') FROM generate_series(1, cardinality(ids)));
    keyed integer := 0;
    kept bigint[];                                    -- NULL for all
BEGIN
    IF offers >= 16 THEN
        BEGIN
            INSERT INTO redrive.event_keys (event_id, correlation_id, seen_at, seq)
            SELECT offered.id, offered.correlation, published_at, offered.position
            FROM (SELECT unnest(ids) AS id, unnest(correlations) AS correlation, unnest(seqs) AS position) AS offered
            ORDER BY offered.id, offered.correlation;
            keyed := offers;
        EXCEPTION WHEN unique_violation THEN
            keyed := 0;
        END;
    END IF;
    IF keyed = 0 THEN
        INSERT INTO redrive.event_keys AS known (event_id, correlation_id, seen_at, seq)
        SELECT offered.id, offered.correlation, published_at, offered.position
        FROM (SELECT unnest(ids) AS id, unnest(correlations) AS correlation, unnest(seqs) AS position) AS offered
        ORDER BY offered.id, offered.correlation
        ON CONFLICT (event_id, correlation_id) DO UPDATE SET seen_at = excluded.seen_at, seq = excluded.seq
        WHERE known.seen_at <= excluded.seen_at - retention;
        GET DIAGNOSTICS keyed = ROW_COUNT;
        IF keyed < offers THEN
            kept := ARRAY(
                SELECT offered.position
                FROM (SELECT unnest(ids) AS id, unnest(correlations) AS correlation, unnest(seqs) AS position) AS offered
                CROSS JOIN LATERAL (
                    SELECT known.seq FROM redrive.event_keys AS known
                    WHERE known.event_id = offered.id AND known.correlation_id = offered.correlation
                    OFFSET 0) AS own
                WHERE own.seq = offered.position
                ORDER BY offered.position);
        END IF;
    END IF;
    INSERT INTO redrive.events (
        seq, created_at, due_at, deadline_at, priority, event_id, correlation_id, name, source, ordering_key, content_type,
        headers, payload, unkeyed)
    SELECT offered.*, false
    FROM (
        SELECT unnest(seqs) AS position, unnest(created), unnest(due), unnest(deadlines), unnest(priorities), unnest(ids),
            unnest(correlations), unnest(names), unnest(sources), unnest(ordering_keys), unnest(content_types),
            unnest(headers_of), unnest(payloads)) AS offered
    WHERE kept IS NULL OR offered.position = ANY (kept);
    INSERT INTO redrive.ready (due_at, seq, size, queue)
    SELECT published_at + offered.wait, offered.position, offered.size, offered.queue
    FROM (
        SELECT unnest(seqs) AS position, unnest(waits) AS wait, unnest(sizes) AS size, unnest(priorities) AS queue,
            unnest(ordering_keys) AS line) AS offered
    WHERE offered.line IS NULL AND (kept IS NULL OR offered.position = ANY (kept));
    IF ordering_keys IS NOT NULL THEN
        INSERT INTO redrive.line_calls (ordering_key, seq, due_at, size, queue)
        SELECT offered.line, offered.position, published_at + offered.wait, offered.size, offered.queue
        FROM (
            SELECT unnest(seqs) AS position, unnest(waits) AS wait, unnest(sizes) AS size, unnest(priorities) AS queue,
                unnest(ordering_keys) AS line) AS offered
        WHERE offered.line IS NOT NULL AND (kept IS NULL OR offered.position = ANY (kept));
    END IF;
    IF kept IS NULL THEN
        RETURN NULL;
    END IF;
    RETURN ARRAY(
        SELECT offered.n FROM unnest(seqs) WITH ORDINALITY AS offered (position, n) WHERE offered.position = ANY (kept));
END
$publish$
$create$, 'redrive.', quote_ident(current_schema()) || '.');
END
$install$;
