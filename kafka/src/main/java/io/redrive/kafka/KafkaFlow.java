package io.redrive.kafka;

import io.redrive.core.Time;
import io.redrive.events.Adoptions;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Exchange;
import io.redrive.events.HandledSamples;
import io.redrive.events.LeaseHolders;
import io.redrive.events.LetterOutbox;
import io.redrive.events.LogPlace;
import io.redrive.events.NamePattern;
import io.redrive.events.Proposals;
import io.redrive.events.PublishResult;
import io.redrive.events.Redrives;
import io.redrive.events.Scheduled;
import io.redrive.events.SetAside;
import io.redrive.events.Settlement;
import io.redrive.events.SharedNotes;
import io.redrive.events.StoreStats;
import io.redrive.events.activity.ActivityLog;
import io.redrive.events.flow.FlowReport;
import io.redrive.events.journal.Journal;
import io.redrive.events.journal.UnfinishedEvents;
import io.redrive.pipeline.EventContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The store of a pipeline whose events come from topics of Kafka, as a member of a consumer group. Handled records only move
 * offsets. Events that wait long and dead letters are rows of the store under the flow, so that policies, pauses, letters and
 * operations are those of any pipeline. Events published to that store are handled too.
 *
 * <pre>{@code
 * try (PostgresStore store = PostgresStore.open(url);
 *         KafkaFlow flow = KafkaFlow.on(store).bootstrap("localhost:9092").group("billing").topics("orders").open();
 *         Pipeline pipeline = Pipeline.on(flow).on("orders", event -> bill(event)).start()) {
 *     …
 * }
 * }</pre>
 *
 * <p>Each record is handled at least once. A failure is kept exactly once. Close the pipeline before the flow; closing the flow leaves
 * the store under it open. Thread-safe.
 */
public final class KafkaFlow implements EventStore {

    private final EventStore store;
    private final FlowSettings settings;
    private final FlowExchange exchange;
    private final KafkaIntake intake;
    private final FlowReporter reporter;

    private KafkaFlow(EventStore store, FlowSettings settings, Time time) {
        this.store = store;
        this.settings = settings;
        OwnedPartitions partitions = new OwnedPartitions(time, FlowSettings.LONGEST_RETURN);
        RowBrake brake = new RowBrake(store, settings.rowsPerSecond(), settings.maxBacklog());
        exchange = new FlowExchange(store, partitions, brake, settings);
        intake = new KafkaIntake(settings, store, partitions, exchange, time, settings::newConsumer);
        reporter = new FlowReporter(settings, partitions, brake, exchange, intake.names(), time.now());
    }

    /** Returns a builder for a flow above this store, which keeps the events that fail. */
    public static Builder on(EventStore store) {
        return new Builder(store);
    }

    /** Returns the partitions that this process owns at present. */
    public List<PartitionStatus> partitions() {
        return reporter.partitions();
    }

    /**
     * A partition of this process.
     *
     * @param topic the topic
     * @param partition the number of the partition
     * @param watermark the first offset that is not finished
     * @param committed the offset that the broker acknowledged last
     * @param open delivered records that are not finished
     * @param held records that wait in memory for their next attempt
     * @param paused true while no further records are fetched, because the open records reach a limit
     * @param lag records of the partition that are not finished, as of the last fetch
     * @param blockedKeys keys whose records wait behind an event in the store
     */
    public record PartitionStatus(
            String topic,
            int partition,
            long watermark,
            long committed,
            int open,
            int held,
            boolean paused,
            long lag,
            int blockedKeys) {}

    /** Returns the number of rows that this flow has added to the store so far: waiting events and dead letters. */
    public long rows() {
        return reporter.rows();
    }

    @Override
    public Optional<FlowReport> flow() {
        return reporter.report();
    }

    /**
     * Returns the place of the record that a handler has, for a handler that settles the place in a transaction of its own; see the
     * places of {@code PostgresStore}.
     *
     * @throws IllegalArgumentException if the event did not come from a topic
     */
    public LogPlace placeOf(Event event, EventContext context) {
        return KeyNames.place(settings.group(), event, context.isStored());
    }

    @Override
    public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
        return exchange.run(List.copyOf(settlements), List.copyOf(requests), now);
    }

    /** Extends the leases of stored events. Records belong to this process as long as the group says so. */
    @Override
    public void extend(Collection<Long> tokens, Duration lease, Instant now) {
        List<Long> stored =
                tokens.stream().filter(token -> !OwnedPartitions.isOurs(token)).toList();
        if (!stored.isEmpty()) {
            store.extend(stored, lease, now);
        }
    }

    @Override
    public int exchangesAtOnce(int nodes) { // Clean records go on while one waits for the store.
        return Math.max(2, store.exchangesAtOnce(nodes));
    }

    @Override
    public List<PublishResult> publish(List<Event> events, Instant now) {
        return store.publish(events, now);
    }

    @Override
    public int recover(Instant now, LeaseHolders holders) {
        return store.recover(now, holders);
    }

    @Override
    public int expire(Instant now) {
        return store.expire(now);
    }

    @Override
    public List<Scheduled> scheduled(Scheduled.Filter filter, int limit, Instant now) {
        return store.scheduled(filter, limit, now);
    }

    @Override
    public boolean cancel(String id, @Nullable String correlationId, Instant now) {
        return store.cancel(id, correlationId, now);
    }

    @Override
    public List<SetAside> setAside(int limit, Instant now) {
        return store.setAside(limit, now);
    }

    @Override
    public long countSetAside(Set<NamePattern> names) {
        return store.countSetAside(names);
    }

    @Override
    public StoreStats stats(Instant now) {
        return store.stats(now);
    }

    @Override
    public String describe() {
        return "Kafka topics " + settings.sources() + " above " + store.describe();
    }

    @Override
    public DeadLetters deadLetters() {
        return store.deadLetters();
    }

    @Override
    public Redrives redrives() {
        return store.redrives();
    }

    @Override
    public SharedNotes notes() {
        return store.notes();
    }

    @Override
    public ActivityLog activity() {
        return store.activity();
    }

    @Override
    public Journal journal() {
        return store.journal();
    }

    @Override
    public HandledSamples samples() {
        return store.samples();
    }

    @Override
    public Proposals proposals() {
        return store.proposals();
    }

    @Override
    public LetterOutbox letterOutbox() {
        return store.letterOutbox();
    }

    @Override
    public Adoptions adoptions() {
        return store.adoptions();
    }

    /** A hanging process must notice the end of its leases before the group gives its partitions away. */
    @Override
    public Duration longestLease() {
        return settings.session().minusMillis(1);
    }

    @Override
    public int maxPayload() {
        return store.maxPayload();
    }

    @Override
    public UnfinishedEvents unfinished() {
        return store.unfinished();
    }

    @Override
    public void onPublished(Runnable wake) {
        store.onPublished(wake);
        intake.onDelivered(wake);
    }

    /** Commits what is finished, leaves the group and releases the partitions. The store under the flow stays open. */
    @Override
    public void close() {
        intake.close();
    }

    /** Builds a {@link KafkaFlow}. */
    public static final class Builder {
        private final EventStore store;
        private final Map<String, Object> client = new HashMap<>();
        private String group = "";
        private List<String> topics = List.of();
        private Optional<Pattern> pattern = Optional.empty();
        private Optional<FlowSettings.NewTopics> newTopics = Optional.empty();
        private RecordMapping mapping = RecordMapping.standard();
        private boolean orderedByKey;
        private Duration longestHold = Duration.ofSeconds(2);
        private int maxRecords = 2_000;
        private long maxBytes = 64L * 1024 * 1024;
        private int rowsPerSecond = 500;
        private long maxBacklog = 100_000;
        private Time time = Time.system();

        private Builder(EventStore store) {
            this.store = Objects.requireNonNull(store, "store");
        }

        /** Sets the addresses of brokers, for example {@code localhost:9092}; required. */
        public Builder bootstrap(String servers) {
            return client("bootstrap.servers", servers);
        }

        /** Sets the consumer group; required. All processes with the same group share the partitions. */
        public Builder group(String value) {
            group = value;
            return this;
        }

        /** Sets the topics; these or a pattern are required. They must exist when the flow opens, unless the flow creates them. */
        public Builder topics(String... names) {
            topics = List.of(names);
            return this;
        }

        /** Sets a regular expression for topics, instead of {@link #topics}. New topics join within {@code metadata.max.age.ms}. */
        public Builder topicPattern(String expression) {
            pattern = Optional.of(Pattern.compile(expression));
            return this;
        }

        /** Creates missing topics when the flow opens. Default: a missing topic is refused. */
        public Builder createTopics(int partitions, int replicas) {
            newTopics = Optional.of(new FlowSettings.NewTopics(partitions, (short) replicas));
            return this;
        }

        /** Sets how records become events. Default: {@link RecordMapping#standard()}. */
        public Builder mapping(RecordMapping value) {
            mapping = value;
            return this;
        }

        /**
         * Handles records of the same partition and key one after another. While an event of a key waits in the store, later records
         * of the key wait too. Default: off, records are handled in any order.
         */
        public Builder orderedByKey() {
            orderedByKey = true;
            return this;
        }

        /** Sets the longest wait that is held in memory; a longer wait is a row of the store. Default: 2 s. */
        public Builder holdUpTo(Duration value) {
            longestHold = value;
            return this;
        }

        /** Sets the open records of a partition above which no further records are fetched. Default: 2,000. */
        public Builder maxRecords(int value) {
            maxRecords = value;
            return this;
        }

        /** Sets the bytes of all open records, keys and headers included, above which no further records are fetched. Default: 64 MiB. */
        public Builder maxBytes(long value) {
            maxBytes = value;
            return this;
        }

        /**
         * Limits the rows that this process adds to the store for events that wait: rows per second, and waiting events in the store.
         * Above a limit failed records are held in memory, and the topic waits in Kafka. Default: 500 and 100,000. Letters always pass.
         */
        public Builder brake(int perSecond, long waitingEvents) {
            rowsPerSecond = perSecond;
            maxBacklog = waitingEvents;
            return this;
        }

        /** Sets a setting of Kafka's consumer, such as TLS or SASL. */
        public Builder client(String key, Object value) {
            client.put(key, value);
            return this;
        }

        /** Sets the clock, for tests. Default: {@link Time#system()}. */
        public Builder time(Time clock) {
            time = clock;
            return this;
        }

        /**
         * Checks the topics, joins the group and starts to fetch.
         *
         * @throws IllegalArgumentException if a setting is out of range, or Kafka's consumer refuses it
         * @throws IllegalStateException if a topic does not exist, or has records larger than the payloads of the store
         * @throws org.apache.kafka.common.KafkaException if the cluster does not answer
         */
        public KafkaFlow open() {
            FlowSettings settings = new FlowSettings(
                    group,
                    topics,
                    pattern,
                    newTopics,
                    mapping,
                    orderedByKey,
                    longestHold,
                    maxRecords,
                    maxBytes,
                    rowsPerSecond,
                    maxBacklog,
                    client,
                    FlowSettings.sessionOf(client));
            settings.requireValidConsumer();
            Duration session = new TopicCheck(settings, store).run();
            KafkaFlow flow = new KafkaFlow(store, settings.withSession(session), time);
            flow.intake.start();
            return flow;
        }
    }
}
