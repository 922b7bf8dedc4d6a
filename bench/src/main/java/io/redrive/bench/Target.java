package io.redrive.bench;

import java.util.function.Predicate;

/**
 * A rule for Redrive's figure, alone or compared with the peers and the limit. Depending on the metric, less or more is
 * better.
 */
record Target(String text, Predicate<Measured> rule) {

    static Target atMost(double most) {
        return new Target("at most " + Json.number(most), measured -> measured.ours() <= most);
    }

    static Target below(double bound) {
        return new Target("below " + Json.number(bound), measured -> measured.ours() < bound);
    }

    static Target atLeast(double least) {
        return new Target("at least " + Json.number(least), measured -> measured.ours() >= least);
    }

    /** Where less is better. */
    static Target atMostBestPeerTimes(double factor) {
        return new Target(
                "at most " + times(factor) + "the best peer",
                measured -> measured.ours() <= factor * measured.leastPeer());
    }

    /** Where more is better. */
    static Target atLeastBestPeerTimes(double factor) {
        return new Target(
                "at least " + times(factor) + "the best peer",
                measured -> measured.ours() >= factor * measured.greatestPeer());
    }

    /** Where more is better. */
    static Target atLeastLimitTimes(double factor) {
        return new Target(
                "at least " + times(factor) + "the limit", measured -> measured.ours() >= factor * measured.limit());
    }

    /** For metrics where less is better and the limit is the expected figure. */
    static Target atMostLimit(String limit) {
        return new Target("at most " + limit, measured -> measured.ours() <= measured.limit());
    }

    Target and(Target other) {
        return new Target(text + " and " + other.text, rule.and(other.rule));
    }

    boolean isMetBy(Measured measured) {
        return rule.test(measured);
    }

    private static String times(double factor) {
        return factor == 1 ? "" : Json.number(factor) + " x ";
    }
}
