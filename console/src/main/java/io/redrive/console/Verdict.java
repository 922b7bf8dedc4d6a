package io.redrive.console;

import io.redrive.events.cause.CauseStatus;
import io.redrive.operations.CauseView;
import io.redrive.pipeline.Alerts;
import io.redrive.pipeline.NamePause;
import io.redrive.pipeline.StoreAlert;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How things are, in one sentence.
 *
 * @param level the worst part of the sentence
 * @param parts the sentence in parts, each with the page that tells more
 */
record Verdict(Level level, List<Part> parts) {

    /** The most causes that a verdict counts: of more causes it tells the least number. */
    static final int CAUSES = 100;

    private static final int PAUSES_NAMED = 2;

    /** How bad things are. */
    enum Level {
        GOOD("All is well"),
        WARN("Worth a look"),
        BAD("Act now");

        private final String words;

        Level(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }

        String style() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /**
     * A part of the sentence.
     *
     * @param text the words
     * @param path the page that tells more
     * @param since the time that ends the words; empty for none
     */
    record Part(String text, String path, Optional<Instant> since) {

        Part(String text, String path) {
            this(text, path, Optional.empty());
        }
    }

    /**
     * The facts of a verdict.
     *
     * @param causes the latest causes
     * @param dead the number of dead letters
     * @param waiting events that are ready or delayed
     * @param alerts values and their thresholds
     * @param pauses the pauses of names
     * @param unhandled names that no live node handles
     * @param liveNodes the number of live nodes
     */
    record Facts(
            List<CauseView> causes,
            long dead,
            long waiting,
            List<StoreAlert> alerts,
            List<NamePause> pauses,
            List<String> unhandled,
            long liveNodes) {}

    static Verdict of(Facts facts) {
        List<Part> parts = new ArrayList<>();
        Level level = causes(facts, parts);
        for (StoreAlert alert : facts.alerts()) {
            if (alert.raised()
                    && alert.kind() != Alerts.Kind.REGRESSED_CAUSES
                    && alert.kind() != Alerts.Kind.DEAD_LETTERS) {
                parts.add(new Part(Gauge.of(alert).inWords(), "/"));
                level = Level.BAD;
            }
        }
        if (facts.alerts().stream().anyMatch(alert -> alert.raised() && alert.kind() == Alerts.Kind.DEAD_LETTERS)) {
            level = Level.BAD;
        }
        boolean look = pauses(facts, parts) | nodes(facts, parts);
        if (look && level == Level.GOOD) {
            level = Level.WARN;
        }
        if (parts.isEmpty()) {
            parts.add(new Part(
                    facts.waiting() == 0
                            ? "nothing is dead and nothing waits"
                            : "nothing is dead, " + Format.counted(facts.waiting(), "event") + " on the way",
                    "/letters"));
        }
        return new Verdict(level, List.copyOf(parts));
    }

    private static Level causes(Facts facts, List<Part> parts) {
        List<CauseView> needing = facts.causes().stream()
                .filter(cause -> cause.letters() > 0)
                .filter(cause -> cause.status() == CauseStatus.OPEN || cause.status() == CauseStatus.REGRESSED)
                .toList();
        long regressed = needing.stream()
                .filter(cause -> cause.status() == CauseStatus.REGRESSED)
                .count();
        if (!needing.isEmpty()) {
            long letters = needing.stream().mapToLong(CauseView::letters).sum();
            String number = needing.size() == 1 ? "1 cause needs you" : needing.size() + " causes need you";
            parts.add(new Part(
                    facts.causes().size() < CAUSES
                            ? number + ", " + Format.counted(letters, "letter")
                            : "at least " + number + ", " + Format.counted(facts.dead(), "dead letter") + " in all",
                    "/causes"));
        } else if (facts.dead() > 0) {
            parts.add(new Part(Format.counted(facts.dead(), "dead letter") + ", all in hand", "/causes?show=all"));
        }
        if (regressed > 0) {
            parts.add(new Part(
                    regressed == 1
                            ? "1 cause came back after its fix"
                            : regressed + " causes came back after their fix",
                    "/causes?show=regressed"));
            return Level.BAD;
        }
        return needing.isEmpty() ? Level.GOOD : Level.WARN;
    }

    private static boolean pauses(Facts facts, List<Part> parts) {
        facts.pauses().stream()
                .limit(PAUSES_NAMED)
                .forEach(pause -> parts.add(
                        new Part(pause.pattern().text() + " is paused since ", "/pauses", Optional.of(pause.since()))));
        int further = facts.pauses().size() - PAUSES_NAMED;
        if (further > 0) {
            parts.add(new Part("and " + Format.counted(further, "further pause"), "/pauses"));
        }
        return !facts.pauses().isEmpty();
    }

    private static boolean nodes(Facts facts, List<Part> parts) {
        if (facts.liveNodes() == 0) {
            parts.add(new Part("no node is running", "/#nodes"));
        } else if (!facts.unhandled().isEmpty()) {
            parts.add(new Part("no node handles " + String.join(", ", facts.unhandled()), "/#nodes"));
        }
        return facts.liveNodes() == 0 || !facts.unhandled().isEmpty();
    }
}
