package io.redrive.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClaimFilterTest {

    private static final List<String> WORDS = List.of("a", "ab", "a-b", "b", "z");

    @Test
    void ranges_are_exactly_the_accepted_names() {
        Long only = Long.getLong("redrive.seed");
        for (long seed = only == null ? 1 : only; seed <= (only == null ? 2_000 : only); seed++) {
            Random random = new Random(seed);
            ClaimFilter filter = ClaimFilter.of(patterns(random)).without(patterns(random));
            for (int i = 0; i < 50; i++) {
                String name = name(random);
                long ranges = filter.ranges().stream()
                        .filter(range -> name.compareTo(range.lowest()) >= 0 && name.compareTo(range.beyond()) < 0)
                        .count();
                assertThat(ranges).as("seed %d: %s in %s", seed, name, filter).isEqualTo(filter.accepts(name) ? 1 : 0);
            }
        }
    }

    @Test
    void an_excluded_pattern_wins_however_specific_the_accepted_pattern_is() {
        ClaimFilter filter = ClaimFilter.of(List.of(new NamePattern("order.paid"), new NamePattern("mail.*")))
                .without(List.of(new NamePattern("order.*")));
        assertThat(filter.accepts("order.paid")).isFalse();
        assertThat(filter.accepts("mail.sent")).isTrue();
        assertThat(filter.ranges()).containsExactly(new ClaimFilter.Range("mail.", "mail/"));
    }

    @Test
    void many_patterns_accept_what_each_of_them_matches() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            Set<NamePattern> many = new HashSet<>();
            while (many.size() < 40) {
                many.addAll(patterns(random));
                many.remove(new NamePattern("*"));
            }
            ClaimFilter filter = ClaimFilter.of(many);
            for (String name : List.of(name(random), name(random), name(random), "a", "not a name", "a..b", "*")) {
                assertThat(filter.accepts(name))
                        .as("seed %d: %s in %s", seed, name, many)
                        .isEqualTo(many.stream().anyMatch(each -> each.matches(name)));
            }
        }
    }

    private static Set<NamePattern> patterns(Random random) {
        Set<NamePattern> patterns = new HashSet<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            String name = name(random);
            patterns.add(new NamePattern(random.nextInt(12) == 0 ? "*" : random.nextBoolean() ? name : name + ".*"));
        }
        return patterns;
    }

    private static String name(Random random) {
        StringBuilder name = new StringBuilder(WORDS.get(random.nextInt(WORDS.size())));
        for (int i = random.nextInt(3); i > 0; i--) {
            name.append('.').append(WORDS.get(random.nextInt(WORDS.size())));
        }
        return name.toString();
    }
}
