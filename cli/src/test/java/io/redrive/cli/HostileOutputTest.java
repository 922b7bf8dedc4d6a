package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JdbcStores;
import io.redrive.cli.terminal.NoTerminal;
import io.redrive.cli.terminal.PersonAtTerminal;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.Terminal;
import io.redrive.core.Reason;
import io.redrive.core.Time;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.OperatorCommand;
import io.redrive.events.SharedNotes.Note;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of events, errors, nodes and operators contain escape sequences; no command prints an escape sequence. */
final class HostileOutputTest {

    /** Clears the screen (C0 and C1), turns the reading direction, hides text, ends a line. */
    private static final String EVIL =
            "x\u001b[2J\u001b[8m\u009b2J\u009d0;t\u0007\u202e\u2066\u200b\u2028\u0085\u007f\ue000\udb40\udc01";

    private final LetterDesk desk = new LetterDesk();

    @TempDir
    private Path folder;

    @BeforeEach
    void letters() {
        for (int i = 0; i < 3; i++) {
            desk.dead(
                    event -> event.payload(("{\"a\":\"" + EVIL + "\"}").getBytes(StandardCharsets.UTF_8), "text/plain")
                            .header("trace", "h" + EVIL),
                    "order.paid",
                    Reason.NOT_RETRYABLE,
                    "Type" + EVIL,
                    "said " + EVIL);
        }
        OperatorCommand evil = OperatorCommand.by("ann").from("host " + EVIL).about("letters " + EVIL);
        desk.store.deadLetters().record(evil, "purge", "outcome " + EVIL, desk.time.now());
        String now = desk.time.now().toString();
        desk.store.notes().write(Note.first("node", "n1", now + "\n" + now + "\nservice " + EVIL));
    }

    @Test
    void no_command_on_letters_prints_a_control_sequence() {
        List<String> commands = List.of(
                "dlq list",
                "dlq list --json",
                "dlq groups",
                "dlq groups --json",
                "dlq show 1",
                "dlq show 1 --json",
                "dlq show nothing" + EVIL.replace(" ", ""),
                "dlq actions",
                "dlq actions --json",
                "dlq export --out -",
                "dlq list --reason r" + EVIL,
                "dlq list --since s" + EVIL,
                "dlq list --" + EVIL,
                "dlq edit 1 --payload missing" + EVIL,
                "dlq import missing" + EVIL,
                "dlq purge 1 --dry-run --operator o" + EVIL,
                "dlq redrive 1 --rate r" + EVIL,
                "stats",
                "stats --json",
                "publish --name n" + EVIL + " --source s",
                "publish --name a.b --source s --priority p" + EVIL,
                "policy explain --preset p" + EVIL,
                "policy explain --file f" + EVIL,
                "no-such-command" + EVIL);
        List<Terminal> terminals = List.of(new NoTerminal(), new PersonAtTerminal(80, "n", ""));
        for (Terminal terminal : terminals) {
            for (String command : commands) {
                assertHarmless(command, desk.at(terminal).run(command));
            }
        }
    }

    @Test
    void an_export_with_escaped_characters_means_the_same() {
        List<String> lines = desk.run("dlq export --out -").out().lines().toList();

        assertThat(lines).hasSize(3);
        assertThat(DeadLetterJson.read(lines.get(0), 1))
                .usingRecursiveComparison()
                .isEqualTo(desk.store.deadLetters().find(1).orElseThrow());
    }

    @Test
    void the_report_and_the_lists_of_a_run_print_no_control_sequence() throws Exception {
        Path pipeline = Files.writeString(folder.resolve("p.yml"), """
                id: /id
                stages:
                  - command: fail
                    run: [sh, -c, 'read line; printf "bad \\033[2J\\302\\2332J\\342\\200\\256" >&2; exit 1']
                    retry: {max-attempts: 1}
                """);
        Path input = Files.writeString(folder.resolve("in.jsonl"), "{\"id\":\"s\\u202e\",\"v\":\"\\u0007\"}\n");
        Path output = folder.resolve("out.jsonl");
        String store = folder.resolve("runs.db").toString();
        Context context = new Context(Time.system(), new JdbcStores(), new NoTerminal(), InputStream.nullInputStream());
        List<String> run = List.of(
                "run", pipeline.toString(), "--input", input.toString(), "--output", output.toString(), "--run", "r1");
        Ran ran = onRuns(context, store, run);
        assertThat(ran.code()).as(ran.toString()).isEqualTo(4);
        assertHarmless("run", ran);
        assertHarmless("runs list", onRuns(context, store, List.of("runs", "list")));
        assertHarmless("runs list", onRuns(context, store, List.of("runs", "list", "--json")));
        assertHarmless("runs show", onRuns(context, store, List.of("runs", "show", "r1")));
        assertHarmless("runs dead", onRuns(context, store, List.of("runs", "dead", "r1")));
        assertHarmless("runs dead", onRuns(context, store, List.of("runs", "dead", "r1", "--json")));
        assertHarmless("runs report", onRuns(context, store, List.of("runs", "report", "r1")));
        assertHarmless("runs report", onRuns(context, store, List.of("runs", "report", "r1", "--json")));
        assertThat(onRuns(context, store, List.of("runs", "dead", "r1")).out()).contains("fail");
    }

    @Test
    void a_dry_run_prints_no_control_sequence_and_no_line_twice() throws Exception {
        Path pipeline = Files.writeString(folder.resolve("p.yml"), """
                stages:
                  - command: fail
                    run: [sh, -c, 'read line; printf "bad \\033[2J\\302\\2332J\\342\\200\\256" >&2; exit 1']
                    retry: {max-attempts: 1}
                """);
        Path input = Files.writeString(folder.resolve("in.jsonl"), "{\"v\":\"\\u0007\"}\n");
        Context context = new Context(Time.system(), new JdbcStores(), new NoTerminal(), InputStream.nullInputStream());
        List<String> logged = new CopyOnWriteArrayList<>();
        Handler handler = new StreamHandler() {
            @Override
            public void publish(LogRecord entry) {
                logged.add(entry.getMessage());
            }
        };
        Logger root = Logger.getLogger("");
        root.addHandler(handler);
        try {
            Ran ran = Ran.redrive(context, "run", pipeline.toString(), "--input", input.toString(), "--dry-run");
            assertHarmless("run --dry-run", ran);
            assertThat(ran.out()).contains("fail fails, attempt 1");
        } finally {
            root.removeHandler(handler);
        }
        assertThat(logged).noneMatch(line -> line.startsWith("run 'dry-run'"));
    }

    private static Ran onRuns(Context context, String store, List<String> args) {
        List<String> all = new ArrayList<>(args);
        all.addAll(List.of("--store", store));
        return Ran.redrive(context, all.toArray(String[]::new));
    }

    private static void assertHarmless(String command, Ran ran) {
        assertThat(ran.out() + ran.err()).as(command).isNotEmpty();
        (ran.out() + ran.err())
                .codePoints()
                .forEach(c -> assertThat(c == '\n' || isHarmless(c))
                        .as("%s printed U+%04X in: %s", command, c, ran)
                        .isTrue());
    }

    private static boolean isHarmless(int c) {
        int type = Character.getType(c);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.SURROGATE
                && type != Character.PRIVATE_USE
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }

    @Test
    void of_all_control_sequences_only_styles_are_printed() {
        assertThat(Printable.screen("\u001b[1mbold\u001b[0m \u001b[31mred\u001b[0m"))
                .isEqualTo("\u001b[1mbold\u001b[0m \u001b[31mred\u001b[0m");
        assertThat(Printable.screen("\u001b[2J\u001b[8m\u001b]0;t\u0007"))
                .isEqualTo("\\u001b[2J\\u001b[8m\\u001b]0;t\\u0007");
        assertThat(Printable.width("a\u6f22\u0301")).isEqualTo(3);
        assertThat(Printable.cut("\u6f22\u6f22\u6f22", 4)).isEqualTo("\u6f22\u2026");
    }

    @Test
    void ages_are_short() {
        assertThat(Printable.roughly(Duration.ofSeconds(119))).isEqualTo("119s");
    }
}
