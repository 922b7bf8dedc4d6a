package io.redrive.spring;

import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresStore;
import io.redrive.jdbc.SqliteOptions;
import io.redrive.jdbc.SqliteStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** Opens the store of the type in the settings. */
final class StoreFactory {

    private static final String POSTGRES = "PostgreSQL";

    private StoreFactory() {}

    /** {@code source} is the application's data source, or null when it has none, or several of which none is primary. */
    static EventStore open(RedriveProperties.StoreSettings settings, Optional<DataSource> source) {
        String url = settings.url();
        if (url != null) {
            return PostgresStore.open(url, postgresOptions(settings));
        }
        return switch (settings.type()) {
            case MEMORY -> new InMemoryEventStore(settings.keyRetentionOrDefault(), settings.maxPayloadBytes());
            case SQLITE -> sqlite(settings);
            case POSTGRES ->
                postgres(
                        settings,
                        source.orElseThrow(() -> new IllegalStateException(
                                "redrive.store.type is postgres, but there is no data source, or there are several and none is"
                                        + " primary; set spring.datasource.url, or choose another type")));
            case AUTO ->
                source.filter(StoreFactory::isPostgres)
                        .map(postgres -> postgres(settings, postgres))
                        .orElseGet(() -> sqlite(settings));
        };
    }

    private static EventStore sqlite(RedriveProperties.StoreSettings settings) {
        SqliteOptions options = SqliteOptions.DEFAULT
                .withMaxPayload(settings.maxPayloadBytes())
                .withKeyRetention(settings.keyRetentionOrDefault())
                .withJournal(settings.journal());
        return SqliteStore.open(
                settings.path(), settings.survivesPowerLoss() ? options : options.withoutPowerLossSafety());
    }

    private static EventStore postgres(RedriveProperties.StoreSettings settings, DataSource source) {
        return PostgresStore.open(source, postgresOptions(settings));
    }

    private static PostgresOptions postgresOptions(RedriveProperties.StoreSettings settings) {
        return PostgresOptions.DEFAULT
                .withSchema(settings.schema())
                .withMaxPayload(settings.maxPayloadBytes())
                .withKeyRetention(settings.keyRetentionOrDefault())
                .withJournal(settings.journal());
    }

    private static boolean isPostgres(DataSource source) {
        try (Connection connection = source.getConnection()) {
            return connection.getMetaData().getDatabaseProductName().equals(POSTGRES);
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "cannot read the kind of database from the data source, which decides the store of events; set"
                            + " redrive.store.type to sqlite or postgres, or repair the data source: " + e.getMessage(),
                    e);
        }
    }
}
