package io.redrive.jdbc;

import io.redrive.events.Attempts;
import io.redrive.events.LeaseHolders;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Makes events whose lease has expired ready again, some leases in each transaction. */
final class PostgresRecovery {

    private static final int LEASES_AT_ONCE = 100;

    private PostgresRecovery() {}

    /** Returns the number of recovered events. */
    static int recover(PostgresDatabase database, PostgresClock clock, LeaseHolders holders) {
        int recovered = 0;
        int some;
        do {
            some = database.hotTransaction(session -> recoverSome(session, clock, holders));
            recovered += some;
        } while (some > 0);
        return recovered;
    }

    private static int recoverSome(PostgresSession session, PostgresClock clock, LeaseHolders holders)
            throws SQLException {
        PreparedStatement recover = session.prepare(PostgresClaimSql.RECOVER);
        clock.bind(recover, 1);
        recover.setArray(2, session.texts(List.copyOf(holders.alive()), it -> it));
        recover.setArray(3, session.texts(List.copyOf(holders.unclear()), it -> it));
        recover.setInt(4, LEASES_AT_ONCE);
        recover.setInt(5, Attempts.CRASHES_OF_A_SUSPECT);
        recover.setInt(6, Attempts.CRASHES_OF_A_SUSPECT);
        recover.setInt(7, QueueNumbers.SUSPECTS);
        try (ResultSet row = recover.executeQuery()) {
            row.next();
            return row.getInt(1);
        }
    }
}
