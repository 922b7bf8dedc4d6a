-- An event that was claimed while it was published and has never waited is found by its correlation id through its lease. An entry in the
-- index would cost a fifth of its publication, and most such events are gone within milliseconds. The settlement or recovery that lets the
-- event wait puts it into the index.
ALTER TABLE events ADD COLUMN never_waited boolean NOT NULL DEFAULT false;
DROP INDEX events_correlation;
CREATE INDEX events_correlated ON events ((seq >> 13), correlation_id) WHERE correlation_id <> '' AND NOT never_waited;

-- Publishes as the function publish of the version before did, and claims some of the new events at once for a node in the process of the
-- publisher: a lease lists them, and the queue gets no entry for them. The caller asks for no event with an ordering key, and for none that
-- is not due. Which events are asked for is an array of flags, NULL for none.
--
-- Stores the new events among the offered ones. Inserts the keys first, in an order common to all publishers, then the events, then what
-- makes them claimable: an entry in the queue, a call to the line of their ordering key, or a lease. A key is known from its first
-- publication to the end of the retention.
--
-- Returns the numbers of the new events from 1 on, or NULL when all are new; and the token and the positions of the claimed events, in the
-- order of the events, or NULL when none was claimed.
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
CREATE FUNCTION redrive.publish_and_claim(
    clock bigint, retention bigint, ids text[], correlations text[], names text[], sources text[], priorities integer[],
    ordering_keys text[], content_types text[], headers_of text[], created bigint[], due bigint[], waits bigint[],
    deadlines bigint[], sizes integer[], payloads bytea[], wanted boolean[], claimer text, lease bigint,
    OUT accepted integer[], OUT token bigint, OUT claimed bigint[])
LANGUAGE plpgsql AS $publish$
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
            accepted := ARRAY(
                SELECT offered.n FROM unnest(seqs) WITH ORDINALITY AS offered (position, n) WHERE offered.position = ANY (kept));
        END IF;
    END IF;
    INSERT INTO redrive.events (
        seq, created_at, due_at, deadline_at, priority, event_id, correlation_id, name, source, ordering_key, content_type,
        headers, payload, never_waited, unkeyed)
    SELECT offered.position, offered.created, offered.due, offered.deadline, offered.priority, offered.id, offered.correlation, offered.name,
        offered.source, offered.line, offered.type, offered.headers, offered.payload, offered.taken IS TRUE, false
    FROM (
        SELECT unnest(seqs) AS position, unnest(created) AS created, unnest(due) AS due, unnest(deadlines) AS deadline,
            unnest(priorities) AS priority, unnest(ids) AS id, unnest(correlations) AS correlation, unnest(names) AS name,
            unnest(sources) AS source, unnest(ordering_keys) AS line, unnest(content_types) AS type, unnest(headers_of) AS headers,
            unnest(payloads) AS payload, unnest(wanted) AS taken) AS offered
    WHERE kept IS NULL OR offered.position = ANY (kept);
    IF wanted IS NOT NULL THEN
        claimed := ARRAY(
            SELECT offered.position
            FROM (SELECT unnest(seqs) AS position, unnest(wanted) AS taken) AS offered
            WHERE offered.taken AND (kept IS NULL OR offered.position = ANY (kept)));
        IF cardinality(claimed) > 0 THEN
            token := nextval('redrive.tokens');
            INSERT INTO redrive.leases (token, until_at, granted_at, held, node, seqs)
            VALUES (publish_and_claim.token, published_at + lease, published_at, cardinality(claimed), claimer, claimed);
        ELSE
            claimed := NULL;
        END IF;
    END IF;
    IF wanted IS NULL OR false = ANY (wanted) THEN
        INSERT INTO redrive.ready (due_at, seq, size, queue)
        SELECT published_at + offered.wait, offered.position, offered.size, offered.queue
        FROM (
            SELECT unnest(seqs) AS position, unnest(waits) AS wait, unnest(sizes) AS size, unnest(priorities) AS queue,
                unnest(ordering_keys) AS line, unnest(wanted) AS taken) AS offered
        WHERE offered.line IS NULL AND offered.taken IS NOT TRUE AND (kept IS NULL OR offered.position = ANY (kept));
    END IF;
    IF ordering_keys IS NOT NULL THEN
        INSERT INTO redrive.line_calls (ordering_key, seq, due_at, size, queue)
        SELECT offered.line, offered.position, published_at + offered.wait, offered.size, offered.queue
        FROM (
            SELECT unnest(seqs) AS position, unnest(waits) AS wait, unnest(sizes) AS size, unnest(priorities) AS queue,
                unnest(ordering_keys) AS line) AS offered
        WHERE offered.line IS NOT NULL AND (kept IS NULL OR offered.position = ANY (kept));
    END IF;
END
$publish$;

-- For nodes of the version before.
CREATE OR REPLACE FUNCTION redrive.publish(
    clock bigint, retention bigint, ids text[], correlations text[], names text[], sources text[], priorities integer[],
    ordering_keys text[], content_types text[], headers_of text[], created bigint[], due bigint[], waits bigint[],
    deadlines bigint[], sizes integer[], payloads bytea[])
RETURNS integer[] LANGUAGE sql AS $publish$
    SELECT accepted FROM redrive.publish_and_claim(
        clock, retention, ids, correlations, names, sources, priorities, ordering_keys, content_types, headers_of, created, due, waits,
        deadlines, sizes, payloads, NULL, NULL, NULL)
$publish$;
$create$, 'redrive.', quote_ident(current_schema()) || '.');
END
$install$;
