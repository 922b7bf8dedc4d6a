package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.RetryPolicy;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorAction;
import io.redrive.events.OperatorCommand;
import io.redrive.testkit.FaultyStore;
import io.redrive.testkit.PowerLossFileSystem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LetterArchiveTest {

    private static final Duration AGE = Duration.ofDays(90);

    @TempDir
    private Path folder;

    private final Rig rig = new Rig();

    @Test
    void old_letters_are_exported_then_deleted_and_an_import_brings_them_back() throws IOException {
        die(rig.store, 3);
        List<DeadLetter> before = rig.store.deadLetters().listWithHistory(LetterFilter.ALL, 0, 10);
        rig.time.advance(AGE.plusSeconds(1));
        die(rig.store, 2);

        LetterArchive.Sweep sweep = sweep(rig.store, folder);

        assertThat(sweep.letters()).isEqualTo(3);
        assertThat(rig.store.deadLetters().count(LetterFilter.ALL)).isEqualTo(2);
        List<DeadLetter> exported = read(folder.resolve(sweep.file()));
        assertThat(exported).usingRecursiveComparison().isEqualTo(before);
        assertThat(rig.store.deadLetters().actions(1)).singleElement().satisfies(row -> {
            assertThat(row.action()).isEqualTo("retire");
            assertThat(row.letters()).isEqualTo(3);
            assertThat(row.detail()).contains(sweep.file());
        });
        rig.store.deadLetters().importLetters(exported, "ann", rig.time.now());
        assertThat(rig.store.deadLetters().count(LetterFilter.ALL)).isEqualTo(5);
    }

    @Test
    void a_failing_store_call_loses_no_letter_whichever_call_it_is() throws IOException {
        for (FaultyStore.Moment moment : FaultyStore.Moment.values()) {
            for (int call = 1; call <= 2; call++) {
                Path dir = Files.createDirectory(folder.resolve(moment + "-" + call));
                EventStore store = new InMemoryEventStore();
                die(store, 3);
                rig.time.advance(AGE.plusSeconds(1));
                EventStore faulty = FaultyStore.failing(store, call, moment);
                assertThatThrownBy(() -> sweep(faulty, dir)).isInstanceOf(FaultyStore.Fault.class);
                assertThat(keptOrExported(store, dir)).as(dir.toString()).hasSize(3);
                sweep(store, dir);
                assertThat(keptOrExported(store, dir)).hasSize(3);
                assertThat(store.deadLetters().count(LetterFilter.ALL)).isZero();
            }
        }
    }

    @Test
    void a_loss_of_power_after_the_deletion_keeps_the_export() throws IOException {
        PowerLossFileSystem files = new PowerLossFileSystem(folder);
        die(rig.store, 3);
        rig.time.advance(AGE.plusSeconds(1));
        LetterArchive.Sweep sweep = sweep(rig.store, files.path(""));
        files.losePower();
        assertThat(read(folder.resolve(sweep.file()))).hasSize(3);
    }

    @Test
    void a_folder_that_cannot_be_written_deletes_nothing() throws IOException {
        die(rig.store, 1);
        rig.time.advance(AGE.plusSeconds(1));
        assertThatThrownBy(() -> sweep(rig.store, folder.resolve("missing"))).isInstanceOf(IOException.class);
        long id = rig.onlyLetter().id();
        Files.createFile(
                Files.createDirectory(folder.resolve("letters-" + id + ".part")).resolve("in-the-way"));
        assertThatThrownBy(() -> sweep(rig.store, folder)).isInstanceOf(IOException.class);
        assertThat(rig.store.deadLetters().count(LetterFilter.ALL)).isEqualTo(1);
        assertThat(rig.store.deadLetters().actions(10)).isEmpty();
    }

    @Test
    void the_part_of_a_killed_process_is_replaced_and_a_second_export_keeps_the_first() throws IOException {
        die(rig.store, 1);
        rig.time.advance(AGE.plusSeconds(1));
        Files.writeString(folder.resolve("letters-" + rig.onlyLetter().id() + ".part"), "half");
        EventStore faulty = FaultyStore.failing(rig.store, 2, FaultyStore.Moment.BEFORE);
        assertThatThrownBy(() -> sweep(faulty, folder)).isInstanceOf(FaultyStore.Fault.class);
        sweep(rig.store, folder);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()).sorted().toList())
                    .hasSize(2)
                    .allMatch(name -> name.endsWith(".jsonl.gz"));
        }
    }

    @Test
    void pipelines_retire_letters_by_themselves_and_two_nodes_do_not_both_export() throws IOException {
        die(rig.store, 1_200);
        LetterRetention retention = new LetterRetention(AGE, folder);
        List<Pipeline> nodes = List.of(
                rig.pipelineOn(rig.store).node("n1").retention(retention).build(),
                rig.pipelineOn(rig.store).node("n2").retention(retention).build());
        nodes.forEach(Pipeline::drain);
        assertThat(rig.store.deadLetters().count(LetterFilter.ALL)).isEqualTo(1_200);

        rig.time.advance(AGE.plusSeconds(1));
        for (int i = 0; i < 10; i++) {
            nodes.forEach(Pipeline::step);
        }
        assertThat(rig.store.deadLetters().count(LetterFilter.ALL)).isZero();
        List<Long> exported = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.forEach(file -> read(file).forEach(letter -> exported.add(letter.id())));
        }
        assertThat(exported).hasSize(1_200).doesNotHaveDuplicates();
        assertThat(rig.store.deadLetters().actions(10))
                .hasSize(3)
                .extracting(OperatorAction::letters)
                .containsExactly(200L, 500L, 500L);
    }

    @Test
    void a_pipeline_whose_folder_is_gone_goes_on_and_keeps_the_letters() {
        die(rig.store, 1);
        rig.time.advance(AGE.plusSeconds(1));
        Pipeline pipeline = rig.pipelineOn(rig.store)
                .retention(new LetterRetention(AGE, folder.resolve("missing")))
                .on("*", event -> rig.handled.add(event.id()))
                .build();
        rig.store.publish(rig.events("order.sent", 1), rig.time.now());
        pipeline.drain();
        assertThat(rig.handled).hasSize(1);
        assertThat(rig.store.deadLetters().count(LetterFilter.ALL)).isEqualTo(1);
    }

    @Test
    void a_retention_below_an_hour_is_refused() {
        assertThatThrownBy(() -> new LetterRetention(Duration.ofMinutes(59), folder))
                .hasMessage("olderThan must be at least 1 hour, got PT59M");
    }

    private LetterArchive.Sweep sweep(EventStore store, Path to) throws IOException {
        return new LetterArchive(store.deadLetters(), new LetterRetention(AGE, to))
                .sweep(OperatorCommand.by("ann"), rig.time.now());
    }

    private void die(EventStore store, int events) {
        Pipeline pipeline = rig.pipelineOn(store)
                .policies(EventPolicies.defaults().with("*", RetryPolicy.noRetry()))
                .on("order.*", event -> {
                    throw new IllegalStateException("no stock");
                })
                .build();
        for (int i = 0; i < events; i++) {
            pipeline.publish(Event.named("order.p" + i / 20)
                    .source("shop")
                    .correlationId("c")
                    .time(rig.time)
                    .build());
        }
        pipeline.drain();
    }

    private static TreeSet<Long> keptOrExported(EventStore store, Path dir) throws IOException {
        TreeSet<Long> ids = new TreeSet<>();
        store.deadLetters().list(LetterFilter.ALL, 0, 100).forEach(letter -> ids.add(letter.id()));
        try (Stream<Path> files = Files.list(dir)) {
            files.forEach(file -> read(file).forEach(letter -> ids.add(letter.id())));
        }
        return ids;
    }

    private static List<DeadLetter> read(Path file) {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            return lines.lines().map(line -> DeadLetterJson.read(line, 1)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
