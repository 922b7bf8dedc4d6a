package io.redrive.jdbc;

import io.redrive.items.Item;
import io.redrive.items.SampleSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Samples from a query, fetched in portions of {@link #DEFAULT_FETCH_SIZE} rows. Immutable. The query needs an {@code
 * ORDER BY} without ties: a resumed run repeats the query and skips the rows already taken, so rows added meanwhile
 * must come last. The query stays open, in its own transaction, until the run has read all rows; to keep transactions
 * short, give each run a range of rows.
 *
 * <pre>{@code
 * SampleSource<String> articles = JdbcSource.query(
 *         dataSource,
 *         "SELECT id, body FROM articles WHERE lang = ? ORDER BY id",
 *         row -> Item.of(row.getString("id"), row.getString("body")))
 *         .with("en");
 * }</pre>
 *
 * @param <T> the values
 */
public final class JdbcSource<T> implements SampleSource<T> {

    /** Rows fetched at a time by default. */
    public static final int DEFAULT_FETCH_SIZE = 500;

    private final DataSource database;
    private final String sql;
    private final Row<T> row;
    private final List<@Nullable Object> parameters;
    private final int fetchSize;

    private JdbcSource(DataSource database, String sql, Row<T> row, List<@Nullable Object> parameters, int fetchSize) {
        this.database = Objects.requireNonNull(database, "database");
        this.sql = Objects.requireNonNull(sql, "sql");
        this.row = Objects.requireNonNull(row, "row");
        this.parameters = parameters;
        this.fetchSize = fetchSize;
    }

    /**
     * Makes a sample of a row.
     *
     * @param <T> the values
     */
    @FunctionalInterface
    public interface Row<T> {
        /**
         * Returns the sample of the current row, or {@link Item#bad} for a row without a valid sample. A {@link
         * RuntimeException} makes the row a bad sample too.
         *
         * @throws SQLException stops the run
         */
        Item<T> read(ResultSet row) throws SQLException;
    }

    /**
     * Reads samples from the rows of a query.
     *
     * @throws IllegalArgumentException when the query has no {@code ORDER BY}
     */
    public static <T> JdbcSource<T> query(DataSource database, String sql, Row<T> row) {
        if (!sql.toLowerCase(Locale.ROOT).contains("order by")) {
            throw new IllegalArgumentException(
                    "the query of a source must have an ORDER BY that leaves no ties, so that a resumed run finds the"
                            + " same rows in the same order; got: " + sql);
        }
        return new JdbcSource<>(database, sql, row, List.of(), DEFAULT_FETCH_SIZE);
    }

    /** Replaces the values for the parameters of the query, none by default; null means NULL. */
    public JdbcSource<T> with(@Nullable Object... values) {
        List<@Nullable Object> copy = Collections.unmodifiableList(new ArrayList<>(Arrays.asList(values)));
        return new JdbcSource<>(database, sql, row, copy, fetchSize);
    }

    /**
     * Replaces the number of rows fetched at a time, {@link #DEFAULT_FETCH_SIZE} by default.
     *
     * @throws IllegalArgumentException when {@code rows} is less than 1
     */
    public JdbcSource<T> fetchSize(int rows) {
        if (rows < 1) {
            throw new IllegalArgumentException("fetch size must be at least 1, got " + rows);
        }
        return new JdbcSource<>(database, sql, row, parameters, rows);
    }

    /** Counts the rows of the query in the database, which takes no longer than reading them. */
    @Override
    public OptionalLong size() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement count = connection.prepareStatement("SELECT count(*) FROM (" + sql + ") AS source");
                ResultSet result = bound(count).executeQuery()) {
            return result.next() ? OptionalLong.of(result.getLong(1)) : OptionalLong.empty();
        }
    }

    @Override
    public Cursor<T> open() throws SQLException {
        Connection connection = database.getConnection();
        try {
            boolean autoCommit = connection.getAutoCommit();
            // Without a transaction, PostgreSQL would send all rows at once.
            connection.setAutoCommit(false);
            PreparedStatement query =
                    connection.prepareStatement(sql, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
            query.setFetchSize(fetchSize);
            return new Rows(connection, autoCommit, query, bound(query).executeQuery());
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private PreparedStatement bound(PreparedStatement statement) throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            statement.setObject(i + 1, parameters.get(i));
        }
        return statement;
    }

    private final class Rows implements Cursor<T> {
        private final Connection connection;
        private final boolean autoCommit;
        private final PreparedStatement query;
        private final ResultSet rows;
        private long number;

        Rows(Connection connection, boolean autoCommit, PreparedStatement query, ResultSet rows) {
            this.connection = connection;
            this.autoCommit = autoCommit;
            this.query = query;
            this.rows = rows;
        }

        @Override
        public Optional<Item<T>> next() throws SQLException {
            if (!rows.next()) {
                return Optional.empty();
            }
            number++;
            try {
                return Optional.of(row.read(rows));
            } catch (RuntimeException e) {
                return Optional.of(Item.bad(Long.toString(number), "bad_row", "row " + number + ": " + e));
            }
        }

        @Override
        public void close() throws SQLException {
            try (connection;
                    query;
                    rows) {
                connection.rollback();
                connection.setAutoCommit(autoCommit);
            }
        }
    }
}
