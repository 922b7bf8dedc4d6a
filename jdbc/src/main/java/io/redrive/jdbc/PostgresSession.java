package io.redrive.jdbc;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.postgresql.PGConnection;

/**
 * A connection in the hands of one transaction. The driver keeps compiled statements, so preparing one again costs
 * nothing; those of the transaction are closed with the session. The connection itself belongs to whoever opened it.
 */
final class PostgresSession implements SqlSession, AutoCloseable {

    private final Connection connection;
    private final SchemaName schema;
    private final List<PreparedStatement> opened = new ArrayList<>();

    PostgresSession(Connection connection, SchemaName schema) {
        this.connection = connection;
        this.schema = schema;
    }

    @Override
    public PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(schema.in(sql));
        opened.add(statement);
        return statement;
    }

    @Override
    public Dialect dialect() {
        return Dialect.POSTGRES;
    }

    /** Adds rows in the server's binary format. Needs the driver's own connection, which every pool gives out. */
    void copy(String sql, byte[] rows) throws SQLException {
        try {
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn(schema.in(sql), new ByteArrayInputStream(rows));
        } catch (IOException e) {
            throw new SQLException("rows could not be sent to the server: " + e.getMessage(), e);
        }
    }

    SchemaName schema() {
        return schema;
    }

    Array bigints(Collection<Long> values) throws SQLException {
        return connection.createArrayOf("bigint", values.toArray(Long[]::new));
    }

    <T> Array bigints(List<T> from, Function<T, Long> column) throws SQLException {
        return connection.createArrayOf("bigint", from.stream().map(column).toArray(Long[]::new));
    }

    <T> Array integers(List<T> from, Function<T, Integer> column) throws SQLException {
        return connection.createArrayOf("integer", from.stream().map(column).toArray(Integer[]::new));
    }

    <T> Array texts(List<T> from, Function<T, String> column) throws SQLException {
        return connection.createArrayOf("text", from.stream().map(column).toArray(String[]::new));
    }

    <T> Array bytes(List<T> from, Function<T, byte[]> column) throws SQLException {
        return connection.createArrayOf("bytea", from.stream().map(column).toArray(byte[][]::new));
    }

    @Override
    public void close() throws SQLException {
        for (PreparedStatement statement : opened) {
            statement.close();
        }
    }
}
