-- Publishes as the function of the version before did, but columns in which all events of a call have the same value are sent once: most
-- calls publish events of one name, source and content type. Nodes of the version before send a value for each event, as they did.
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
-- Arrays of ordering keys, headers and deadlines are NULL when all their values are. Arrays of the other columns may have the value of all
-- events as their only element; due times may be NULL when all are the times of creation, sizes and waits when all events are
-- claimed. The name of the schema is written into the statements, because the search path of a caller's connection is not known.
DO $install$
BEGIN
    EXECUTE replace($create$
CREATE OR REPLACE FUNCTION redrive.publish_and_claim(
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
            SELECT offered.id, coalesce(offered.correlation, correlations[1]), published_at, offered.position
            FROM (SELECT unnest(ids) AS id, unnest(correlations) AS correlation, unnest(seqs) AS position) AS offered
            ORDER BY offered.id COLLATE "C", coalesce(offered.correlation, correlations[1]) COLLATE "C";
            keyed := offers;
        EXCEPTION WHEN unique_violation THEN
            keyed := 0;
        END;
    END IF;
    IF keyed = 0 THEN
        INSERT INTO redrive.event_keys AS known (event_id, correlation_id, seen_at, seq)
        SELECT offered.id, coalesce(offered.correlation, correlations[1]), published_at, offered.position
        FROM (SELECT unnest(ids) AS id, unnest(correlations) AS correlation, unnest(seqs) AS position) AS offered
        ORDER BY offered.id COLLATE "C", coalesce(offered.correlation, correlations[1]) COLLATE "C"
        ON CONFLICT (event_id, correlation_id) DO UPDATE SET seen_at = excluded.seen_at, seq = excluded.seq
        WHERE known.seen_at <= excluded.seen_at - retention;
        GET DIAGNOSTICS keyed = ROW_COUNT;
        IF keyed < offers THEN
            kept := ARRAY(
                SELECT offered.position
                FROM (SELECT unnest(ids) AS id, unnest(correlations) AS correlation, unnest(seqs) AS position) AS offered
                CROSS JOIN LATERAL (
                    SELECT known.seq FROM redrive.event_keys AS known
                    WHERE known.event_id = offered.id AND known.correlation_id = coalesce(offered.correlation, correlations[1])
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
    SELECT offered.position, coalesce(offered.created_at, created[1]), coalesce(offered.due_at, due[1], offered.created_at, created[1]),
        offered.deadline, coalesce(offered.priority, priorities[1]), offered.id, coalesce(offered.correlation, correlations[1]),
        coalesce(offered.name, names[1]), coalesce(offered.source, sources[1]), offered.line,
        coalesce(offered.type, content_types[1]), offered.headers, offered.payload,
        coalesce(offered.taken, wanted[1], false), false
    FROM (
        SELECT unnest(seqs) AS position, unnest(created) AS created_at, unnest(due) AS due_at, unnest(deadlines) AS deadline,
            unnest(priorities) AS priority, unnest(ids) AS id, unnest(correlations) AS correlation, unnest(names) AS name,
            unnest(sources) AS source, unnest(ordering_keys) AS line, unnest(content_types) AS type, unnest(headers_of) AS headers,
            unnest(payloads) AS payload, unnest(wanted) AS taken) AS offered
    WHERE kept IS NULL OR offered.position = ANY (kept);
    IF wanted IS NOT NULL THEN
        claimed := ARRAY(
            SELECT offered.position
            FROM (SELECT unnest(seqs) AS position, unnest(wanted) AS taken) AS offered
            WHERE coalesce(offered.taken, wanted[1]) AND (kept IS NULL OR offered.position = ANY (kept)));
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
        SELECT published_at + coalesce(offered.wait, waits[1]), offered.position, coalesce(offered.size, sizes[1]),
            coalesce(offered.queue, priorities[1])
        FROM (
            SELECT unnest(seqs) AS position, unnest(waits) AS wait, unnest(sizes) AS size, unnest(priorities) AS queue,
                unnest(ordering_keys) AS line, unnest(wanted) AS taken) AS offered
        WHERE offered.line IS NULL AND NOT coalesce(offered.taken, wanted[1], false) AND (kept IS NULL OR offered.position = ANY (kept));
    END IF;
    IF ordering_keys IS NOT NULL THEN
        INSERT INTO redrive.line_calls (ordering_key, seq, due_at, size, queue)
        SELECT offered.line, offered.position, published_at + coalesce(offered.wait, waits[1]), coalesce(offered.size, sizes[1]),
            coalesce(offered.queue, priorities[1])
        FROM (
            SELECT unnest(seqs) AS position, unnest(waits) AS wait, unnest(sizes) AS size, unnest(priorities) AS queue,
                unnest(ordering_keys) AS line) AS offered
        WHERE offered.line IS NOT NULL AND (kept IS NULL OR offered.position = ANY (kept));
    END IF;
END
$publish$;
$create$, 'redrive.', quote_ident(current_schema()) || '.');
END
$install$;
