package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The hot statements keep their plans when the server has analysed the tables while these were empty. With such
 * statistics the planner prefers to read a whole table once instead of looking up each row, and keeps that plan until the
 * next analysis: with a backlog of 100,000 events, a claim then takes minutes.
 */
final class PostgresPlansIT {

    private static final PostgresServer SERVER = PostgresServer.get();

    /** Tables whose rows come and go, so that an analysis may find them empty at any time. */
    private static final String HOT = "events|ready|tallies|lines|line_calls|aside|attempts";

    private static final Pattern SCAN = Pattern.compile("(Seq Scan|Index (Only )?Scan).* on (" + HOT + ")\\b");

    /**
     * Statements that read a whole table on purpose: counts, the first row of a table, names set aside, and the calls of
     * lines, which are few because claims answer them.
     */
    private static final Set<String> WHOLE_TABLES =
            Set.of("STATS", "OPEN_EXCHANGE", "COUNT_ASIDE", "ASIDE_NAMES", "TAKE_ASIDE", "WAITING", "WAITING_IN_RANGE");

    @TempDir
    Path dir;

    static Stream<Arguments> hotStatements() {
        return Stream.of(PostgresSql.class, PostgresClaimSql.class, PostgresAdoptionSql.class)
                .flatMap(holder -> Arrays.stream(holder.getDeclaredFields()))
                .filter(field -> field.getType() == String.class && !Modifier.isPrivate(field.getModifiers()))
                .filter(field -> !WHOLE_TABLES.contains(field.getName()))
                .filter(field -> Pattern.compile("redrive\\.(" + HOT + ")\\b")
                        .matcher(text(field))
                        .find())
                .map(field ->
                        Arguments.of(field.getDeclaringClass().getSimpleName() + "." + field.getName(), text(field)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hotStatements")
    void a_hot_statement_looks_up_rows_although_its_tables_were_analysed_empty(String name, String sql)
            throws Exception {
        SERVER.create(dir, new ManualTime()).close();
        String schema = SERVER.schemaOf(dir);
        try (Connection connection = DriverManager.getConnection(SERVER.url())) {
            for (String table : HOT.split("\\|")) {
                execute(connection, "VACUUM ANALYZE " + schema + "." + table);
            }
            connection.setAutoCommit(false);
            beginHot(connection);
            List<String> plan = plan(connection, sql.replace("redrive.", schema + "."));
            assertThat(wholeScans(plan))
                    .as("%s\n%s", name, String.join("\n", plan))
                    .isEmpty();
            connection.rollback();
        }
    }

    private static List<String> wholeScans(List<String> plan) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < plan.size(); i++) {
            boolean conditioned = i + 1 < plan.size() && plan.get(i + 1).contains("Index Cond:");
            if (SCAN.matcher(plan.get(i)).find() && !conditioned) {
                found.add(plan.get(i).strip());
            }
        }
        return found;
    }

    private static void beginHot(Connection connection) throws SQLException {
        try (PreparedStatement begin = connection.prepareStatement(PostgresSql.BEGIN_HOT)) {
            begin.setString(1, "10000");
            begin.setString(2, "10000");
            begin.executeQuery();
        }
    }

    private static List<String> plan(Connection connection, String sql) throws SQLException {
        Matcher marks = Pattern.compile("\\?").matcher(sql);
        int[] number = {0};
        String numbered = marks.replaceAll(mark -> "\\$" + ++number[0]);
        String nulls = String.join(", ", Collections.nCopies(number[0], "NULL"));
        execute(connection, "PREPARE hot AS " + numbered);
        List<String> lines = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("EXPLAIN EXECUTE hot" + (nulls.isEmpty() ? "" : "(" + nulls + ")"))) {
            while (row.next()) {
                lines.add(row.getString(1));
            }
        }
        execute(connection, "DEALLOCATE hot");
        return lines;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String text(Field field) {
        try {
            field.setAccessible(true);
            return (String) field.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
