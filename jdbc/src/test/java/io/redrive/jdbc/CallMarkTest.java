package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CallMarkTest {

    private static final long ALL = Long.MAX_VALUE;
    private static final long NONE = Long.MIN_VALUE;

    private final CallMark mark = new CallMark();

    @Test
    void an_id_is_certain_once_all_who_wrote_before_it_was_seen_are_over() {
        mark.looked(NONE, ALL, 90, 7, 100);
        assertThat(mark.certain()).as("6 may still be committed").isEqualTo(NONE);
        mark.looked(NONE, ALL, 99, 12, 130);
        assertThat(mark.certain()).as("by transaction 99").isEqualTo(NONE);
        mark.looked(NONE, ALL, 100, NONE, 0);
        assertThat(mark.certain()).isEqualTo(7);
    }

    @Test
    void the_next_candidate_is_taken_when_the_former_is_certain() {
        mark.looked(NONE, ALL, 90, 7, 100);
        mark.looked(NONE, ALL, 100, 12, 130);
        mark.looked(7, ALL, 129, NONE, 0);
        assertThat(mark.certain()).isEqualTo(7);
        mark.looked(7, ALL, 130, NONE, 0);
        assertThat(mark.certain()).isEqualTo(12);
    }

    @Test
    void a_look_that_did_not_get_as_far_makes_nothing_certain() {
        mark.looked(NONE, ALL, 90, 7, 100);
        mark.looked(NONE, 6, 100, 6, 130);
        assertThat(mark.certain()).isEqualTo(NONE);
        mark.looked(NONE, 7, 100, 7, 130);
        assertThat(mark.certain()).isEqualTo(7);
    }

    @Test
    void a_look_from_an_older_mark_is_no_proof() {
        mark.looked(NONE, ALL, 90, 7, 100);
        mark.looked(NONE, ALL, 100, 12, 130);
        mark.looked(NONE, ALL, 130, NONE, 0);
        assertThat(mark.certain()).isEqualTo(7);
    }

    @Test
    void what_is_forgotten_must_be_proved_anew() {
        mark.looked(NONE, ALL, 90, 7, 100);
        mark.looked(NONE, ALL, 100, 12, 130);
        mark.forget();
        assertThat(mark.certain()).isEqualTo(NONE);
        mark.looked(NONE, ALL, 200, NONE, 0);
        assertThat(mark.certain()).isEqualTo(NONE);
    }
}
