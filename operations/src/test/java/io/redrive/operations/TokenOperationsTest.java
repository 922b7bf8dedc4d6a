package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.ManualTime;
import io.redrive.core.SettingException;
import io.redrive.events.ActionFilter;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.NamePattern;
import io.redrive.pipeline.EventPolicies;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TokenOperationsTest {

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final Operations operations = Operations.of(store, Operator.named("ann", Role.ADMIN), time);
    private final AccessTokens tokens = new AccessTokens(store.notes(), time);

    private NewToken create(Optional<Duration> lifetime) {
        return operations.tokens().create("shop", Role.OPERATOR, List.of(), lifetime);
    }

    @Test
    void a_new_token_is_known_at_once_and_only_by_its_whole_text() {
        NewToken made = create(Optional.empty());

        assertThat(tokens.find(made.text()).map(AccessToken::name)).contains("shop");
        assertThat(tokens.find(made.text() + "0")).isEmpty();
        assertThat(tokens.find(made.text().substring(0, made.text().length() - 1) + "x"))
                .isEmpty();
        assertThat(tokens.find("")).isEmpty();
        assertThat(made).hasToString("token " + made.token().prefix() + " of shop");
    }

    @Test
    void the_store_has_no_text_of_a_token() {
        NewToken made = create(Optional.empty());

        assertThat(store.notes().read().toString())
                .contains(made.token().prefix())
                .doesNotContain(made.text().substring(13));
    }

    @Test
    void an_expired_token_is_refused() {
        NewToken made = create(Optional.of(Duration.ofHours(1)));
        time.advance(Duration.ofMinutes(59));
        assertThat(tokens.find(made.text())).isPresent();

        time.advance(Duration.ofMinutes(1));

        assertThat(tokens.find(made.text())).isEmpty();
        assertThat(operations.tokens().list()).hasSize(1).allMatch(token -> token.isExpired(time.now()));
    }

    @Test
    void a_revoked_token_is_refused_after_a_second_also_when_it_was_just_used() {
        NewToken made = create(Optional.empty());
        assertThat(tokens.find(made.text())).isPresent();

        assertThat(operations.tokens().revoke(made.token().prefix())).isPresent();
        time.advance(Duration.ofSeconds(1));

        assertThat(tokens.find(made.text())).isEmpty();
        assertThat(operations.tokens().revoke(made.token().prefix())).isEmpty();
        assertThat(operations.actions(ActionFilter.ALL, 10))
                .extracting("action")
                .contains("create-token", "revoke-token");
    }

    @Test
    void the_time_of_use_is_written_once_in_ten_minutes() {
        NewToken made = create(Optional.empty());
        tokens.find(made.text());
        Optional<Instant> first = operations.tokens().list().get(0).lastUsed();
        time.advance(Duration.ofMinutes(9));
        tokens.find(made.text());
        assertThat(operations.tokens().list().get(0).lastUsed()).isEqualTo(first);

        time.advance(Duration.ofMinutes(1));
        tokens.find(made.text());

        assertThat(operations.tokens().list().get(0).lastUsed()).contains(time.now());
    }

    @Test
    void a_bad_name_lifetime_or_limit_is_refused() {
        assertThatThrownBy(() -> operations.tokens().create(" ", Role.ADMIN, List.of(), Optional.empty()))
                .hasMessageContaining("name must be");
        assertThatThrownBy(() -> operations.tokens().create("a\nhash=x", Role.ADMIN, List.of(), Optional.empty()))
                .hasMessageContaining("of one line");
        assertThatThrownBy(() -> create(Optional.of(Duration.ZERO))).hasMessageContaining("longer than zero");
        assertThatThrownBy(() -> operations
                        .tokens()
                        .create("x", Role.VIEWER, List.of(new NamePattern("order.*")), Optional.empty()))
                .hasMessageContaining("only a publisher's token");
        assertThat(operations.tokens().list()).isEmpty();
    }

    @Test
    void a_store_has_a_limited_number_of_tokens() {
        for (int i = 0; i < TokenOperations.MAX_TOKENS; i++) {
            create(Optional.empty());
        }

        assertThatThrownBy(() -> create(Optional.empty())).hasMessageContaining("at most 200 tokens");
    }

    @Test
    void a_publishers_token_is_limited_to_its_names() {
        AccessToken token = operations
                .tokens()
                .create("shop", Role.PUBLISHER, List.of(new NamePattern("order.*")), Optional.empty())
                .token();

        assertThat(token.mayPublish("order.paid")).isTrue();
        assertThat(token.mayPublish("bank.paid")).isFalse();
    }

    @Test
    void a_changed_policy_is_shared_recorded_and_can_be_removed() {
        operations.policies().change(new NamePattern("order.*"), Map.of("max-attempts", "9"));

        assertThat(operations
                        .policies()
                        .policyOf("order.paid", EventPolicies.defaults())
                        .explain()
                        .rows())
                .hasSize(8);
        assertThat(operations.actions(ActionFilter.ALL.withAction("change-policy"), 10))
                .hasSize(1);
        assertThatThrownBy(() -> operations.policies().change(new NamePattern("order.*"), Map.of("max-atempts", "9")))
                .isInstanceOf(SettingException.class);

        operations.policies().change(new NamePattern("order.*"), Map.of());

        assertThat(operations.policies().shared()).isEmpty();
    }
}
