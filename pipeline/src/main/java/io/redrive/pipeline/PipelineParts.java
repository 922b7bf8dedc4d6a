package io.redrive.pipeline;

import io.redrive.core.Signal;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.HandledSampleRecorder;
import io.redrive.events.Lane;
import io.redrive.events.activity.ActivityRecorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Makes the parts of a pipeline and connects them: the one place that knows which part uses which. */
final class PipelineParts {

    final PipelineSettings settings;
    final Listeners listeners;
    final EventLint lint;
    final Settler settler;
    final SharedPolicies policies;
    final Alerts alerts;
    final Runner runner;
    final ImmediateClaims immediate;
    private final Map<Lane, LaneSizes> sizes;
    private final EventStore store;
    private final Environment environment;
    private final Announcer announcer;
    private final Admission admission;
    private final Members members;
    private final HandledSampleRecorder sample;
    private final Signal signal = new Signal();

    PipelineParts(PipelineSettings settings) {
        this.settings = settings;
        sizes = LaneSizes.of(settings.profile);
        store = settings.store;
        settings.profile.requireLeaseFor(store);
        Time time = settings.time;
        RandomGenerator random = new LockedRandom(settings.random);
        listeners = new Listeners(settings.listeners);
        members = new Members(settings.identity(), time, settings.handlers.patterns());
        environment = new Environment(time, random, listeners, new ActivityRecorder(members.holder()));
        lint = new EventLint(listeners);
        sample = new HandledSampleRecorder(
                settings.node, settings.identity().version(), settings.redaction::event, random);
        announcer =
                new Announcer(listeners, environment.activity(), isSampling() ? sample::handled : (event, at) -> {});
        RetryBudgets budgets = new RetryBudgets();
        settings.budgets.forEach(budgets::add);
        admission = new Admission(new NamePauses(announcer::paused), budgets);
        settler = new Settler(settings.identity(), random, settings.policies, settings.letterRules());
        policies = new SharedPolicies(settings.policies, settler::use);
        WatchedValues watched = new WatchedValues(settings.thresholds.get().window());
        listeners.add(watched);
        alerts = new Alerts(store.deadLetters(), settings.thresholds, watched, announcer::alert, time.now());
        immediate = new ImmediateClaims(
                store,
                members.holder(),
                settings.profile.lease(),
                signal::raise,
                trouble -> listeners.tell(
                        listener -> listener.onStoreTrouble(new PipelineListener.StoreTrouble(trouble, time.now()))));
        if (settings.claimsImmediately) {
            immediate.open();
        }
        LoopWatch watch = new LoopWatch(time);
        HandlerThreads threads =
                settings.executor == null ? HandlerThreads.own(settings.service) : HandlerThreads.of(settings.executor);
        Ownership ownership = new Ownership(time, settings.profile.lease());
        Workers workers = workers(threads, ownership);
        RunningHandlers running = new RunningHandlers(workers);
        Coordinator coordinator = coordinator(workers, running, ownership, watch, chores(watched));
        runner = new Runner(coordinator, signal, environment, watch, running, threads::interrupt);
    }

    /** Returns the text of {@link Pipeline#describe}. */
    String describe() {
        return "pipeline '" + settings.service + "' on " + store.describe() + "\n"
                + chosen().stream().map(ChosenSize::describe).collect(Collectors.joining("\n"));
    }

    private List<ChosenSize> chosen() {
        List<ChosenSize> chosen = new ArrayList<>();
        sizes.values().forEach(lane -> chosen.add(lane.chosen()));
        chosen.addAll(LimitSharing.chosen(settings.handlers.limited()));
        return chosen;
    }

    private Chores chores(WatchedValues watched) {
        List<Sharing.Topic> topics = new ArrayList<>(admission.topics());
        topics.addAll(List.of(
                policies,
                members,
                new SizeNotes(settings.node, this::chosen),
                new FlowNotes(settings.node, store::flow)));
        List<Chore> chores = new ArrayList<>(List.of(
                new Sharing(store.notes(), topics),
                new UnhandledEvents(store, members, admission, settler, lint, watched, announcer),
                alerts::check,
                new AutomaticRedriver(store, settings.automaticRedrive),
                new ActivityWriter(environment.activity(), store.activity()),
                new RedriveRunner(store.redrives(), settings.node),
                new LimitSharing(settings.handlers.limited(), members, listeners),
                new Expiry(store, settings.profile.poll())));
        if (isSampling()) {
            chores.add(new HandledSampleWriter(
                    sample, store.samples(), store.journal().retention()));
        }
        settings.retention.ifPresent(retention -> chores.add(new LetterRetirer(store, retention, settings.node)));
        return new Chores(chores, settings.time);
    }

    /** Handled events are sampled exactly when the store remembers finished events. */
    private boolean isSampling() {
        return store.journal().isOn();
    }

    private Workers workers(HandlerThreads threads, Ownership ownership) {
        return new Workers(
                threads,
                settings.profile,
                environment,
                new Workers.AttemptSteps(
                        settings.interceptor, settings.validators, settler, settings.handlers.limited()),
                ownership,
                signal::raise);
    }

    private Coordinator coordinator(
            Workers workers, RunningHandlers running, Ownership ownership, LoopWatch watch, Chores chores) {
        Profile profile = settings.profile;
        InFlight inFlight = new InFlight();
        return new Coordinator(new Coordinator.Parts(
                store,
                profile,
                sizes,
                immediate,
                new Exchanges(store, settings.exchangeExecutor, signal::raise),
                inFlight,
                new Processor(settings.handlers, admission, profile.poisonAfter()),
                admission,
                workers,
                running,
                settler,
                announcer,
                listeners,
                members,
                ownership,
                new LeaseKeeper(store, profile.lease(), inFlight, ownership, watch, environment),
                chores));
    }
}
