package io.redrive.console;

import io.redrive.events.cause.Cause;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.events.cause.Sighting;
import io.redrive.pipeline.Member;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The letters of a cause beside the versions of the service: which version caused letters, and which versions run now.
 *
 * @param versions the versions with letters or live nodes, in the order of their beginning
 * @param began the start of a node shortly before the first letter, in words; empty for none
 */
record CauseVersions(List<OfVersion> versions, String began) {

    private static final String UNKNOWN = "unknown";
    /** A node that started longer before the first letter says nothing about its cause. */
    static final Duration NEAR = Duration.ofHours(24);

    /**
     * One version.
     *
     * @param version the version, or that it is unknown
     * @param letters the number of letters that nodes of the version caused
     * @param first when the first of the letters died
     * @param last when the last of the letters died
     * @param nodes the live nodes of the version that handle events of the cause
     * @param started when the first of the nodes started
     */
    record OfVersion(
            String version,
            long letters,
            Optional<Instant> first,
            Optional<Instant> last,
            long nodes,
            Optional<Instant> started) {

        private Instant beginning() {
            return first.or(() -> started).orElse(Instant.MAX);
        }

        private OfVersion plus(OfVersion other) {
            return new OfVersion(
                    version,
                    letters + other.letters,
                    least(first, other.first),
                    last.map(one -> other.last.filter(one::isBefore).orElse(one))
                            .or(() -> other.last),
                    nodes + other.nodes,
                    least(started, other.started));
        }

        private static Optional<Instant> least(Optional<Instant> one, Optional<Instant> other) {
            return one.map(each -> other.filter(each::isAfter).orElse(each)).or(() -> other);
        }
    }

    static CauseVersions of(Cause cause, List<Member> nodes, Instant now) {
        List<Member> handling = nodes.stream()
                .filter(node -> node.handles().stream()
                        .anyMatch(pattern -> cause.names().stream().anyMatch(pattern::matches)))
                .toList();
        Map<String, OfVersion> versions = new TreeMap<>();
        for (Sighting sighting : cause.sightings()) {
            add(
                    versions,
                    new OfVersion(
                            text(sighting.version()),
                            sighting.letters(),
                            Optional.of(sighting.first()),
                            Optional.of(sighting.last()),
                            0,
                            Optional.empty()));
        }
        for (Member node : handling) {
            if (node.isAlive(now)) {
                add(
                        versions,
                        new OfVersion(
                                text(node.version()),
                                0,
                                Optional.empty(),
                                Optional.empty(),
                                1,
                                Optional.of(node.started())));
            }
        }
        List<OfVersion> ordered = new ArrayList<>(versions.values());
        ordered.sort(Comparator.comparing(OfVersion::beginning));
        return new CauseVersions(List.copyOf(ordered), began(cause, handling));
    }

    private static void add(Map<String, OfVersion> versions, OfVersion one) {
        versions.merge(one.version(), one, OfVersion::plus);
    }

    private static String text(Optional<ServiceVersion> version) {
        return version.map(ServiceVersion::text).orElse(UNKNOWN);
    }

    private static String began(Cause cause, List<Member> handling) {
        Instant first = cause.firstSeen();
        return handling.stream()
                .filter(node -> !node.started().isAfter(first)
                        && node.started().plus(NEAR).isAfter(first))
                .max(Comparator.comparing(Member::started))
                .map(node -> "Began " + Format.duration(Duration.between(node.started(), first)) + " after node "
                        + node.node() + " started"
                        + node.version()
                                .map(version -> " with version " + version.text())
                                .orElse(""))
                .orElse("");
    }
}
