package io.redrive.jdbc;

import java.util.Set;

/** How the databases say what differs between them about dead letters and runs. */
enum Dialect {
    /** Lists are JSON; SQLite's own {@code lower} knows ASCII only, so a function of ours compares. */
    SQLITE(
            "",
            "id IN (SELECT value FROM json_each(?))",
            """
            (redrive_contains(last_error, ?)
                OR redrive_contains(event_id || iif(correlation_id = '', '', ':' || correlation_id), ?))""",
            "EXISTS (SELECT 1 FROM json_each(runs.stages) WHERE key = run_samples.stage AND value = ?)") {
        @Override
        Object ids(Set<Long> ids) {
            return ids.toString();
        }
    },
    /** Lists are arrays; the ids have the collation "C", which would lower ASCII only. */
    POSTGRES("FOR UPDATE", "id = ANY (?)", """
            (strpos(lower(last_error), ?) > 0
                OR strpos(lower((event_id || CASE correlation_id WHEN '' THEN '' ELSE ':' || correlation_id END)
                    COLLATE "default"), ?) > 0)""", "(runs.stages::jsonb ->> run_samples.stage) = ?") {
        @Override
        Object ids(Set<Long> ids) {
            return ids.stream().mapToLong(Long::longValue).toArray();
        }
    };

    /** Ends a query for rows that the same transaction is going to change; SQLite has one writer anyway. */
    final String forUpdate;
    /** One parameter: {@link #ids}. */
    final String idIsOneOf;
    /** Two parameters: the text in lower case, twice. */
    final String containsText;
    /** One parameter: the name that the stage of a run's sample must have. */
    final String stageIs;

    Dialect(String forUpdate, String idIsOneOf, String containsText, String stageIs) {
        this.forUpdate = forUpdate;
        this.idIsOneOf = idIsOneOf;
        this.containsText = containsText;
        this.stageIs = stageIs;
    }

    /** A list of ids as a parameter. */
    abstract Object ids(Set<Long> ids);
}
