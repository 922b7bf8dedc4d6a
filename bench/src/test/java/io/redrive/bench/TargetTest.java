package io.redrive.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class TargetTest {

    private static final Map<String, Double> PEERS = Map.of("a", 20.0, "b", 40.0);

    @Test
    void where_less_is_better_the_best_peer_is_the_least() {
        Target half = Target.atMostBestPeerTimes(0.5);

        assertThat(half.isMetBy(ours(10))).isTrue();
        assertThat(half.isMetBy(ours(10.01))).isFalse();
    }

    @Test
    void where_more_is_better_the_best_peer_is_the_greatest() {
        Target triple = Target.atLeastBestPeerTimes(3);

        assertThat(triple.isMetBy(ours(120))).isTrue();
        assertThat(triple.isMetBy(ours(119))).isFalse();
    }

    @Test
    void a_share_of_the_limit_is_measured_at_the_limit() {
        Target share = Target.atLeastLimitTimes(0.6);

        assertThat(share.isMetBy(ours(60))).isTrue();
        assertThat(share.isMetBy(ours(59))).isFalse();
    }

    @Test
    void fixed_bounds_hold_at_their_edges() {
        assertThat(Target.atMost(4).isMetBy(ours(4))).isTrue();
        assertThat(Target.atMost(4).isMetBy(ours(5))).isFalse();
        assertThat(Target.below(1024).isMetBy(ours(1024))).isFalse();
        assertThat(Target.below(1024).isMetBy(ours(1023))).isTrue();
        assertThat(Target.atLeast(0.9).isMetBy(ours(0.9))).isTrue();
        assertThat(Target.atLeast(0.9).isMetBy(ours(0.89))).isFalse();
    }

    @Test
    void two_targets_must_both_be_met() {
        Target both = Target.atLeastLimitTimes(0.6).and(Target.atLeastBestPeerTimes(1));

        assertThat(both.text()).isEqualTo("at least 0.6 x the limit and at least the best peer");
        assertThat(both.isMetBy(ours(60))).isTrue();
        assertThat(both.isMetBy(ours(50))).isFalse();
        assertThat(both.isMetBy(ours(39))).isFalse();
    }

    @Test
    void a_target_against_peers_needs_a_peer() {
        Measured alone = new Measured("ns/op", 1, Map.of(), null);

        assertThatThrownBy(() -> Target.atMostBestPeerTimes(1).isMetBy(alone)).hasMessageContaining("no peer");
    }

    private static Measured ours(double value) {
        return new Measured("x", value, PEERS, 100.0);
    }
}
