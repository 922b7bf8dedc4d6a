package io.redrive.spring;

import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresStore;
import io.redrive.jdbc.SqliteOptions;
import io.redrive.jdbc.SqliteStore;
import io.redrive.spring.RedriveProperties.StoreType;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Opens the store that the settings ask for. */
final class StoreFactory {

    private static final String POSTGRES = "PostgreSQL";

    private StoreFactory() {}

    /** {@code source} is the application's data source, or null when it has none, or several of which none is primary. */
    static EventStore open(RedriveProperties.StoreSettings settings, DataSource source) {
        return switch (settings.type()) {
            case MEMORY -> new InMemoryEventStore(settings.keyRetentionOrDefault(), settings.maxPayloadBytes());
            case SQLITE -> sqlite(settings);
            case POSTGRES -> postgres(settings, source);
            case AUTO ->
                source != null && productOf(source).equals(POSTGRES) ? postgres(settings, source) : sqlite(settings);
        };
    }

    private static EventStore sqlite(RedriveProperties.StoreSettings settings) {
        SqliteOptions options = SqliteOptions.DEFAULT
                .withMaxPayload(settings.maxPayloadBytes())
                .withKeyRetention(settings.keyRetentionOrDefault());
        return SqliteStore.open(
                settings.path(), settings.survivesPowerLoss() ? options : options.withoutPowerLossSafety());
    }

    private static EventStore postgres(RedriveProperties.StoreSettings settings, DataSource source) {
        if (source == null) {
            throw new IllegalStateException(
                    "redrive.store.type is " + StoreType.POSTGRES.name().toLowerCase()
                            + ", but there is no data source, or there are several and none is primary;"
                            + " set spring.datasource.url, or choose another type");
        }
        return PostgresStore.open(
                source,
                PostgresOptions.DEFAULT
                        .withSchema(settings.schema())
                        .withMaxPayload(settings.maxPayloadBytes())
                        .withKeyRetention(settings.keyRetentionOrDefault()));
    }

    private static String productOf(DataSource source) {
        try (Connection connection = source.getConnection()) {
            return connection.getMetaData().getDatabaseProductName();
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "cannot tell what kind of database the data source is, to choose the store of events; set"
                            + " redrive.store.type to sqlite or postgres, or mend the data source: " + e.getMessage(),
                    e);
        }
    }
}
