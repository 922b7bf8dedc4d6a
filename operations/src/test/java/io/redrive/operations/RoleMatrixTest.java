package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.ManualTime;
import io.redrive.events.ActionFilter;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.NamePattern;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveRefusedException;
import io.redrive.events.Scheduled;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.cause.Care;
import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CausePlace;
import io.redrive.events.cause.CauseStatus;
import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.FinishedEvent;
import io.redrive.events.redaction.Redaction;
import io.redrive.pipeline.LetterRetention;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every verb × every role. A new public method of the facade fails this test until it has a row here. */
class RoleMatrixTest {

    private static final List<Class<?>> PARTS = List.of(
            Operations.class,
            StoredOperations.class,
            PolicyOperations.class,
            RunOperations.class,
            TokenOperations.class,
            LetterOperations.class,
            EventOperations.class,
            CauseOperations.class,
            ActivityOperations.class,
            PauseOperations.class,
            RedriveOperations.class,
            EventFinder.class,
            RepairOperations.class,
            RouteOperations.class,
            ProposalOperations.class);

    /** {@link StoredOperations} implements these; their rows bear the name of the interface. */
    private static final Set<String> IN_OPERATIONS = Arrays.stream(Operations.class.getDeclaredMethods())
            .map(Method::getName)
            .collect(Collectors.toSet());

    /** Methods that reach no store. */
    private static final Set<String> WITHOUT_STORE = Set.of("Operations.operator", "StoredOperations.redaction");

    private static final Preview NOTHING = new Preview(LetterFilter.ALL, 0, List.of());

    private static final FinishedEvent FINISHED = new FinishedEvent(
            "a",
            Optional.empty(),
            Optional.empty(),
            "order.paid",
            "shop",
            1,
            Instant.EPOCH,
            Instant.EPOCH,
            0,
            0,
            0,
            0,
            "",
            Duration.ZERO);

    private static final RepairExpression IDENTITY = RepairExpression.compile("$");

    private static final RepairPreview NO_REPAIR =
            new RepairPreview(NOTHING, 0, new RepairCounts(0, 0, 0, 0), List.of(), List.of());

    private static final CauseView CAUSE = new CauseView(
            new Cause("x", "IOException", "", Instant.EPOCH, List.of(), Care.NONE, Optional.empty()),
            CauseStatus.OPEN,
            0);

    private static final List<Row> MATRIX = List.of(
            row(
                    "EventFinder.find",
                    Role.VIEWER,
                    operations -> operations.finder().find(EventQuery.id("a"), 1)),
            row(
                    "EventFinder.waiting",
                    Role.VIEWER,
                    operations -> operations.finder().waiting(1)),
            row(
                    "EventFinder.latest",
                    Role.VIEWER,
                    operations -> operations.finder().latest(Instant.EPOCH, 1)),
            row(
                    "EventFinder.failures",
                    Role.VIEWER,
                    operations -> operations.finder().failures(FINISHED)),
            row(
                    "EventFinder.rememberedSince",
                    Role.VIEWER,
                    operations -> operations.finder().rememberedSince()),
            row(
                    "EventFinder.retention",
                    Role.VIEWER,
                    operations -> operations.finder().retention()),
            row(
                    "RedriveOperations.look",
                    Role.VIEWER,
                    operations -> operations.redrives().look(LetterSelection.all())),
            row(
                    "RedriveOperations.overtaken",
                    Role.VIEWER,
                    operations -> operations.redrives().overtaken(LetterSelection.all())),
            row("Operations.nodes", Role.VIEWER, StoredOperations::nodes),
            row("Operations.flows", Role.VIEWER, StoredOperations::flows),
            row("Operations.actions", Role.VIEWER, operations -> operations.actions(ActionFilter.ALL, 1)),
            row(
                    "LetterOperations.newest",
                    Role.VIEWER,
                    operations -> operations.letters().newest(LetterFilter.ALL, 1, 1)),
            row(
                    "LetterOperations.oldest",
                    Role.VIEWER,
                    operations -> operations.letters().oldest(LetterFilter.ALL, 1, 1)),
            row(
                    "LetterOperations.oldestWithHistory",
                    Role.VIEWER,
                    operations -> operations.letters().oldestWithHistory(LetterFilter.ALL, 1, 1)),
            row(
                    "LetterOperations.count",
                    Role.VIEWER,
                    operations -> operations.letters().count(LetterFilter.ALL)),
            row(
                    "LetterOperations.groups",
                    Role.VIEWER,
                    operations -> operations.letters().groups(LetterFilter.ALL, 1)),
            row(
                    "LetterOperations.find",
                    Role.VIEWER,
                    operations -> operations.letters().find(1)),
            row(
                    "LetterOperations.preview",
                    Role.VIEWER,
                    operations -> operations.letters().preview(LetterSelection.all())),
            row(
                    "LetterOperations.test",
                    Role.VIEWER,
                    operations -> operations.letters().test(1, "", Redaction.of(List.of()))),
            row(
                    "LetterOperations.differences",
                    Role.VIEWER,
                    operations -> operations.letters().differences(1)),
            row(
                    "LetterOperations.edit",
                    Role.OPERATOR,
                    operations -> operations.letters().edit(1, new byte[0])),
            row(
                    "LetterOperations.editUnchecked",
                    Role.OPERATOR,
                    operations -> operations.letters().editUnchecked(1, new byte[0])),
            row("LetterOperations.retire", Role.ADMIN, operations -> retire(operations.letters())),
            row(
                    "LetterOperations.beginImport",
                    Role.OPERATOR,
                    operations -> operations.letters().beginImport("a file")),
            row(
                    "LetterOperations.purge",
                    Role.ADMIN,
                    operations -> operations.letters().purge(NOTHING, purged -> {})),
            row(
                    "LetterOperations.versions",
                    Role.VIEWER,
                    operations -> operations.letters().versions(1)),
            row(
                    "RepairOperations.preview",
                    Role.VIEWER,
                    operations -> operations.repairs().preview(LetterSelection.all(), IDENTITY, 1, done -> {})),
            row(
                    "RepairOperations.apply",
                    Role.OPERATOR,
                    operations -> operations.repairs().apply(NO_REPAIR, IDENTITY, done -> {})),
            row(
                    "RepairOperations.revert",
                    Role.OPERATOR,
                    operations -> operations.repairs().revert(NOTHING, done -> {})),
            row(
                    "ProposalOperations.repair",
                    Role.ASSISTANT,
                    operations -> refused(() -> operations.proposals().repair(LetterSelection.all(), IDENTITY, "why"))),
            row(
                    "ProposalOperations.redrive",
                    Role.ASSISTANT,
                    operations -> refused(
                            () -> operations.proposals().redrive(LetterSelection.all(), RedrivePlan.CANARY, "why"))),
            row(
                    "ProposalOperations.resolve",
                    Role.ASSISTANT,
                    operations -> refused(() -> operations.proposals().resolve("x", Optional.empty(), "why"))),
            row(
                    "ProposalOperations.find",
                    Role.VIEWER,
                    operations -> operations.proposals().find(1)),
            row(
                    "ProposalOperations.list",
                    Role.VIEWER,
                    operations -> operations.proposals().list(false, Long.MAX_VALUE, 1)),
            row(
                    "ProposalOperations.approve",
                    Role.OPERATOR,
                    operations -> refused(() -> operations.proposals().approve(1))),
            row(
                    "ProposalOperations.reject",
                    Role.OPERATOR,
                    operations -> refused(() -> operations.proposals().reject(1, "why"))),
            row(
                    "ProposalOperations.withdraw",
                    Role.ASSISTANT,
                    operations -> refused(() -> operations.proposals().withdraw(1, ""))),
            row(
                    "CauseOperations.latest",
                    Role.VIEWER,
                    operations -> operations.causes().latest(1)),
            row(
                    "CauseOperations.list",
                    Role.VIEWER,
                    operations -> operations.causes().list(CauseFilter.ALL, CausePlace.START, 1)),
            row(
                    "CauseOperations.find",
                    Role.VIEWER,
                    operations -> operations.causes().find("x")),
            row(
                    "CauseOperations.differences",
                    Role.VIEWER,
                    operations -> operations.causes().differences("x")),
            row(
                    "CauseOperations.fix",
                    Role.VIEWER,
                    operations -> operations.causes().fix(CAUSE)),
            row(
                    "CauseOperations.assign",
                    Role.OPERATOR,
                    operations -> operations.causes().assign("x", "bob")),
            row(
                    "CauseOperations.note",
                    Role.OPERATOR,
                    operations -> operations.causes().note("x", "text")),
            row(
                    "CauseOperations.ticket",
                    Role.OPERATOR,
                    operations -> operations.causes().ticket("x", "link")),
            row(
                    "CauseOperations.resolve",
                    Role.OPERATOR,
                    operations -> operations.causes().resolve("x", Optional.empty())),
            row(
                    "CauseOperations.ignore",
                    Role.OPERATOR,
                    operations -> operations.causes().ignore("x", Optional.empty(), OptionalLong.empty())),
            row(
                    "CauseOperations.reopen",
                    Role.OPERATOR,
                    operations -> operations.causes().reopen("x")),
            row("CauseOperations.merge", Role.OPERATOR, RoleMatrixTest::mergeUnknown),
            row(
                    "PauseOperations.list",
                    Role.VIEWER,
                    operations -> operations.pauses().list()),
            row(
                    "PauseOperations.pause",
                    Role.OPERATOR,
                    operations -> operations.pauses().pause(new NamePattern("order.*"), "reason", Optional.empty())),
            row(
                    "PauseOperations.resume",
                    Role.OPERATOR,
                    operations -> operations.pauses().resume(new NamePattern("order.*"))),
            row(
                    "RouteOperations.list",
                    Role.VIEWER,
                    operations -> operations.withRoutes(new OneRoute()).routes().list()),
            row(
                    "RouteOperations.test",
                    Role.OPERATOR,
                    operations -> operations.withRoutes(new OneRoute()).routes().test(OneRoute.NAME)),
            row(
                    "RouteOperations.disable",
                    Role.OPERATOR,
                    operations -> operations.withRoutes(new OneRoute()).routes().disable(OneRoute.NAME, "reason")),
            row(
                    "RouteOperations.enable",
                    Role.OPERATOR,
                    operations -> operations.withRoutes(new OneRoute()).routes().enable(OneRoute.NAME)),
            row(
                    "RouteOperations.rotate",
                    Role.ADMIN,
                    operations ->
                            operations.withRoutes(new OneRoute()).routes().rotate(OneRoute.NAME, Optional.empty())),
            row(
                    "RedriveOperations.preview",
                    Role.OPERATOR,
                    operations -> operations.redrives().preview(LetterSelection.all(), RedrivePlan.ALL_AT_ONCE)),
            row(
                    "RedriveOperations.leftOut",
                    Role.VIEWER,
                    operations -> operations.redrives().leftOut(LetterSelection.all())),
            row("RedriveOperations.start", Role.OPERATOR, operations -> unknown(operations.redrives()::start)),
            row("RedriveOperations.pause", Role.OPERATOR, operations -> unknown(operations.redrives()::pause)),
            row("RedriveOperations.resume", Role.OPERATOR, operations -> unknown(operations.redrives()::resume)),
            row("RedriveOperations.cancel", Role.OPERATOR, operations -> unknown(operations.redrives()::cancel)),
            row("RedriveOperations.dismiss", Role.OPERATOR, operations -> unknown(operations.redrives()::dismiss)),
            row("RedriveOperations.follow", Role.OPERATOR, RoleMatrixTest::follow),
            row(
                    "RedriveOperations.list",
                    Role.VIEWER,
                    operations -> operations.redrives().list(1)),
            row(
                    "RedriveOperations.find",
                    Role.VIEWER,
                    operations -> operations.redrives().find("unknown")),
            row(
                    "RedriveOperations.letters",
                    Role.VIEWER,
                    operations -> operations.redrives().letters("unknown", 0, 1)),
            row(
                    "EventOperations.stats",
                    Role.VIEWER,
                    operations -> operations.events().stats()),
            row(
                    "EventOperations.scheduled",
                    Role.VIEWER,
                    operations -> operations.events().scheduled(Scheduled.Filter.ALL, 1)),
            row(
                    "EventOperations.unhandled",
                    Role.VIEWER,
                    operations -> operations.events().unhandled(1)),
            row(
                    "EventOperations.publish",
                    Role.OPERATOR,
                    operations -> operations.events().publish(List.of(event()))),
            row(
                    "EventOperations.cancel",
                    Role.OPERATOR,
                    operations -> operations.events().cancel("unknown", null)),
            row(
                    "ActivityOperations.read",
                    Role.VIEWER,
                    operations -> operations.activity().read(ActivityQuery.last(Duration.ofHours(1), Instant.EPOCH))),
            row(
                    "ActivityOperations.alerts",
                    Role.VIEWER,
                    operations -> operations.activity().alerts()),
            row(
                    "EventOperations.accept",
                    Role.OPERATOR,
                    operations -> operations.events().accept(List.of(event()))),
            row(
                    "StoredOperations.recordConfiguration",
                    Role.ADMIN,
                    operations -> operations.recordConfiguration("http.port")),
            row(
                    "PolicyOperations.shared",
                    Role.VIEWER,
                    operations -> operations.policies().shared()),
            row(
                    "PolicyOperations.inForce",
                    Role.VIEWER,
                    operations -> operations.policies().inForce(io.redrive.pipeline.EventPolicies.defaults())),
            row(
                    "PolicyOperations.policyOf",
                    Role.VIEWER,
                    operations ->
                            operations.policies().policyOf("order.paid", io.redrive.pipeline.EventPolicies.defaults())),
            row(
                    "PolicyOperations.replay",
                    Role.VIEWER,
                    operations -> operations
                            .policies()
                            .replay(io.redrive.operations.policy.PolicyDraft.of(
                                    new NamePattern("order.*"),
                                    java.util.Map.of("max-attempts", "5"),
                                    io.redrive.pipeline.EventPolicies.defaults(),
                                    java.util.Map.of()))),
            row(
                    "PolicyOperations.change",
                    Role.OPERATOR,
                    operations -> operations
                            .policies()
                            .change(new NamePattern("order.*"), java.util.Map.of("max-attempts", "5"))),
            row(
                    "TokenOperations.list",
                    Role.ADMIN,
                    operations -> operations.tokens().list()),
            row(
                    "TokenOperations.create",
                    Role.ADMIN,
                    operations -> operations.tokens().create("shop", Role.PUBLISHER, List.of(), Optional.empty())),
            row(
                    "TokenOperations.revoke",
                    Role.ADMIN,
                    operations -> operations.tokens().revoke("00000000")),
            row(
                    "RunOperations.list",
                    Role.VIEWER,
                    operations -> operations.runs().list(Optional.empty(), 1)),
            row(
                    "RunOperations.find",
                    Role.VIEWER,
                    operations -> operations.runs().find("x")),
            row(
                    "RunOperations.workers",
                    Role.VIEWER,
                    operations -> operations.runs().workers("x")),
            row(
                    "RunOperations.dead",
                    Role.VIEWER,
                    operations -> operations.runs().dead(io.redrive.items.store.DeadFilter.ofRun("x"), 1)),
            row(
                    "RunOperations.sample",
                    Role.VIEWER,
                    operations -> operations.runs().sample("x", 0)),
            row(
                    "RunOperations.sampleById",
                    Role.VIEWER,
                    operations -> operations.runs().sampleById("x", "s")),
            row(
                    "RunOperations.attempts",
                    Role.VIEWER,
                    operations -> operations.runs().attempts("x", 0)),
            row(
                    "RunOperations.report",
                    Role.VIEWER,
                    operations -> operations.runs().report("x")),
            row(
                    "RunOperations.reprocess",
                    Role.OPERATOR,
                    operations -> operations.runs().reprocess(io.redrive.items.store.DeadFilter.ofRun("x"))),
            row(
                    "RunOperations.cancel",
                    Role.OPERATOR,
                    operations -> operations.runs().cancel("x")),
            row(
                    "RunOperations.delete",
                    Role.ADMIN,
                    operations -> operations.runs().delete("x")));

    /** A permitted merge reaches the store, which does not know the causes. */
    private static void mergeUnknown(Operations operations) {
        try {
            operations.causes().merge("x", "y", moved -> {});
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("no cause has the fingerprint");
        }
    }

    /** The store refuses to change an operation that does not exist; the role was sufficient then. */
    private static void unknown(Consumer<String> change) {
        try {
            change.accept("unknown");
        } catch (RedriveRefusedException e) {
            assertThat(e.operation()).isEqualTo("unknown");
        }
    }

    private static void follow(Operations operations) {
        try {
            operations.redrives().follow("unknown", operation -> true, operation -> {});
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private record Row(String method, Role least, Consumer<StoredOperations> call) {}

    private static void retire(LetterOperations letters) {
        try {
            letters.retire(new LetterRetention(Duration.ofDays(1), Path.of("no-such-folder")), deleted -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Row row(String method, Role least, Consumer<StoredOperations> call) {
        return new Row(method, least, call);
    }

    /** The store is empty, so a call is refused for that reason once the role is checked. */
    private static void refused(Supplier<Proposal> call) {
        try {
            assertThat(call.get()).isNull();
        } catch (IllegalArgumentException | ProposalRefusedException e) {
            assertThat(e.getMessage()).containsAnyOf("no proposal", "no cause", "must ");
        }
    }

    private static Event event() {
        return Event.named("order.paid").source("shop").build();
    }

    static Stream<Arguments> everyVerbAndRole() {
        return MATRIX.stream()
                .flatMap(row -> Arrays.stream(Role.values()).map(role -> Arguments.of(row.method(), role)));
    }

    @ParameterizedTest(name = "{0} as {1}")
    @MethodSource("everyVerbAndRole")
    void a_verb_is_refused_exactly_to_the_roles_below_its_own(String method, Role role) {
        Row row = MATRIX.stream()
                .filter(each -> each.method().equals(method))
                .findFirst()
                .orElseThrow();
        InMemoryEventStore store = new InMemoryEventStore();
        StoredOperations operations = Operations.of(store, Operator.named("ann", role), new ManualTime())
                .withRuns(new io.redrive.items.store.InMemoryRunStore());
        Set<String> publishing = Set.of("EventOperations.publish", "EventOperations.accept");

        if (role == Role.PUBLISHER ? publishing.contains(method) : role.compareTo(row.least()) >= 0) {
            row.call().accept(operations);
        } else {
            assertThatThrownBy(() -> row.call().accept(operations))
                    .isInstanceOf(NotPermittedException.class)
                    .hasMessageContaining("needs the role " + row.least().code())
                    .hasMessageContaining("'ann' has the role " + role.code());
            assertThat(store.stats(new ManualTime().now()).ready()).isZero();
            assertThat(store.deadLetters().actions(10)).isEmpty();
        }
    }

    @Test
    void the_matrix_has_a_row_for_every_public_method() {
        Set<String> methods = PARTS.stream()
                .flatMap(part -> Arrays.stream(part.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()))
                .filter(method -> !PARTS.contains(method.getReturnType()))
                .filter(method -> !IN_OPERATIONS.contains(method.getName())
                        || method.getDeclaringClass().isInterface())
                .map(method -> method.getDeclaringClass().getSimpleName() + "." + method.getName())
                .collect(Collectors.toCollection(TreeSet::new));
        methods.removeAll(WITHOUT_STORE);

        assertThat(MATRIX.stream().map(Row::method)).containsExactlyInAnyOrderElementsOf(methods);
    }

    @Test
    void every_part_of_the_facade_is_in_the_matrix() {
        List<String> parts = PARTS.stream().map(Class::getSimpleName).toList();

        assertThat(Arrays.stream(Operations.class.getDeclaredMethods())
                        .map(method -> method.getReturnType().getSimpleName())
                        .filter(type -> type.endsWith("Operations")))
                .isSubsetOf(parts);
    }
}
