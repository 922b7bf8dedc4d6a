package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JdbcStores;
import io.redrive.cli.command.StoreOpener;
import io.redrive.cli.demo.PlayedDemo;
import io.redrive.cli.terminal.NoTerminal;
import io.redrive.core.ManualTime;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.items.store.RunStore;
import io.redrive.pipeline.Pipeline;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * Plays the page on an incident: runs its commands one after the other, on one file, with the demo's traffic and handlers, and
 * compares the output. Ids are drawn at random and compared by the order of their appearance. With {@code
 * -Dredrive.docs=write}, updates the page first.
 */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
final class IncidentPageTest {

    private static final Path PAGE = Path.of("../docs/guide/incident.md");
    private static final Pattern BLOCK = Pattern.compile("```\n(\\$ (?s:.*?)\n)```\n");
    private static final Pattern COMMAND = Pattern.compile("(?m)^\\$ \\./redrive (.*)\n");
    private static final Pattern DRAWN =
            Pattern.compile("\\br-[0-9a-f]{10}\\b|\\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b");
    private static final Pattern SECONDS = Pattern.compile("--seconds (\\d+)");
    private static final String ACCOUNT = System.getProperty("user.name");

    /** How long the operator of the page reads and types. */
    private static final Duration PACE = Duration.ofSeconds(3);

    @TempDir
    private Path folder;

    private final ManualTime time = new ManualTime();
    private @Nullable EventStore store;
    private @Nullable Pipeline node;

    @BeforeEach
    void an_operator_sits_down() {
        System.setProperty("user.name", "ann");
    }

    @AfterEach
    void the_operator_leaves() {
        System.setProperty("user.name", ACCOUNT);
        stop();
    }

    @Test
    void the_page_shows_what_the_commands_say() throws IOException {
        String page = Files.readString(PAGE);
        String played = BLOCK.matcher(page)
                .replaceAll(block -> Matcher.quoteReplacement("```\n" + played(block.group(1)) + "```\n"));
        if (System.getProperty("redrive.docs", "check").equals("write")
                && !canonical(page).equals(canonical(played))) {
            Files.writeString(PAGE, played);
            page = played;
        }
        assertThat(canonical(page)).isEqualTo(canonical(played));
    }

    /** Returns the commands of a block, each with its output. */
    private String played(String block) {
        return COMMAND.matcher(block)
                .results()
                .map(command -> command.group() + said(command.group(1)))
                .collect(Collectors.joining());
    }

    private String said(String command) {
        if (command.startsWith("demo ")) {
            demo(command);
            return "";
        }
        time.advance(PACE);
        if (node != null) {
            node.drain();
        }
        Time stepping = node == null ? time : new SteppingTime(time, node);
        Context context = new Context(stepping, new Folder(folder), new NoTerminal(), InputStream.nullInputStream());
        return Ran.shown(context, Commands.words(command));
    }

    /** Plays traffic to its end; a demo without traffic is a node that lives until the next demo. */
    private void demo(String command) {
        stop();
        store = new JdbcStores().create(folder.resolve("demo.db").toString());
        if (command.contains("--rate 0")) {
            node = PlayedDemo.node(store, time, command.contains("--fixed"));
            node.drain();
            return;
        }
        String seconds =
                SECONDS.matcher(command).results().findFirst().orElseThrow().group(1);
        PlayedDemo.play(store, time, Duration.ofSeconds(Long.parseLong(seconds)));
        stop();
    }

    private void stop() {
        if (node != null) {
            node.close();
            node = null;
        }
        if (store != null) {
            store.close();
            store = null;
        }
    }

    private static String canonical(String page) {
        Map<String, String> numbers = new LinkedHashMap<>();
        List<String> drawn =
                DRAWN.matcher(page).results().map(MatchResult::group).toList();
        drawn.forEach(id -> numbers.putIfAbsent(id, "drawn-" + numbers.size()));
        return DRAWN.matcher(page).replaceAll(id -> numbers.get(id.group()));
    }

    /** Stores in a folder, by the name of their file. */
    private record Folder(Path path) implements StoreOpener {

        @Override
        public EventStore open(String address) {
            return new JdbcStores().open(path.resolve(address).toString());
        }

        @Override
        public EventStore create(String address) {
            return new JdbcStores().create(path.resolve(address).toString());
        }

        @Override
        public RunStore openRuns(String address) {
            throw new AssertionError("nobody asks for runs here");
        }

        @Override
        public RunStore createRuns(String address) {
            throw new AssertionError("nobody asks for runs here");
        }
    }
}
