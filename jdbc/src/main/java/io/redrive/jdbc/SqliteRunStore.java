package io.redrive.jdbc;

import io.redrive.items.Commit;
import io.redrive.items.Lease;
import io.redrive.items.RunArchive;
import io.redrive.items.RunDefinition;
import io.redrive.items.RunRecord;
import io.redrive.items.RunStatus;
import io.redrive.items.RunStore;
import io.redrive.items.SampleRecord;
import io.redrive.jdbc.GroupCommitWriter.Sync;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs in one SQLite file, with no server to install; the same file may hold events too. What was committed survives the
 * death of the process and, by default, of the machine. Payloads above {@link #INLINE_PAYLOAD} bytes are kept as files in a
 * folder beside the database. Several runs, and several processes on one machine, may share a file. Thread-safe.
 *
 * <pre>{@code
 * try (RunStore store = SqliteRunStore.open(Path.of("runs.db"))) {
 *     Run.of(pipeline, store).id("march").from(source).to(sink).run();
 * }
 * }</pre>
 */
public final class SqliteRunStore implements RunStore {

    /** Payloads of more bytes than this are kept as files beside the database. */
    public static final int INLINE_PAYLOAD = 64 * 1024;

    private final SqliteFile file;
    private final GroupCommitWriter writer;
    private final SqliteReaders readers;
    private final PayloadFiles files;
    private final SqliteRunArchive archive;

    private SqliteRunStore(SqliteFile file, SqliteSession session, SqliteOptions options) {
        this.file = file;
        writer = new GroupCommitWriter(file, session, options.survivesPowerLoss());
        readers = new SqliteReaders(file);
        files = new PayloadFiles(Path.of(file.path() + "-payloads"), INLINE_PAYLOAD);
        archive = new SqliteRunArchive(writer, readers, files);
    }

    /** Opens the store in this file with the default options; the file is created when it does not exist. */
    public static SqliteRunStore open(Path path) {
        return open(path, SqliteOptions.DEFAULT);
    }

    /** Opens the store in this file; of the options, those about payloads and keys are for events and not looked at. */
    public static SqliteRunStore open(Path path, SqliteOptions options) {
        SqliteFile file = new SqliteFile(path.toAbsolutePath(), options);
        try {
            try (SqliteSession session = file.openToInspect()) {
                SqliteSchema.migrate(file, session);
            }
            return new SqliteRunStore(file, file.openWriter(), options);
        } catch (SQLException e) {
            throw SqliteErrors.explained(file.path(), e);
        }
    }

    @Override
    public RunRecord open(RunDefinition definition, Instant now) {
        RunRecord run = writer.write(Sync.DURABLE, 0, session -> {
            PreparedStatement create = session.prepare(SqliteRunSql.CREATE_RUN);
            create.setString(1, definition.id());
            create.setString(2, definition.pipeline());
            create.setString(3, RunRows.json(definition.stages()));
            create.setString(4, definition.origin());
            create.setLong(5, Micros.of(now));
            create.executeUpdate();
            return SqliteRuns.find(session, definition.id(), now).orElseThrow();
        });
        run.definition().requireSame(definition);
        return run;
    }

    @Override
    public Lease join(String run, String node, Duration lease, Instant now) {
        return writer.write(Sync.DURABLE, 0, session -> {
            long number = SqliteRuns.number(session, run);
            SqliteRuns.recover(session, number, now);
            PreparedStatement resume = session.prepare(SqliteRunSql.RESUME_RUN);
            resume.setLong(1, number);
            resume.setLong(2, Micros.of(now));
            resume.executeUpdate();
            Lease joined = new Lease(run, session.nextToken());
            PreparedStatement add = session.prepare(SqliteRunSql.ADD_WORKER);
            add.setLong(1, joined.token());
            add.setLong(2, number);
            add.setString(3, node);
            add.setLong(4, Micros.of(now.plus(lease)));
            add.executeUpdate();
            return joined;
        });
    }

    @Override
    public List<SampleRecord> claim(Lease lease, long number, int max, Instant now) {
        return writer.write(Sync.HARMLESS_TO_LOSE, 0, session -> {
            SqliteRuns.Worker worker = SqliteRuns.worker(session, lease);
            if (worker == null) {
                return List.of();
            }
            long run = SqliteRuns.number(session, lease.run());
            return number <= worker.claims()
                    ? claimedBefore(session, lease, number)
                    : claimNow(session, run, lease, number, max, now);
        });
    }

    private List<SampleRecord> claimedBefore(SqliteSession session, Lease lease, long number) throws SQLException {
        PreparedStatement claimed = session.prepare(SqliteRunSql.CLAIMED);
        claimed.setLong(1, lease.token());
        claimed.setLong(2, number);
        return samples(claimed);
    }

    private List<SampleRecord> claimNow(SqliteSession session, long run, Lease lease, long number, int max, Instant now)
            throws SQLException {
        PreparedStatement free = session.prepare(SqliteRunSql.FREE);
        free.setLong(1, run);
        free.setLong(2, Micros.of(now));
        free.setInt(3, max);
        List<SampleRecord> claimed = samples(free);
        PreparedStatement claim = session.prepare(SqliteRunSql.CLAIM);
        for (SampleRecord sample : claimed) {
            claim.setLong(1, RunRows.key(run, sample.ordinal()));
            claim.setLong(2, lease.token());
            claim.setLong(3, number);
            claim.addBatch();
        }
        if (!claimed.isEmpty()) {
            claim.executeBatch();
        }
        PreparedStatement count = session.prepare(SqliteRunSql.COUNT_CLAIM);
        count.setLong(1, lease.token());
        count.setLong(2, number);
        count.executeUpdate();
        return claimed;
    }

    private List<SampleRecord> samples(PreparedStatement query) throws SQLException {
        List<SampleRecord> samples = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                samples.add(RunRows.sample(row, files));
            }
        }
        return samples;
    }

    @Override
    public Optional<RunRecord> commit(Commit commit, Instant now) {
        Map<Long, String> written = writeLarge(commit);
        List<String> replaced = new ArrayList<>();
        Optional<RunRecord> run = writer.write(Sync.DURABLE, bytes(commit), session -> {
            replaced.clear();
            SqliteRuns.Worker worker = SqliteRuns.worker(session, commit.lease());
            if (worker == null) {
                return Optional.empty();
            }
            if (commit.number() > worker.commits()) {
                long number = SqliteRuns.number(session, commit.lease().run());
                if (files.hasAny(number)) {
                    replaced.addAll(SqliteRuns.replacedFiles(session, number, commit.samples()));
                }
                SqliteRunCommit.apply(session, number, commit, written, now);
            }
            return SqliteRuns.find(session, commit.lease().run(), now);
        });
        (run.isPresent() ? replaced : written.values()).forEach(files::delete);
        return run;
    }

    @Override
    public Optional<RunRecord> extend(Lease lease, Duration length, boolean reads, Instant now) {
        return writer.write(Sync.HARMLESS_TO_LOSE, 0, session -> {
            PreparedStatement extend = session.prepare(SqliteRunSql.EXTEND_WORKER);
            extend.setLong(1, lease.token());
            extend.setLong(2, Micros.of(now.plus(length)));
            if (extend.executeUpdate() == 0) {
                return Optional.empty();
            }
            long number = SqliteRuns.number(session, lease.run());
            SqliteRuns.recover(session, number, now);
            if (reads) {
                PreparedStatement become = session.prepare(SqliteRunSql.BECOME_READER);
                become.setLong(1, number);
                become.setLong(2, lease.token());
                become.executeUpdate();
            }
            return SqliteRuns.find(session, lease.run(), now);
        });
    }

    @Override
    public Optional<RunRecord> finish(Lease lease, RunStatus status, Instant now) {
        return writer.write(Sync.DURABLE, 0, session -> {
            if (SqliteRuns.worker(session, lease) == null) {
                return Optional.empty();
            }
            long number = SqliteRuns.number(session, lease.run());
            RunRecord run = SqliteRuns.find(session, lease.run(), now).orElseThrow();
            if (!run.totals().isComplete()) {
                return Optional.of(run);
            }
            SqliteRuns.freeAll(session, number);
            SqliteRuns.end(session, number, status, now);
            return SqliteRuns.find(session, lease.run(), now);
        });
    }

    @Override
    public void leave(Lease lease, RunStatus status, Instant now) {
        writer.write(Sync.DURABLE, 0, session -> {
            if (SqliteRuns.worker(session, lease) != null) {
                long number = SqliteRuns.number(session, lease.run());
                SqliteRuns.free(session, number, lease.token());
                RunRecord run = SqliteRuns.find(session, lease.run(), now).orElseThrow();
                boolean last = run.workers() == 0;
                if (run.status() == RunStatus.RUNNING && (last || status != RunStatus.STOPPED)) {
                    SqliteRuns.end(session, number, status, now);
                }
            }
            return null;
        });
    }

    @Override
    public Optional<String> sinkPosition(String run, String sink) {
        return readers.read(session -> {
            PreparedStatement position = session.prepare(SqliteRunSql.SINK_POSITION);
            position.setLong(1, SqliteRuns.number(session, run));
            position.setString(2, sink);
            try (ResultSet row = position.executeQuery()) {
                return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
            }
        });
    }

    @Override
    public RunArchive archive() {
        return archive;
    }

    @Override
    public void close() {
        writer.close();
        try {
            readers.close();
        } catch (SQLException e) {
            throw SqliteErrors.explained(file.path(), e);
        }
    }

    /** The names of large payloads by ordinal; written before the commit that names them. */
    private Map<Long, String> writeLarge(Commit commit) {
        Map<Long, String> written = new HashMap<>();
        for (SampleRecord sample : commit.samples()) {
            if (files.isLarge(sample.payload())) {
                long number = readers.read(
                        session -> SqliteRuns.number(session, commit.lease().run()));
                String unique = commit.lease().token() + "-" + commit.number();
                written.put(sample.ordinal(), files.write(number, sample.ordinal(), unique, sample.payload()));
            }
        }
        return written;
    }

    private static long bytes(Commit commit) {
        long bytes = 0;
        for (SampleRecord sample : commit.samples()) {
            bytes += sample.payload() == null ? 0 : sample.payload().length;
        }
        return bytes;
    }
}
