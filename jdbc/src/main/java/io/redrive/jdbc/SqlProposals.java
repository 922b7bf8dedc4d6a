package io.redrive.jdbc;

import io.redrive.events.Proposals;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Proposals in a database of either dialect. */
record SqlProposals(SqlDeadLetters.Transactions transactions) implements Proposals {

    private static final String ADD = """
        INSERT INTO redrive.proposals (is_open, content, version)
        SELECT 1, ?, 1 WHERE (SELECT count(*) FROM redrive.proposals WHERE is_open = 1) < ?
        RETURNING number
        """;

    private static final String TRIM = """
        DELETE FROM redrive.proposals
        WHERE is_open = 0 AND number <= (
            SELECT number FROM redrive.proposals ORDER BY number DESC LIMIT 1 OFFSET ?)
        """;

    private static final String COLUMNS = "SELECT number, is_open, content, version FROM redrive.proposals ";

    private static final String FIND = COLUMNS + "WHERE number = ?";

    private static final String NEWEST = COLUMNS + "WHERE number < ? ORDER BY number DESC LIMIT ?";

    private static final String NEWEST_OPEN = COLUMNS + "WHERE number < ? AND is_open = 1 ORDER BY number DESC LIMIT ?";

    private static final String WRITE = """
        UPDATE redrive.proposals SET is_open = ?, content = ?, version = version + 1 WHERE number = ? AND version = ?
        """;

    @Override
    public Optional<StoredProposal> add(String content) {
        Proposals.requireContent(content);
        return transactions.write(content.length(), session -> {
            PreparedStatement add = session.prepare(ADD);
            add.setString(1, content);
            add.setInt(2, MAX_OPEN);
            Optional<StoredProposal> added = Optional.empty();
            try (ResultSet row = add.executeQuery()) {
                while (row.next()) {
                    added = Optional.of(new StoredProposal(row.getLong(1), true, content, 1));
                }
            }
            PreparedStatement trim = session.prepare(TRIM);
            trim.setInt(1, MAX_KEPT);
            trim.executeUpdate();
            return added;
        });
    }

    @Override
    public Optional<StoredProposal> find(long number) {
        return transactions
                .read(session -> {
                    PreparedStatement find = session.prepare(FIND);
                    find.setLong(1, number);
                    return proposals(find);
                })
                .stream()
                .findFirst();
    }

    @Override
    public List<StoredProposal> newest(boolean openOnly, long before, int limit) {
        Proposals.requireLimit(limit);
        return transactions.read(session -> {
            PreparedStatement newest = session.prepare(openOnly ? NEWEST_OPEN : NEWEST);
            newest.setLong(1, before);
            newest.setInt(2, limit);
            return proposals(newest);
        });
    }

    private static List<StoredProposal> proposals(PreparedStatement query) throws SQLException {
        List<StoredProposal> found = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                found.add(new StoredProposal(row.getLong(1), row.getInt(2) == 1, row.getString(3), row.getLong(4)));
            }
        }
        return found;
    }

    @Override
    public boolean write(StoredProposal changed) {
        return transactions.write(changed.content().length(), session -> {
            PreparedStatement write = session.prepare(WRITE);
            write.setInt(1, changed.open() ? 1 : 0);
            write.setString(2, changed.content());
            write.setLong(3, changed.number());
            write.setLong(4, changed.version());
            return write.executeUpdate() == 1;
        });
    }
}
