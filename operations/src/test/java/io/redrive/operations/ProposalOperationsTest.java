package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.ActionFilter;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorAction;
import io.redrive.events.Proposals;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedrivePlan;
import io.redrive.events.Settlement;
import io.redrive.events.cause.CauseStatus;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.events.redaction.Redaction;
import io.redrive.pipeline.RedriveRunner;
import io.redrive.testkit.FaultyStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ProposalOperationsTest {

    /** Applied twice, this expression would be seen. */
    private static final RepairExpression TIMES_100 = RepairExpression.compile("$ ~> |$|{\"amount\": amount * 100}|");

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final StoredOperations ann = as(store, "ann", Role.OPERATOR);
    private final Operations bob = as(store, "bob", Role.ADMIN);
    private final StoredOperations claude = as(store, "claude", Role.ASSISTANT);

    @Test
    void a_proposal_changes_nothing_and_shows_its_effect() {
        die("{\"amount\": 1}");
        die("no json");
        die("{\"amount\": 3}");

        Proposal asked = claude.proposals().repair(LetterSelection.all(), TIMES_100, "cents, not euros");

        assertThat(asked.isOpen()).isTrue();
        assertThat(asked.proposer().name()).isEqualTo("claude");
        assertThat(asked.proposer().role()).isEqualTo(Role.ASSISTANT);
        assertThat(asked.why()).isEqualTo("cents, not euros");
        assertThat(asked.command().letters()).containsExactly(1L, 3L);
        assertThat(asked.preview().effect()).contains(new RepairCounts(2, 0, 1, 0));
        assertThat(asked.preview().samples())
                .first()
                .isEqualTo(
                        new ProposalPreview.Sample(1, "order.paid", "broken", "{\"amount\": 1}", "{\"amount\":100}"));
        assertThat(asked.preview().remarks()).singleElement().asString().contains("letter 2 fails");
        assertThat(ann.proposals().find(asked.number())).contains(asked);
        assertThat(ann.proposals().list(true, Long.MAX_VALUE, 10)).containsExactly(asked);
        assertThat(payloads(store)).containsExactly("{\"amount\": 1}", "no json", "{\"amount\": 3}");
        assertThat(actions()).containsExactly("propose by claude");
    }

    @Test
    void an_approved_repair_runs_in_the_approvers_name_with_the_proposers_name_beside() {
        die("{\"amount\": 1}");
        Proposal asked = claude.proposals().repair(LetterSelection.all(), TIMES_100, "cents");

        Proposal done = ann.proposals().approve(asked.number());

        assertThat(done.state().code()).isEqualTo("approved");
        assertThat(done.state().decision().orElseThrow().by()).isEqualTo("ann");
        assertThat(done.state().decision().orElseThrow().text()).isEqualTo("1 changed, 0 unchanged, 0 failing");
        assertThat(done.preview().samples())
                .as("a decided proposal keeps no payload")
                .isEmpty();
        assertThat(payloads(store)).containsExactly("{\"amount\":100}");
        assertThat(store.deadLetters().versions(1))
                .singleElement()
                .satisfies(version -> assertThat(version.operator()).isEqualTo("ann"));
        assertThat(actions()).containsExactly("approve by ann", "repair by ann", "propose by claude");
        OperatorAction repair = ann.actions(ActionFilter.ALL, 10).get(1);
        assertThat(repair.command().about()).startsWith("proposal 1 of 'claude' (assistant): repair 1 letter");
        assertThat(repair.letters()).isEqualTo(1);
    }

    @Test
    void approving_twice_equals_approving_once() {
        die("{\"amount\": 1}");
        long number = claude.proposals()
                .repair(LetterSelection.all(), TIMES_100, "cents")
                .number();
        Proposal first = ann.proposals().approve(number);
        Proposal second = bob.proposals().approve(number);

        assertThat(second).isEqualTo(first);
        assertThat(payloads(store)).containsExactly("{\"amount\":100}");
        assertThat(actions()).containsExactly("approve by ann", "repair by ann", "propose by claude");
    }

    @Test
    void approvals_from_many_consoles_at_the_same_moment_repair_each_letter_once() throws Exception {
        for (int i = 1; i <= 120; i++) {
            die("{\"amount\": 1}");
        }
        long number = claude.proposals()
                .repair(LetterSelection.all(), TIMES_100, "cents")
                .number();
        ExecutorService consoles = Executors.newFixedThreadPool(4);
        try {
            List<Callable<Proposal>> clicks = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Operations operator = as(store, "operator-" + i, Role.OPERATOR);
                clicks.add(() -> operator.proposals().approve(number));
            }
            for (Future<Proposal> click : consoles.invokeAll(clicks)) {
                assertThat(click.get().state().code()).isEqualTo("approved");
            }
        } finally {
            consoles.shutdownNow();
        }
        assertThat(payloads(store)).hasSize(120).containsOnly("{\"amount\":100}");
        Proposal ended = ann.proposals().find(number).orElseThrow();
        assertThat(ended.state().decision().orElseThrow().text()).startsWith("120 changed");
        assertThat(store.deadLetters().versions(7)).hasSize(1);
    }

    @Test
    void an_approval_takes_no_letter_that_was_not_previewed() {
        die("{\"amount\": 1}");
        Proposal redrive = claude.proposals()
                .redrive(
                        LetterSelection.matching(LetterFilter.ALL.withName("order.*")),
                        RedrivePlan.ALL_AT_ONCE,
                        "retry");
        time.advance(Duration.ofSeconds(1));
        die("{\"amount\": 2}");

        Proposal done = ann.proposals().approve(redrive.number());

        assertThat(done.state().decision().orElseThrow().text())
                .isEqualTo("redrive operation r-proposal-1 with 1 of 1 letters");
        carryOn(store);
        assertThat(payloads(store)).containsExactly("{\"amount\": 2}");
        RedriveOperation operation = ann.redrives().find("r-proposal-1").orElseThrow();
        assertThat(operation.counts().redriven()).isEqualTo(1);
        assertThat(operation.command().operator()).isEqualTo("ann");
        assertThat(operation.command().about()).contains("proposal 1 of 'claude'");
        assertThat(bob.proposals().approve(redrive.number())).isEqualTo(done);
    }

    @Test
    void a_letter_edited_after_the_proposal_is_left_alone() {
        die("{\"amount\": 1}");
        die("{\"amount\": 2}");
        long number = claude.proposals()
                .repair(LetterSelection.all(), TIMES_100, "cents")
                .number();
        time.advance(Duration.ofSeconds(1));
        ann.letters().edit(2, "{\"amount\": 9}".getBytes(StandardCharsets.UTF_8));

        Proposal done = ann.proposals().approve(number);

        assertThat(payloads(store)).containsExactly("{\"amount\":100}", "{\"amount\": 9}");
        assertThat(done.state().decision().orElseThrow().text())
                .isEqualTo("1 changed, 0 unchanged, 0 failing, 1 changed meanwhile by others");
    }

    @Test
    void an_approved_resolution_resolves_the_cause() {
        die("{}");
        String fingerprint = ann.causes().latest(1).get(0).cause().fingerprint();
        Proposal asked = claude.proposals().resolve(fingerprint, Optional.of(new ServiceVersion("2.4.1")), "deployed");
        assertThat(asked.preview().letters()).isEqualTo(1);
        ann.proposals().approve(asked.number());
        assertThat(ann.causes().find(fingerprint).orElseThrow().status()).isEqualTo(CauseStatus.RESOLVED);
        assertThatThrownBy(() -> claude.proposals().resolve("unknown", Optional.empty(), "x"))
                .hasMessage("no cause has the fingerprint 'unknown'");
    }

    @Test
    void an_assistant_can_neither_approve_nor_reject_nor_withdraw_for_others() {
        die("{\"amount\": 1}");
        long number = claude.proposals()
                .repair(LetterSelection.all(), TIMES_100, "cents")
                .number();
        Operations other = as(store, "other", Role.ASSISTANT);
        for (Operations assistant : List.of(claude, other)) {
            assertThatThrownBy(() -> assistant.proposals().approve(number))
                    .isInstanceOf(NotPermittedException.class)
                    .hasMessageContaining("approve needs the role operator");
            assertThatThrownBy(() -> assistant.proposals().reject(number, "no"))
                    .isInstanceOf(NotPermittedException.class);
        }
        assertThatThrownBy(() -> other.proposals().withdraw(number, ""))
                .isInstanceOf(ProposalRefusedException.class)
                .hasMessageContaining("only 'claude'");
        assertThat(payloads(store)).containsExactly("{\"amount\": 1}");
        assertThat(claude.proposals().withdraw(number, "wrong idea").state().code())
                .isEqualTo("withdrawn");
        assertThatThrownBy(() -> ann.proposals().approve(number))
                .isInstanceOf(ProposalRefusedException.class)
                .hasMessageContaining("proposal 1 must be open, it is withdrawn by 'claude'");
    }

    @Test
    void a_rejected_proposal_keeps_its_reason_and_stays_rejected() {
        die("{\"amount\": 1}");
        long number = claude.proposals()
                .redrive(LetterSelection.all(), RedrivePlan.CANARY, "retry")
                .number();
        assertThatThrownBy(() -> ann.proposals().reject(number, " ")).hasMessageContaining("reason must be 1 to 2000");
        ann.proposals().reject(number, "the bank is still down");

        assertThat(claude.proposals()
                        .find(number)
                        .orElseThrow()
                        .state()
                        .decision()
                        .orElseThrow())
                .satisfies(decision -> assertThat(decision.text()).isEqualTo("the bank is still down"));
        assertThatThrownBy(() -> bob.proposals().approve(number)).hasMessageContaining("it is rejected by 'ann'");
        assertThatThrownBy(() -> bob.proposals().reject(number, "again")).hasMessageContaining("must be open");
        assertThatThrownBy(() -> bob.proposals().approve(99))
                .isInstanceOf(ProposalRefusedException.class)
                .hasMessageContaining("no proposal has the number 99");
    }

    @Test
    void a_proposal_expires_after_a_week_and_makes_room() {
        die("{\"amount\": 1}");
        long number = claude.proposals()
                .repair(LetterSelection.all(), TIMES_100, "cents")
                .number();
        time.advance(ProposalOperations.KEPT_OPEN.minusSeconds(1));
        assertThat(ann.proposals().find(number).orElseThrow().isOpen()).isTrue();
        time.advance(Duration.ofSeconds(1));

        assertThat(ann.proposals().find(number).orElseThrow().state().code()).isEqualTo("expired");
        assertThat(ann.proposals().list(true, Long.MAX_VALUE, 10)).isEmpty();
        assertThatThrownBy(() -> ann.proposals().approve(number)).hasMessageContaining("it is expired");
        assertThat(payloads(store)).containsExactly("{\"amount\": 1}");
        assertThat(claude.proposals()
                        .repair(LetterSelection.all(), TIMES_100, "cents")
                        .number())
                .isEqualTo(number + 1);
        assertThat(store.proposals().find(number).orElseThrow().open()).isFalse();
    }

    @Test
    void one_assistant_cannot_take_the_room_of_all_others() {
        for (int i = 0; i <= StoredProposals.MAX_OPEN_EACH; i++) {
            die("{\"amount\": 1}");
        }
        LongStream.rangeClosed(1, StoredProposals.MAX_OPEN_EACH).forEach(id -> propose(claude, id));
        assertThat(propose(claude, 1).number()).as("asked again").isEqualTo(1);
        assertThatThrownBy(() -> propose(claude, StoredProposals.MAX_OPEN_EACH + 1))
                .hasMessage(
                        "at most 20 proposals of 'claude' may be open; approve, reject or withdraw some of them first");
        assertThat(propose(as(store, "other", Role.ASSISTANT), 1).isOpen()).isTrue();
        for (int i = 0; store.proposals().newest(true, Long.MAX_VALUE, 100).size() < Proposals.MAX_OPEN; i++) {
            propose(as(store, "many-" + i / 20, Role.ASSISTANT), i % 20 + 1);
        }
        assertThatThrownBy(() -> propose(as(store, "late", Role.ASSISTANT), 1))
                .hasMessageStartingWith("at most 100 proposals may be open");
    }

    @Test
    void a_wish_that_is_repeated_later_is_the_same_proposal() {
        die("{\"amount\": 1}");
        LetterSelection orders = LetterSelection.matching(LetterFilter.ALL.withName("order.*"));
        Proposal first = claude.proposals().repair(orders, TIMES_100, "cents");
        time.advance(Duration.ofMinutes(1));

        assertThat(claude.proposals().repair(orders, TIMES_100, "cents, again")).isEqualTo(first);
        die("{\"amount\": 2}");
        assertThat(claude.proposals().repair(orders, TIMES_100, "cents").number())
                .as("a letter more")
                .isEqualTo(2);
    }

    private static Proposal propose(Operations by, long letter) {
        return by.proposals().redrive(LetterSelection.ofIds(List.of(letter)), RedrivePlan.CANARY, "retry");
    }

    @Test
    void proposals_without_effect_or_reason_are_refused() {
        assertThatThrownBy(() -> claude.proposals().redrive(LetterSelection.all(), RedrivePlan.CANARY, "retry"))
                .hasMessageStartingWith("the selection must have at least one letter to redrive, got none");
        die("{\"amount\": 0}");
        assertThatThrownBy(() -> claude.proposals().repair(LetterSelection.all(), TIMES_100, "cents"))
                .hasMessageContaining("must change at least one letter of the selection, got 0 changed, 1 unchanged");
        assertThatThrownBy(() -> claude.proposals().redrive(LetterSelection.all(), RedrivePlan.CANARY, ""))
                .hasMessageContaining("why must be 1 to 2000 characters");
        assertThatThrownBy(
                        () -> claude.proposals().redrive(LetterSelection.all(), RedrivePlan.CANARY, "x".repeat(2_001)))
                .hasMessageContaining("got 2001");
        assertThat(ann.proposals().list(false, Long.MAX_VALUE, 10)).isEmpty();
        assertThat(actions()).isEmpty();
    }

    @Test
    void a_refused_command_fails_its_proposal() {
        die("{\"amount\": 1}");
        Proposal first = propose(claude, 1);
        Proposal second = propose(as(store, "other", Role.ASSISTANT), 1);
        ann.proposals().approve(first.number());

        Proposal failed = ann.proposals().approve(second.number());

        assertThat(failed.state().code()).isEqualTo("failed");
        assertThat(failed.state().decision().orElseThrow().text()).contains("letter 1 is pending in operation");
        assertThatThrownBy(() -> ann.proposals().approve(second.number()))
                .hasMessageContaining("it is failed by 'ann'");
    }

    @Test
    void values_that_the_proposer_could_see_and_the_reader_must_not_are_redacted() {
        die("{\"amount\": 1, \"card\": \"pan-4111\"}");
        claude.proposals().repair(LetterSelection.all(), TIMES_100, "card pan-4111");
        Operations guarded = ann.showing(Redaction.of(List.of("/card", "pattern:pan-4111")));
        assertThat(guarded.proposals().find(1).orElseThrow().toString())
                .contains("[redacted]")
                .doesNotContain("pan-4111");
        Operations careful = claude.showing(Redaction.of(List.of("/card")));
        careful.proposals().redrive(LetterSelection.all(), RedrivePlan.CANARY, "retry");
        assertThat(store.proposals().find(2).orElseThrow().content()).doesNotContain("pan-4111");
    }

    @Test
    void an_approval_whose_n_th_store_call_failed_is_completed_by_the_next_approval() {
        for (FaultyStore.Moment moment : FaultyStore.Moment.values()) {
            for (boolean repair : List.of(true, false)) {
                boolean failed = true;
                for (int call = 1; failed; call++) {
                    InMemoryEventStore fresh = new InMemoryEventStore();
                    for (int i = 0; i < 60; i++) {
                        die(fresh, "{\"amount\": 1}");
                    }
                    ProposalOperations asked =
                            as(fresh, "claude", Role.ASSISTANT).proposals();
                    long number = (repair
                                    ? asked.repair(LetterSelection.all(), TIMES_100, "cents")
                                    : asked.redrive(LetterSelection.all(), RedrivePlan.ALL_AT_ONCE, "retry"))
                            .number();
                    FaultyStore faulty = FaultyStore.failing(fresh, call, moment);
                    try {
                        as(faulty, "ann", Role.OPERATOR).proposals().approve(number);
                    } catch (FaultyStore.Fault killed) {
                        assertThat(as(fresh, "bob", Role.OPERATOR)
                                        .proposals()
                                        .approve(number)
                                        .state()
                                        .code())
                                .isEqualTo("approved");
                    }
                    failed = faulty.hasFailed();
                    carryOn(fresh);
                    assertThat(payloads(fresh)).as("call %d %s", call, moment).hasSize(repair ? 60 : 0);
                    assertThat(payloads(fresh)).allMatch("{\"amount\":100}"::equals);
                    assertThat(fresh.stats(time.now()).ready()).isEqualTo(repair ? 0 : 60);
                }
            }
        }
    }

    private List<String> actions() {
        return ann.actions(ActionFilter.ALL, 10).stream()
                .map(action -> action.action() + " by " + action.operator())
                .toList();
    }

    private StoredOperations as(EventStore on, String name, Role role) {
        return Operations.of(on, Operator.named(name, role), time);
    }

    private void carryOn(EventStore on) {
        RedriveRunner runner = new RedriveRunner(on.redrives(), "node");
        for (int turn = 0; turn < 10; turn++) {
            runner.work(time.now());
        }
    }

    private static List<String> payloads(EventStore on) {
        return on.deadLetters().list(LetterFilter.ALL, 0, 1_000).stream()
                .map(DeadLetter::event)
                .map(Event::text)
                .toList();
    }

    private void die(String payload) {
        die(store, payload);
    }

    private void die(EventStore on, String payload) {
        Event event = Event.named("order.paid")
                .source("shop")
                .time(time)
                .payload(payload.getBytes(StandardCharsets.UTF_8), "application/json")
                .build();
        on.publish(List.of(event), time.now());
        Claim claim = on.claim(new ClaimRequest("n", Lane.DOMAIN, 1, false, Duration.ofSeconds(30), time.now()))
                .get(0);
        AttemptRecord attempt =
                new AttemptRecord(1, time.now(), "n", Duration.ZERO, "IOException", "broken", "dead", "not retryable");
        on.settle(List.of(new Settlement.Dead(claim, Reason.NOT_RETRYABLE, attempt, "abc", "shop")), time.now());
    }
}
