package io.redrive.jdbc;

import io.redrive.items.store.Commit;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunArchive;
import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.SampleRecord;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A run store in a database of either dialect. */
abstract class SqlRunStore implements RunStore {

    private final Transactions transactions;
    private final PayloadFiles files;
    private final RunArchive archive;

    SqlRunStore(Transactions transactions, PayloadFiles files) {
        this.transactions = transactions;
        this.files = files;
        archive = new SqlRunArchive(transactions, files);
    }

    /** Transactions of a dialect. */
    interface Transactions {

        /** Reads one snapshot. */
        <T> T read(SqlWork<RunSession, T> work);

        /** Runs work that must survive a power loss and writes about {@code bytes} bytes of payload. */
        <T> T write(long bytes, SqlWork<RunSession, T> work);

        /** Runs work that a power loss may undo: leases and claims, whose holder dies with the machine. */
        <T> T writeLeases(SqlWork<RunSession, T> work);
    }

    @Override
    public final RunRecord open(RunDefinition definition, Instant now) {
        RunRecord run = transactions.write(0, session -> {
            PreparedStatement create = session.prepare(RunSql.CREATE_RUN);
            create.setString(1, definition.id());
            create.setString(2, definition.pipeline());
            create.setString(3, StringListJson.write(definition.stages()));
            create.setString(4, definition.origin());
            create.setLong(5, Micros.of(now));
            create.setLong(6, Micros.of(now));
            create.executeUpdate();
            return RunTables.find(session, definition.id(), now).orElseThrow();
        });
        run.definition().requireSame(definition);
        return run;
    }

    @Override
    public final Lease join(String run, String node, Duration lease, Instant now) {
        // Listed before joining: files written afterwards belong to commits still to come.
        List<String> found = files.list(transactions.read(session -> RunTables.number(session, run)));
        List<String> leftBehind = new ArrayList<>();
        Lease joined = transactions.write(0, session -> {
            long number = RunTables.number(session, run);
            Instant at = session.now(now);
            Lease added = new Lease(run, session.nextToken());
            PreparedStatement add = session.prepare(RunSql.ADD_WORKER);
            add.setLong(1, added.token());
            add.setLong(2, number);
            add.setString(3, node);
            add.setLong(4, Micros.of(at.plus(lease)));
            add.executeUpdate();
            RunTables.recover(session, number, at);
            PreparedStatement resume = session.prepare(RunSql.RESUME_RUN);
            resume.setLong(1, added.token());
            resume.setLong(2, added.token());
            resume.setLong(3, Micros.of(now));
            resume.setLong(4, Micros.of(now));
            resume.setLong(5, number);
            resume.executeUpdate();
            leftBehind.clear();
            leftBehind.addAll(RunTables.unnamedFiles(session, run, found));
            return added;
        });
        leftBehind.forEach(files::delete);
        return joined;
    }

    @Override
    public final List<SampleRecord> claim(Lease lease, long number, int max, Instant now) {
        return transactions.writeLeases(session -> {
            Optional<RunTables.Worker> worker = RunTables.worker(session, lease);
            if (worker.isEmpty()) {
                return List.of();
            }
            long run = RunTables.number(session, lease.run());
            boolean all = now.equals(Instant.MAX);
            Duration skew = all ? Duration.ZERO : Duration.between(now, session.now(now));
            if (number <= worker.get().claims()) {
                PreparedStatement claimed = session.prepare(RunSql.CLAIMED);
                claimed.setLong(1, lease.token());
                claimed.setLong(2, number);
                return samples(claimed, skew);
            }
            PreparedStatement free =
                    session.prepare((all ? RunSql.FREE_IN_ORDER : RunSql.FREE) + session.dialect().forUpdateSkipLocked);
            free.setLong(1, run);
            free.setLong(2, Micros.of(skew.isZero() ? now : now.plus(skew)));
            free.setInt(3, max);
            List<SampleRecord> claimed = samples(free, skew);
            markClaimed(session, run, new Claimer(lease, number), claimed);
            return claimed;
        });
    }

    private record Claimer(Lease lease, long number) {}

    private static void markClaimed(SqlSession session, long run, Claimer claimer, List<SampleRecord> claimed)
            throws SQLException {
        PreparedStatement claim = session.prepare(RunSql.CLAIM);
        for (SampleRecord sample : claimed) {
            claim.setLong(1, claimer.lease().token());
            claim.setLong(2, claimer.number());
            claim.setLong(3, RunRows.key(run, sample.ordinal()));
            claim.addBatch();
        }
        if (!claimed.isEmpty()) {
            claim.executeBatch();
        }
        PreparedStatement count = session.prepare(RunSql.COUNT_CLAIM);
        count.setLong(1, claimer.number());
        count.setLong(2, claimer.lease().token());
        count.executeUpdate();
    }

    private List<SampleRecord> samples(PreparedStatement query, Duration skew) throws SQLException {
        List<SampleRecord> samples = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                samples.add(RunRows.sample(row, files, skew));
            }
        }
        return samples;
    }

    @Override
    public final Optional<RunRecord> commit(Commit commit, Instant now) {
        Payloads payloads = writeLarge(commit);
        Map<Long, String> written = payloads.files();
        List<String> replaced = new ArrayList<>();
        Optional<RunRecord> run = transactions.write(payloads.bytes(), session -> {
            replaced.clear();
            Optional<RunTables.Worker> worker = RunTables.worker(session, commit.lease());
            if (worker.isEmpty()) {
                return Optional.empty();
            }
            if (commit.number() > worker.get().commits()) {
                long number = RunTables.number(session, commit.lease().run());
                if (files.hasAny(number)) {
                    replaced.addAll(RunTables.replacedFiles(session, number, commit.changes()));
                }
                RunCommit.apply(session, number, commit, written, now);
            }
            return RunTables.find(session, commit.lease().run(), session.now(now));
        });
        (run.isPresent() ? replaced : written.values()).forEach(files::delete);
        return run;
    }

    @Override
    public final Optional<RunRecord> extend(Lease lease, Duration length, boolean reads, Instant now) {
        return transactions.writeLeases(session -> {
            Instant at = session.now(now);
            PreparedStatement extend = session.prepare(RunSql.EXTEND_WORKER);
            extend.setLong(1, Micros.of(at.plus(length)));
            extend.setLong(2, lease.token());
            if (extend.executeUpdate() == 0) {
                return Optional.empty();
            }
            long number = RunTables.number(session, lease.run());
            RunTables.recover(session, number, at);
            if (reads) {
                PreparedStatement become = session.prepare(RunSql.BECOME_READER);
                become.setLong(1, lease.token());
                become.setLong(2, number);
                become.executeUpdate();
            }
            return RunTables.find(session, lease.run(), at);
        });
    }

    @Override
    public final Optional<RunRecord> finish(Lease lease, RunStatus status, Instant now) {
        return transactions.write(0, session -> {
            if (RunTables.worker(session, lease).isEmpty()) {
                return Optional.empty();
            }
            long number = RunTables.number(session, lease.run());
            if (RunTables.find(session, lease.run(), now).orElseThrow().totals().isComplete()) {
                RunTables.free(session, number, lease.token());
                RunTables.rest(session, number, now);
                if (!RunTables.finish(session, number, status, now)) {
                    // Samples were revived a moment ago: the same as leaving before their revival.
                    RunTables.end(session, number, RunStatus.STOPPED, now);
                }
            }
            return RunTables.find(session, lease.run(), now);
        });
    }

    @Override
    public final void leave(Lease lease, RunStatus status, Instant now) {
        transactions.write(0, session -> {
            boolean holds = RunTables.worker(session, lease).isPresent();
            if (holds) {
                long number = RunTables.number(session, lease.run());
                RunTables.free(session, number, lease.token());
                RunTables.rest(session, number, now);
                RunRecord run = RunTables.find(session, lease.run(), now).orElseThrow();
                boolean last = run.workers() == 0;
                if (run.status() == RunStatus.RUNNING && (last || status != RunStatus.STOPPED)) {
                    RunTables.end(session, number, status, now);
                }
            }
            return holds;
        });
    }

    @Override
    public final void evict(Lease lease) {
        transactions.write(0, session -> {
            boolean holds = RunTables.worker(session, lease).isPresent();
            if (holds) {
                long number = RunTables.number(session, lease.run());
                RunTables.crash(session, number, lease.token());
                RunTables.rest(
                        session,
                        number,
                        RunTables.find(session, lease.run(), Instant.MAX)
                                .orElseThrow()
                                .updated());
            }
            return holds;
        });
    }

    @Override
    public final Optional<String> sinkPosition(String run, String sink) {
        return transactions.read(session -> {
            PreparedStatement position = session.prepare(RunSql.SINK_POSITION);
            position.setLong(1, RunTables.number(session, run));
            position.setString(2, sink);
            try (ResultSet row = position.executeQuery()) {
                return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
            }
        });
    }

    @Override
    public final RunArchive archive() {
        return archive;
    }

    /** Bytes of all payloads of a commit, and the names of its payload files by ordinal. */
    private record Payloads(long bytes, Map<Long, String> files) {}

    /** Writes large payloads to files, before the commit that names them. */
    private Payloads writeLarge(Commit commit) {
        long bytes = 0;
        List<SampleRecord> large = new ArrayList<>();
        for (Commit.Change change : commit.changes()) {
            if (change.sample().payload() instanceof SampleRecord.Payload.Bytes payload) {
                bytes += payload.bytes().length;
                if (files.isLarge(payload.bytes())) {
                    large.add(change.sample());
                }
            }
        }
        if (large.isEmpty()) {
            return new Payloads(bytes, Map.of());
        }
        long number = transactions.read(
                session -> RunTables.number(session, commit.lease().run()));
        String unique = commit.lease().token() + "-" + commit.number();
        return new Payloads(bytes, files.write(number, unique, large));
    }
}
