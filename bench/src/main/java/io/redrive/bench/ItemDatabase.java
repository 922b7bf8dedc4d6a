package io.redrive.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.redrive.items.store.RunStore;
import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresRunStore;
import io.redrive.jdbc.SqliteRunStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** A kind of database, for runs of ours and of the peer with the same durability. */
interface ItemDatabase extends AutoCloseable {

    /** Opens an empty store. */
    RunStore newStore();

    /** Opens the peer with its own tables. */
    BatchPeer peer();

    @Override
    void close() throws IOException;

    /** WAL, synchronous FULL; each store is a file in {@code folder}. */
    static ItemDatabase sqlite(Path folder) throws Exception {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(30_000);
        // With SQLite's default, transactions with a read before the first write fail at the write.
        config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
        SQLiteDataSource sqlite = new SQLiteDataSource(config);
        sqlite.setUrl("jdbc:sqlite:" + folder.resolve("peer.db"));
        HikariConfig pool = new HikariConfig();
        pool.setDataSource(sqlite);
        HikariDataSource source = new HikariDataSource(pool);
        BatchPeer peer = BatchPeer.onSqlite(source);
        return new ItemDatabase() {
            private int files;

            @Override
            public RunStore newStore() {
                return SqliteRunStore.open(folder.resolve("items-" + ++files + ".db"));
            }

            @Override
            public BatchPeer peer() {
                return peer;
            }

            @Override
            public void close() {
                source.close();
            }
        };
    }

    /** Switches durability on, which the embedded server leaves off; all further settings are PostgreSQL's defaults. */
    static ItemDatabase postgres() throws Exception {
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start();
        String url = server.getJdbcUrl("postgres", "postgres");
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(url);
        HikariDataSource source = new HikariDataSource(pool);
        BatchPeer peer = BatchPeer.onPostgres(source);
        return new ItemDatabase() {
            private int schemas;

            @Override
            public RunStore newStore() {
                return PostgresRunStore.open(url, PostgresOptions.DEFAULT.withSchema("items_" + ++schemas));
            }

            @Override
            public BatchPeer peer() {
                return peer;
            }

            @Override
            public void close() throws IOException {
                source.close();
                server.close();
            }
        };
    }
}
