package io.redrive.console;

import io.redrive.events.DeadLetter;
import io.redrive.events.JsonPayload;
import io.redrive.events.LetterVersion;
import io.redrive.events.redaction.Redaction;
import io.redrive.operations.CauseView;
import io.redrive.operations.GeneratedTest;
import io.redrive.operations.LineDiff;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerResponse;

/** Shows one dead letter: payload, attempts, cause and versions; lets an operator edit the payload after a look at the difference. */
final class LetterPage {

    /** A longer payload is edited on the command line: a browser's form would not carry it. */
    static final int LONGEST_EDIT = 256 * 1024;

    /** The most values that a search in a payload lists. */
    static final int FOUND = 100;

    /**
     * A replaced payload, compared with the payload after it.
     *
     * @param number the number of the version
     * @param action the command that replaced the payload
     * @param operator who gave the command
     * @param at when
     * @param lines the difference
     */
    record Version(int number, String action, String operator, Instant at, List<LineDiff.Line> lines) {}

    /**
     * The facts of the page.
     *
     * @param letter the letter with its history
     * @param payload the payload for people
     * @param found the values of a large payload that the operator looks for; empty without a search
     * @param versions the replaced payloads, the newest first
     * @param cause the cause of the letter
     */
    record View(
            DeadLetter letter,
            PayloadView payload,
            Optional<JsonTree.Found> found,
            List<Version> versions,
            Optional<CauseView> cause) {

        /** Returns why the payload cannot be edited on this page; empty when it can. */
        String whyNoEdit() {
            if (payload.binary()) {
                return "binary payloads are edited with redrive dlq edit";
            }
            return payload.size() > LONGEST_EDIT
                    ? "payloads above " + Format.bytes(LONGEST_EDIT) + " are edited with redrive dlq edit"
                    : "";
        }
    }

    /**
     * The facts of the form.
     *
     * @param letter the letter
     * @param text the payload in the form
     * @param before the payload that the operator saw, to notice edits made meanwhile
     * @param complaint why the text cannot be saved; empty when it can
     * @param lines the difference to the stored payload
     * @param checked true when the operator has seen the difference
     */
    record Edit(
            DeadLetter letter,
            String text,
            String before,
            String complaint,
            List<LineDiff.Line> lines,
            boolean checked) {}

    private final Renderer renderer;

    LetterPage(Renderer renderer) {
        this.renderer = renderer;
    }

    static DeadLetter find(Visit visit) {
        long id = Scope.id(visit.path("id"));
        return visit.operations()
                .letters()
                .find(id)
                .orElseThrow(() -> Refusal.missing(
                                "No dead letter has the id " + id + ".",
                                "The letter may have been redriven or purged; the record of actions tells.")
                        .leadingTo("/record", "Show the record"));
    }

    ServerResponse show(Visit visit) {
        DeadLetter letter = find(visit);
        PayloadView payload =
                PayloadView.of(letter.event().payload(), letter.event().contentType());
        View view = new View(
                letter,
                payload,
                found(payload, letter, visit.param("find")),
                versions(letter, visit.operations().letters().versions(letter.id())),
                visit.operations().causes().find(letter.fingerprint()));
        return renderer.html(visit, "letter", view);
    }

    /** A browser searches a whole tree by itself; the server searches the payload of a tree that is cut. */
    private static Optional<JsonTree.Found> found(PayloadView payload, DeadLetter letter, String wanted) {
        boolean cut = payload.tree().filter(JsonNode::isCut).isPresent();
        return wanted.isBlank() || !cut
                ? Optional.empty()
                : PayloadView.utf8(letter.event().payload()).map(json -> JsonTree.find(json, wanted.strip(), FOUND));
    }

    private static List<Version> versions(DeadLetter letter, List<LetterVersion> replaced) {
        List<Version> versions = new ArrayList<>();
        byte[] after = letter.event().payload();
        String type = letter.event().contentType();
        for (int i = replaced.size() - 1; i >= 0; i--) {
            LetterVersion version = replaced.get(i);
            List<LineDiff.Line> lines =
                    LineDiff.of(PayloadView.text(version.payload(), type), PayloadView.text(after, type));
            versions.add(new Version(version.number(), version.action(), version.operator(), version.at(), lines));
            after = version.payload();
        }
        return versions;
    }

    /** Sends the payload byte for byte, as a file: a browser must not run it. */
    ServerResponse payload(Visit visit) {
        DeadLetter letter = find(visit);
        return Renderer.headed(HttpStatus.OK)
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .header("Content-Disposition", "attachment; filename=\"letter-" + letter.id() + "-payload\"")
                .body(letter.event().payload());
    }

    /** Sends a JUnit test that fails as the letter did. */
    ServerResponse test(Visit visit) {
        long id = Scope.id(visit.path("id"));
        return visit.operations()
                .letters()
                .test(id, "", Redaction.NONE)
                .map(LetterPage::file)
                .orElseThrow(() -> Refusal.missing("No dead letter has the id " + id + ".", "Go back to the letters."));
    }

    private static ServerResponse file(GeneratedTest test) {
        if (test.payload().isPresent()) {
            throw Refusal.wrong(
                    "The payload is too large for a test in one file.",
                    "Write the test with its payload on the command line: redrive dlq test.");
        }
        return Renderer.headed(HttpStatus.OK)
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .header("Content-Disposition", "attachment; filename=\"" + test.fileName() + "\"")
                .body(test.source().getBytes(StandardCharsets.UTF_8));
    }

    ServerResponse edit(Visit visit) {
        DeadLetter letter = find(visit);
        String text = editable(letter);
        return renderer.html(visit, "edit", new Edit(letter, text, stamp(letter), "", List.of(), false));
    }

    private static String editable(DeadLetter letter) {
        PayloadView view =
                PayloadView.of(letter.event().payload(), letter.event().contentType());
        if (view.binary() || view.size() > LONGEST_EDIT) {
            throw Refusal.wrong(
                    "The payload of letter " + letter.id() + " is binary or above " + Format.bytes(LONGEST_EDIT) + ".",
                    "Edit it on the command line: redrive dlq edit " + letter.id() + ".");
        }
        return view.text();
    }

    /** Shows the difference first; saves when the operator has seen it. */
    ServerResponse save(Visit visit) {
        DeadLetter letter = find(visit);
        String text = visit.exactParam("payload").replace("\r\n", "\n");
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        String type = letter.event().contentType();
        String complaint = complaint(visit, letter, payload);
        List<LineDiff.Line> lines = LineDiff.of(editable(letter), PayloadView.text(payload, type));
        boolean save = visit.param("step").equals("save") && complaint.isEmpty();
        if (!save) {
            Edit edit = new Edit(letter, text, stamp(letter), complaint, lines, complaint.isEmpty());
            HttpStatus status = complaint.isEmpty() ? HttpStatus.OK : HttpStatus.UNPROCESSABLE_CONTENT;
            return renderer.html(status, visit, "edit", edit);
        }
        visit.operations().letters().edit(letter.id(), payload);
        return Renderer.redirect(
                visit,
                "/letters/" + letter.id(),
                "The payload of letter " + letter.id() + " was changed. Redrive it now?");
    }

    private static String complaint(Visit visit, DeadLetter letter, byte[] payload) {
        if (payload.length > LONGEST_EDIT) {
            return "the payload must be at most " + Format.bytes(LONGEST_EDIT) + ", got "
                    + Format.bytes(payload.length);
        }
        if (!visit.param("before").equals(stamp(letter))) {
            return "somebody changed the payload since you opened this form; your text is below, the difference is to the"
                    + " payload as it is now";
        }
        return JsonPayload.isJson(letter.event().contentType())
                ? JsonPayload.complaint(payload)
                        .map(why -> "not valid JSON: " + why)
                        .orElse("")
                : "";
    }

    /** Returns a short text that differs when the payload differs. */
    private static String stamp(DeadLetter letter) {
        CRC32 sum = new CRC32();
        sum.update(letter.event().payload());
        return letter.event().payloadSize() + "-" + Long.toHexString(sum.getValue());
    }
}
