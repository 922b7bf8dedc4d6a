package io.redrive.jdbc;

import io.redrive.events.Causes;
import io.redrive.events.DeadLetter;
import io.redrive.events.Settlement.Dead;
import io.redrive.events.cause.Care;
import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CausePlace;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.events.cause.Sighting;
import io.redrive.events.cause.Stance;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The tables of causes, for both dialects. */
final class CauseRows {

    private static final int RESOLVED = 1;
    private static final int IGNORED = 2;
    private static final long MICROS_PER_DAY = 86_400_000_000L;

    private CauseRows() {}

    /** The part of a sighting that letters share. Sorted, so that concurrent transactions lock rows in one order. */
    private record Key(String fingerprint, String name, String version) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byCause = fingerprint.compareTo(other.fingerprint);
            int byName = byCause != 0 ? byCause : name.compareTo(other.name);
            return byName != 0 ? byName : version.compareTo(other.version);
        }
    }

    /**
     * Returns the cause that takes the letters of each fingerprint. Until the transaction ends, no merge takes effect for these
     * causes.
     */
    static Map<String, String> filedUnder(SqlSession session, Collection<String> fingerprints) throws SQLException {
        Map<String, String> filed = new HashMap<>();
        PreparedStatement find = session.prepare(CauseSql.MERGED_INTO + session.dialect().forShare);
        for (String fingerprint : new TreeSet<>(fingerprints)) {
            find.setString(1, fingerprint);
            try (ResultSet row = find.executeQuery()) {
                @Nullable String into = row.next() ? row.getString(1) : null;
                filed.put(fingerprint, into == null ? fingerprint : into);
            }
        }
        return filed;
    }

    /** Counts new letters for their causes. */
    static void saw(SqlSession session, List<Dead> letters, Map<String, String> filed, long now) throws SQLException {
        Map<String, Dead> firsts = new TreeMap<>();
        Map<Key, Long> counts = new TreeMap<>();
        for (Dead dead : letters) {
            firsts.putIfAbsent(dead.fingerprint(), dead);
            String version = dead.version().map(ServiceVersion::text).orElse("");
            String name = dead.claim().event().name();
            counts.merge(
                    new Key(filed.getOrDefault(dead.fingerprint(), dead.fingerprint()), name, version), 1L, Long::sum);
        }
        PreparedStatement add = session.prepare(CauseSql.ADD);
        for (Map.Entry<String, Dead> first : firsts.entrySet()) {
            bind(
                    add,
                    first.getKey(),
                    first.getValue().attempt().errorType(),
                    first.getValue().attempt().message(),
                    now);
            add.addBatch();
        }
        add.executeBatch();
        PreparedStatement count = session.prepare(CauseSql.COUNT);
        for (Map.Entry<Key, Long> each : counts.entrySet()) {
            count.setString(1, each.getKey().fingerprint());
            count.setLong(2, Math.floorDiv(now, MICROS_PER_DAY));
            count.setString(3, each.getKey().name());
            count.setString(4, each.getKey().version());
            count.setLong(5, each.getValue());
            count.setLong(6, now);
            count.setLong(7, now);
            count.addBatch();
        }
        count.executeBatch();
    }

    /** Makes the causes of imported letters known. */
    static void imported(SqlSession session, List<DeadLetter> letters) throws SQLException {
        Map<String, DeadLetter> firsts = new TreeMap<>();
        letters.forEach(letter -> firsts.putIfAbsent(letter.fingerprint(), letter));
        PreparedStatement add = session.prepare(CauseSql.ADD);
        for (DeadLetter letter : firsts.values()) {
            bind(add, letter.fingerprint(), letter.errorType(), letter.lastError(), Micros.of(letter.deadAt()));
            add.addBatch();
        }
        add.executeBatch();
    }

    private static void bind(PreparedStatement add, String fingerprint, String errorType, String example, long first)
            throws SQLException {
        add.setString(1, fingerprint);
        add.setString(2, errorType);
        add.setString(3, example);
        add.setLong(4, first);
    }

    static Optional<Cause> find(SqlSession session, String fingerprint, String lock) throws SQLException {
        PreparedStatement find = session.prepare(CauseSql.FIND + lock);
        find.setString(1, fingerprint);
        return withSightings(session, bare(find)).stream().findFirst();
    }

    /** Returns all causes of a query. */
    static List<Cause> list(SqlSession session, String sql) throws SQLException {
        PreparedStatement list = session.prepare(sql);
        list.setInt(1, Causes.MAX_PAGE);
        return withSightings(session, bare(list));
    }

    /** Returns causes behind a place, the one seen last first. */
    static List<Cause> latest(SqlSession session, CausePlace after, int limit) throws SQLException {
        List<String> fingerprints = LatestCauses.fingerprints(session, after, limit);
        Map<String, Cause> chosen = new HashMap<>();
        CauseQuery.read(session, CauseSql.CHOSEN, fingerprints, row -> chosen.put(row.getString(1), bare(row)));
        return withSightings(session, fingerprints.stream().map(chosen::get).toList());
    }

    private static List<Cause> bare(PreparedStatement query) throws SQLException {
        List<Cause> causes = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                causes.add(bare(row));
            }
        }
        return causes;
    }

    private static Cause bare(ResultSet row) throws SQLException {
        return new Cause(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                Micros.toInstant(row.getLong(4)),
                List.of(),
                new Care(stance(row), row.getString(11), row.getString(12), row.getString(13)),
                Optional.ofNullable(row.getString(14)));
    }

    private static List<Cause> withSightings(SqlSession session, List<Cause> bare) throws SQLException {
        Map<String, List<Sighting>> sightings =
                sightings(session, bare.stream().map(Cause::fingerprint).toList());
        return bare.stream()
                .map(cause -> new Cause(
                        cause.fingerprint(),
                        cause.errorType(),
                        cause.example(),
                        cause.firstSeen(),
                        sightings.getOrDefault(cause.fingerprint(), List.of()),
                        cause.care(),
                        cause.mergedInto()))
                .toList();
    }

    private static Stance stance(ResultSet row) throws SQLException {
        int code = row.getInt(5);
        if (code == RESOLVED) {
            Optional<String> fixedIn = Optional.ofNullable(row.getString(7));
            return new Stance.Resolved(Micros.toInstant(row.getLong(6)), fixedIn.map(ServiceVersion::new));
        }
        if (code == IGNORED) {
            long until = row.getLong(8);
            boolean endless = row.wasNull();
            long letters = row.getLong(9);
            boolean uncounted = row.wasNull();
            return new Stance.Ignored(
                    endless ? Optional.empty() : Optional.of(Micros.toInstant(until)),
                    uncounted ? OptionalLong.empty() : OptionalLong.of(letters),
                    row.getLong(10));
        }
        return Stance.OPEN;
    }

    private static Map<String, List<Sighting>> sightings(SqlSession session, List<String> fingerprints)
            throws SQLException {
        Map<String, List<Sighting>> sightings = new HashMap<>();
        CauseQuery.read(
                session,
                CauseSql.SIGHTINGS,
                fingerprints,
                row -> sightings
                        .computeIfAbsent(row.getString(1), fingerprint -> new ArrayList<>())
                        .add(new Sighting(
                                LocalDate.ofEpochDay(row.getLong(2)),
                                row.getString(3),
                                ServiceVersion.parse(row.getString(4)),
                                row.getLong(5),
                                Micros.toInstant(row.getLong(6)),
                                Micros.toInstant(row.getLong(7)))));
        return sightings;
    }

    static void change(SqlSession session, String fingerprint, Care care) throws SQLException {
        PreparedStatement change = session.prepare(CauseSql.CHANGE);
        for (int parameter = 1; parameter <= 6; parameter++) {
            change.setNull(parameter, parameter == 3 ? Types.VARCHAR : Types.BIGINT);
        }
        change.setInt(1, 0);
        if (care.stance() instanceof Stance.Resolved resolved) {
            change.setInt(1, RESOLVED);
            change.setLong(2, Micros.of(resolved.at()));
            change.setString(3, resolved.fixedIn().map(ServiceVersion::text).orElse(null));
        } else if (care.stance() instanceof Stance.Ignored ignored) {
            change.setInt(1, IGNORED);
            if (ignored.until().isPresent()) {
                change.setLong(4, Micros.of(ignored.until().get()));
            }
            if (ignored.letters().isPresent()) {
                change.setLong(5, ignored.letters().getAsLong());
            }
            change.setLong(6, ignored.seenBefore());
        }
        change.setString(7, care.owner());
        change.setString(8, care.note());
        change.setString(9, care.ticket());
        change.setString(10, fingerprint);
        change.executeUpdate();
    }
}
