package io.redrive.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The migrations of one dialect, in their order. Flyway finds them by itself; stores create their tables without Flyway when there
 * are no tables yet, because starting Flyway takes about a second and the tables themselves some milliseconds. Such a store has the
 * row that Flyway writes for a baseline, so that Flyway continues with the next migration.
 *
 * @param folder the folder of the dialect in {@code db}
 * @param names the files of that folder without their ending; a test compares the list with the folder
 */
record MigrationScripts(String folder, List<String> names) {

    static final MigrationScripts SQLITE = new MigrationScripts(
            "sqlite",
            List.of(
                    "V1__events_and_dead_letters",
                    "V2__runs",
                    "V3__shared_notes",
                    "V4__trail_beside_its_sample",
                    "V5__run_pauses",
                    "V6__shorter_trail",
                    "V7__passed_samples_by_the_block",
                    "V8__set_aside_and_scheduled",
                    "V10__one_action_per_command",
                    "V11__handled_keys",
                    "V12__time_worked_and_crashes",
                    "V13__run_costs",
                    "V14__clock_set_back",
                    "V15__activity",
                    "V16__causes",
                    "V17__letter_versions",
                    "V18__redrive_operations",
                    "V19__journal",
                    "V20__handled_samples",
                    "V23__neighbours_of_suspects",
                    "V24__letter_counts",
                    "V26__proposals",
                    "V27__bookmarks",
                    "V28__latest_causes",
                    "V31__letter_outbox",
                    "V32__leases_since",
                    "V33__latest_sightings",
                    "V35__unfinished_events_by_key"));

    static final MigrationScripts POSTGRES = new MigrationScripts(
            "postgres",
            List.of(
                    "V1__events_and_dead_letters",
                    "V2__runs",
                    "V3__run_pauses",
                    "V4__trail_beside_its_sample",
                    "V5__set_aside_and_scheduled",
                    "V7__one_action_per_command",
                    "V8__handled_keys",
                    "V9__time_worked_and_crashes",
                    "V10__run_costs",
                    "V11__activity",
                    "V12__causes",
                    "V13__letter_versions",
                    "V14__redrive_operations",
                    "V15__journal",
                    "V16__handled_samples",
                    "V19__neighbours_of_suspects",
                    "V20__letter_counts",
                    "V22__proposals",
                    "V23__bookmarks",
                    "V24__pages_of_letters",
                    "V27__letter_outbox",
                    "V28__put_off_since",
                    "V31__payload_fields_and_latest_sightings",
                    "V32__publish_in_one_call",
                    "V33__claims_at_publish",
                    "V34__values_that_events_share"));

    /** The row of Flyway's table which says that the tables began with this version. */
    private static final String BASELINE = """
            INSERT INTO %s
                (installed_rank, version, description, type, script, installed_by, execution_time, success)
                VALUES (1, '%d', '<< Flyway Baseline >>', 'BASELINE', '<< Flyway Baseline >>', '', 0, TRUE);
            """;

    /** Returns the version of the last migration. */
    int version() {
        return version(names.get(names.size() - 1));
    }

    /** Returns the version of one migration: 17 for {@code V17__letter_versions}. */
    static int version(String name) {
        return Integer.parseInt(name.substring(1, name.indexOf("__")));
    }

    /** Returns the statements of all migrations, then {@code history}, which creates Flyway's table, then its row. */
    String all(String history, String table) {
        return names.stream().map(this::script).collect(Collectors.joining("\n")) + "\n" + history
                + BASELINE.formatted(table, version());
    }

    private String script(String name) {
        return text("/db/" + folder + "/" + name + ".sql");
    }

    /** Returns the text of a script in the jar. */
    static String text(String resource) {
        try (InputStream in = MigrationScripts.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("migration " + resource + " is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
