package io.redrive.jdbc;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * A connection for the length of one transaction. The driver keeps compiled statements, so preparing the same text in
 * the next transaction costs little; closing the session closes its statements. The caller closes the connection.
 */
final class PostgresSession implements SqlSession, AutoCloseable {

    private final Connection connection;
    private final PostgresSchemaName schema;
    private final Map<String, PreparedStatement> opened = new HashMap<>();

    PostgresSession(Connection connection, PostgresSchemaName schema) {
        this.connection = connection;
        this.schema = schema;
    }

    /**
     * Returns the same statement for the same text. The driver would compile and plan a second open statement of the
     * same text anew, and send its results as text.
     */
    @Override
    public PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = opened.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(schema.in(sql));
            opened.put(sql, statement);
        }
        return statement;
    }

    @Override
    public Dialect dialect() {
        return Dialect.POSTGRES;
    }

    /** Inserts rows in the server's binary format. Needs the driver's own connection, which every pool can unwrap. */
    void copy(String sql, byte[] rows) throws SQLException {
        try {
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn(schema.in(sql), new ByteArrayInputStream(rows));
        } catch (IOException e) {
            throw new SQLException("rows could not be sent to the server: " + e.getMessage(), e);
        }
    }

    PostgresSchemaName schema() {
        return schema;
    }

    Array bigints(Collection<Long> values) throws SQLException {
        return connection.createArrayOf("bigint", values.toArray(Long[]::new));
    }

    <T> Array bigints(List<T> from, Function<T, @Nullable Long> column) throws SQLException {
        return connection.createArrayOf("bigint", from.stream().map(column).toArray(Long[]::new));
    }

    <T> Array integers(List<T> from, Function<T, @Nullable Integer> column) throws SQLException {
        return connection.createArrayOf("integer", from.stream().map(column).toArray(Integer[]::new));
    }

    /** Returns an array with one element when all values are the same, which must not be null. */
    <T> Array sharedIntegers(List<T> from, Function<T, Integer> column) throws SQLException {
        return integers(areSame(from, column) ? from.subList(0, 1) : from, column::apply);
    }

    /** Returns an array with one element when all values are the same, which must not be null. */
    <T> Array sharedTexts(List<T> from, Function<T, String> column) throws SQLException {
        return texts(areSame(from, column) ? from.subList(0, 1) : from, column::apply);
    }

    private static <T> boolean areSame(List<T> from, Function<T, ?> column) {
        Object first = column.apply(from.get(0));
        return from.stream().allMatch(row -> column.apply(row).equals(first));
    }

    <T> Array booleans(List<T> from, Predicate<T> column) throws SQLException {
        return connection.createArrayOf(
                "boolean", from.stream().map(column::test).toArray(Boolean[]::new));
    }

    <T> Array texts(List<T> from, Function<T, @Nullable String> column) throws SQLException {
        return connection.createArrayOf("text", from.stream().map(column).toArray(String[]::new));
    }

    <T> Array bytes(List<T> from, Function<T, byte @Nullable []> column) throws SQLException {
        return connection.createArrayOf("bytea", from.stream().map(column).toArray(byte[][]::new));
    }

    /** Returns null when all values are. */
    <T> @Nullable Array textsIfAny(List<T> from, Function<T, @Nullable String> column) throws SQLException {
        return from.stream().allMatch(row -> column.apply(row) == null) ? null : texts(from, column);
    }

    /** Returns null when all values are. */
    <T> @Nullable Array bigintsIfAny(List<T> from, Function<T, @Nullable Long> column) throws SQLException {
        return from.stream().allMatch(row -> column.apply(row) == null) ? null : bigints(from, column);
    }

    @Override
    public void close() throws SQLException {
        for (PreparedStatement statement : opened.values()) {
            statement.close();
        }
    }
}
