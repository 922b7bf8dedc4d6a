package io.redrive.jdbc;

import io.redrive.events.PayloadField;
import java.util.List;
import java.util.Set;

/** Differences of the databases in statements on dead letters and runs. */
enum Dialect {
    /** Lists are JSON. SQLite's own {@code lower} knows ASCII only, so a function of Redrive compares texts. */
    SQLITE(
            "",
            "",
            "",
            "id IN (SELECT value FROM json_each(?))",
            """
            (redrive_contains(last_error, ?)
                OR redrive_contains(event_id || iif(correlation_id = '', '', ':' || correlation_id), ?)
                OR redrive_contains(coalesce(headers, ''), ?)
                OR redrive_payload_contains(payload, ?))\
            """,
            "redrive_payload_has(payload, ?)",
            "EXISTS (SELECT 1 FROM json_each(runs.stages) WHERE key = run_samples.stage AND value = ?)",
            "redrive.run_all_samples",
            "sample BETWEEN ?1 AND ?2 AND first BETWEEN ?1 & -" + Dialect.SAMPLES_IN_A_BLOCK + " AND ?2",
            List.of(
                    "DELETE FROM redrive.run_samples WHERE sample BETWEEN ? AND ?",
                    "DELETE FROM redrive.run_passed WHERE first BETWEEN ? AND ?")) {
        @Override
        Object ids(Set<Long> ids) {
            return ids.toString();
        }

        @Override
        List<Object> payloadField(PayloadField field) {
            return List.of(field.toString());
        }
    },
    /** Lists are arrays. The ids have the collation "C", whose {@code lower} knows ASCII only. */
    POSTGRES(
            "FOR UPDATE",
            "FOR SHARE",
            " FOR UPDATE SKIP LOCKED",
            "id = ANY (?)",
            """
            (strpos(lower(last_error), ?) > 0
                OR strpos(lower((event_id || CASE correlation_id WHEN '' THEN '' ELSE ':' || correlation_id END)
                    COLLATE "default"), ?) > 0
                OR strpos(lower(headers), ?) > 0
                OR CASE WHEN position('\\000'::bytea IN substring(payload FROM 1 FOR 65536)) > 0 THEN FALSE
                    ELSE strpos(lower(convert_from(substring(payload FROM 1 FOR 65536), 'LATIN1') COLLATE "C"), ?) > 0
                    END)\
            """,
            "redrive.payload_has(payload, ?, ?, ?)",
            "(runs.stages::jsonb ->> run_samples.stage) = ?",
            "redrive.run_samples",
            "sample BETWEEN ? AND ?",
            List.of(
                    "DELETE FROM redrive.run_attempts WHERE sample BETWEEN ? AND ?",
                    "DELETE FROM redrive.run_samples WHERE sample BETWEEN ? AND ?")) {
        @Override
        Object ids(Set<Long> ids) {
            return ids.stream().mapToLong(Long::longValue).toArray();
        }

        @Override
        List<Object> payloadField(PayloadField field) {
            return List.of(field.segments().toArray(String[]::new), field.value(), field.isPlainNumber());
        }
    };

    /** Ends a query for rows which the same transaction will change; empty for SQLite, which has one writer. */
    final String forUpdate;
    /** Ends a query for rows which no other transaction may change until this one ends; empty for SQLite. */
    final String forShare;
    /** Ends a query for rows to be changed, and leaves out rows locked by another transaction; empty for SQLite. */
    final String forUpdateSkipLocked;
    /** One parameter: {@link #ids}. */
    final String idIsOneOf;
    /**
     * Four parameters: the text in lower case, three times, and the text for {@link io.redrive.events.PayloadSearch}.
     */
    final String containsText;
    /** Parameters: {@link #payloadField}. */
    final String payloadHas;
    /** One parameter: the name of the stage of a run's sample. */
    final String stageIs;
    /** The table, or view, of all samples of all runs. */
    final String allSamples;
    /** Two parameters: the first and the last key, of samples or of the samples of attempts. */
    final String sampleIsBetween;
    /** Two parameters each: the first and the last key of a run. */
    final List<String> deleteSamples;

    /** Samples whose keys differ only in their last six bits may share a block. */
    static final int SAMPLES_IN_A_BLOCK = 64;

    Dialect(
            String forUpdate,
            String forShare,
            String forUpdateSkipLocked,
            String idIsOneOf,
            String containsText,
            String payloadHas,
            String stageIs,
            String allSamples,
            String sampleIsBetween,
            List<String> deleteSamples) {
        this.forUpdate = forUpdate;
        this.forShare = forShare;
        this.forUpdateSkipLocked = forUpdateSkipLocked;
        this.idIsOneOf = idIsOneOf;
        this.containsText = containsText;
        this.payloadHas = payloadHas;
        this.stageIs = stageIs;
        this.allSamples = allSamples;
        this.sampleIsBetween = sampleIsBetween;
        this.deleteSamples = deleteSamples;
    }

    /** Returns a list of ids as a parameter. */
    abstract Object ids(Set<Long> ids);

    /** Returns the parameters of {@link #payloadHas}. */
    abstract List<Object> payloadField(PayloadField field);
}
